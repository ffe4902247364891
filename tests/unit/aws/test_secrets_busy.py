"""SSM allows 40 reads a second: what many functions that begin at once read beyond that is read a moment later."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError
from goldpan.aws import secrets
from goldpan.aws.secrets import resolve_secrets
from goldpan.errors import Misconfigured, Overloaded
from goldpan.settings import GitHubSettings, ScoutSettings

from tests.unit.aws.ssm import TOKEN, TOKEN_NAME, Ssm

SETTINGS = ScoutSettings(github_token_parameter=TOKEN_NAME, cache_table="c", budget_table="b")


class Busy:
    """Refuses some calls of SSM with an error of this name."""

    def __init__(self) -> None:
        self.refuse, self.name, self.asked = 0, "ThrottlingException", 0


@pytest.fixture
def busy(ssm: Ssm, monkeypatch: pytest.MonkeyPatch) -> Busy:
    """Stand before the simulated SSM."""
    del ssm
    state, call = Busy(), BaseClient._make_api_call

    def refusing(asking: Any, operation: str, params: dict[str, Any]) -> Any:
        state.asked += 1
        if state.asked <= state.refuse:
            raise ClientError({"Error": {"Code": state.name, "Message": "Rate exceeded"}}, operation)
        return call(asking, operation, params)

    monkeypatch.setattr(BaseClient, "_make_api_call", refusing)
    monkeypatch.setattr(secrets, "WAITS", (0, 0.01))
    return state


def test_a_busy_store_is_asked_again(busy: Busy) -> None:
    """A few refusals for too many reads cost a moment, not the search."""
    busy.refuse = 3
    token = resolve_secrets(SETTINGS, GitHubSettings).github_token
    assert token is not None
    assert (token.get_secret_value(), busy.asked) == (TOKEN, 4)


def test_a_store_that_stays_busy_is_no_mistake_of_the_operator(busy: Busy, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lasts ends as too much at once, by the setting's name, so that nobody looks for a wrong parameter."""
    busy.refuse = 10_000
    monkeypatch.setattr(secrets, "BUSY_SECONDS", 0.1)
    with pytest.raises(Overloaded, match=r"^GITHUB_TOKEN_PARAMETER: too many functions"):
        resolve_secrets(SETTINGS, GitHubSettings)
    assert busy.asked > 2


def test_another_refusal_is_told_at_once(busy: Busy) -> None:
    """What no second try mends is asked for once."""
    busy.refuse, busy.name = 10_000, "AccessDeniedException"
    with pytest.raises(Misconfigured, match="AccessDeniedException"):
        resolve_secrets(SETTINGS, GitHubSettings)
    assert busy.asked == 1
