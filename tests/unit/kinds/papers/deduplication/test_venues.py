"""Two names of venues that may be one: abbreviations and acronyms in either direction."""

from __future__ import annotations

import pytest
from goldpan.kinds.papers.deduplication.venues import are_alike


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("proc natl acad sci", "proceedings of the national academy of sciences", True),
        ("very large data bases", "vldb", True),
        ("j of chem", "journal of chemistry", True),
        ("j of chem", "journal of physics", False),
        ("review letters", "preview letters", False),  # the letters occur, but the word begins otherwise
        ("preview letters", "review letters", False),
        ("vldb", "very large bases", False),
        ("nature", "nature medicine", False),
    ],
)
def test_each_word_abbreviates_its_counterpart_or_one_name_is_an_acronym(one: str, other: str, *, alike: bool) -> None:
    """Whichever is the longer one."""
    assert are_alike(one, other) is are_alike(other, one) is alike
