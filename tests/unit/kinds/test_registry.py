"""The kinds by name."""

from __future__ import annotations

import pytest
from goldpan.errors import InvalidRequest
from goldpan.kinds import registry


def test_a_kind_is_found_by_its_name() -> None:
    """Its module is imported at its first use; its sources are those that a request may name."""
    kind = registry.get_kind("repositories")
    assert (kind.name, kind.default_sources) == ("repositories", ("github",))
    assert registry.source_names() == ("github", "catalogue")


@pytest.mark.parametrize("name", ["papers", "", None, 5, ["repositories"]])
def test_an_unknown_kind_is_an_invalid_request(name: object) -> None:
    """The message names what is allowed."""
    with pytest.raises(InvalidRequest, match=r"is unknown; allowed: repositories"):
        registry.get_kind(name)
