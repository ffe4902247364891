"""Which function reads which secret, and what a snapshot may hold of it."""

from __future__ import annotations

import pytest
from aws_lambda_powertools.utilities.parameters.constants import DEFAULT_PROVIDERS
from goldpan.bootstrap import scout_ports, screener_ports, translator_ports
from goldpan.errors import Misconfigured

from tests.unit.aws.doors import Context, event, load
from tests.unit.aws.ssm import KEY, KEY_NAME, OWN, TOKEN_NAME, Ssm


@pytest.mark.parametrize("missing", ["LLM_BASE_URL", "LLM_MODEL"])
@pytest.mark.parametrize(("function", "stage"), [("query_translator", "translate"), ("screener", "shortlist")])
def test_a_key_without_its_endpoint_is_refused_by_name(
    function: str, stage: str, missing: str, ssm: Ssm, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key whose address or model is not set fails before the snapshot and at the first call, without the key."""
    for name, value in OWN.items():
        if name != missing:
            monkeypatch.setenv(name, value)
    app = load(function)
    for attempt in (app.CONTAINER.prime, lambda: app.handler(event(stage), Context())):
        with pytest.raises(Misconfigured, match=f"^{missing} is not set") as refused:
            attempt()
        assert KEY not in str(refused.value)
    assert KEY_NAME in ssm.names()


def test_a_rotated_secret_is_read_after_a_restore(ssm: Ssm, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token that was renewed after the snapshot is the one that is used, past every cache."""
    monkeypatch.setenv("GITHUB_TOKEN_PARAMETER", TOKEN_NAME)
    equipment = load("scout").CONTAINER
    equipment.prime()
    ssm.put(TOKEN_NAME, "hush-token-2")
    equipment.renew()
    assert equipment.dependencies().sources["github"]._source._exchange._token == "hush-token-2"


def test_no_secret_stays_behind_after_priming(ssm: Ssm, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read for the sake of the snapshot is in no cache when it is taken."""
    monkeypatch.setenv("GITHUB_TOKEN_PARAMETER", TOKEN_NAME)
    load("scout").CONTAINER.prime()
    assert ssm.names() == [TOKEN_NAME]
    kept = [entry.value for provider in DEFAULT_PROVIDERS.values() for entry in provider.store.values()]
    assert kept == []


def test_the_translator_never_reads_the_token(ssm: Ssm) -> None:
    """It has no permission to: of the token it only knows that there is one, and plans more searches for it."""
    environment = OWN | {"GITHUB_TOKEN_PARAMETER": TOKEN_NAME}
    dependencies = translator_ports(environment)
    assert ssm.names() == [KEY_NAME]
    assert dependencies.sources["github"].searches_a_question == 15
    assert translator_ports(OWN).sources["github"].searches_a_question == 5


def test_scout_reads_the_token_alone(ssm: Ssm) -> None:
    """The scouts ask no model, so they never hold its key, even where it is set for them."""
    dependencies = scout_ports(OWN | {"GITHUB_TOKEN_PARAMETER": TOKEN_NAME})
    assert (ssm.names(), dependencies.llm) == ([TOKEN_NAME], None)


def test_the_screener_reads_both(ssm: Ssm) -> None:
    """The screener enriches and judges, so it holds both."""
    dependencies = screener_ports(OWN | {"GITHUB_TOKEN_PARAMETER": TOKEN_NAME})
    assert sorted(ssm.names()) == [TOKEN_NAME, KEY_NAME]
    assert dependencies.llm is not None
    assert dependencies.llm.name == "own-model"
