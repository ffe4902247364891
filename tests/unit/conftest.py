"""What all unit tests share."""

import pytest
from goldpan.infra import redaction


@pytest.fixture(autouse=True)
def _no_secrets_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets that clients of another test registered, such as "a", would be replaced in texts of this one."""
    monkeypatch.setattr(redaction, "_KNOWN", [frozenset[str]()])
