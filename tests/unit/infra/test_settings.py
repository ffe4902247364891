"""Settings are read from the environment; a wrong variable is named, and its value is not repeated."""

from __future__ import annotations

import pytest
from goldpan.errors import Misconfigured
from goldpan.infra.settings import Secret, Settings, Url


class Example(Settings):
    """Settings of a test."""

    token: Secret | None = None
    address: Url = "https://example.org"
    other_address: Url | None = None


@pytest.mark.parametrize("empty", ["", "  ", "\n"])
def test_an_empty_variable_is_not_set(empty: str) -> None:
    """A variable that is empty or blank leaves the default."""
    assert Example.from_environment({"TOKEN": empty, "ADDRESS": empty}) == Example()


def test_a_value_is_trimmed() -> None:
    """Blanks and a line break around a value, as files and shells leave them, are removed."""
    token = Example.from_environment({"TOKEN": " good-token\n"}).token
    assert token is not None
    assert token.get_secret_value() == "good-token"


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org", "https://", "undefined"])
def test_all_wrong_variables_are_named(address: str) -> None:
    """Two wrong addresses are reported together, each by its variable."""
    with pytest.raises(Misconfigured, match=r"^ADDRESS: .*; OTHER_ADDRESS: "):
        Example.from_environment({"ADDRESS": address, "OTHER_ADDRESS": address})


@pytest.mark.parametrize("secret", ["good\ntoken-rest", "good-t\u00f6ken-rest"])
def test_a_secret_must_fit_into_a_header(secret: str) -> None:
    """A secret with a line break or a letter beyond ASCII is refused by name, and not repeated."""
    with pytest.raises(Misconfigured, match=r"^TOKEN: .*HTTP header") as refused:
        Example.from_environment({"TOKEN": secret})
    assert "rest" not in str(refused.value)
