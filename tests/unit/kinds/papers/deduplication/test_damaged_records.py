"""Records taken from references or first pages: further words around a title, and names that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.kinds.papers.deduplication.deduplicator import deduplicate

from tests.unit.kinds.papers.deduplication.records import are_one, record, titles_are_one

PLAIN = "Gradient sketching for sparse tensor networks"
VENUE = "Conference on Tensor Methods"


@pytest.mark.parametrize(
    "title",
    [
        f"{PLAIN} [C]",
        f"{PLAIN} [J]. {VENUE}",
        f"{PLAIN}, in Proceedings of the 22nd",
        f"{PLAIN}, Conference 2020",
        f"{PLAIN} (panel abstract)",
        f"S. Cox and P. Schwaller, 2020. {PLAIN}",
        f"Philippe Schwaller {PLAIN}",
        "Gradientsketchingforsparsetensornetworks",
    ],
)
def test_further_words_of_a_reference_do_not_count(title: str) -> None:
    """Neither the names of the authors, nor the venue and the year."""
    assert are_one(record("a", PLAIN, venue=VENUE), record("b", title, year=None))


@pytest.mark.parametrize(
    "title",
    [
        f"{PLAIN}, part 2",
        f"{PLAIN}: the four-dimensional case of 22 networks",
        f"{PLAIN} - a review article",
        f"Comment on Cox and Schwaller: {PLAIN}",
        f"{PLAIN} [B2]",
    ],
)
def test_further_words_that_name_another_paper_count(title: str) -> None:
    """Parts, numbers and notices, whatever names and signs stand around them."""
    assert not titles_are_one(PLAIN, title, venue=VENUE)


def test_two_volumes_of_one_reference_are_two_papers() -> None:
    """Also where a third record has no number."""
    volumes = [record(str(number), f"{PLAIN}. Vol. {number}. Springer") for number in (1, 2)]
    assert not are_one(*volumes)
    assert not are_one(*volumes, record("c", PLAIN))


@pytest.mark.parametrize(
    "authors", [("rh gã 1/4 terberg",), ("R. G\ufffdterberg",), ("portal.example.org",), ("Annals of Sketching, 2020",)]
)
def test_names_that_cannot_be_read_contradict_no_author(authors: tuple[str, ...]) -> None:
    """Text in another encoding, addresses, and the venue in the place of an author."""
    damaged = record("b", PLAIN, authors=authors, venue="Annals of Sketching")
    assert are_one(record("a", PLAIN, authors=("R. Güterberg",)), damaged)


@pytest.mark.parametrize("authors", [("I. Brandt",), ("P. Br",), ("D. Lindt", "E. Moser")])
def test_other_authors_contradict_even_the_same_title(authors: tuple[str, ...]) -> None:
    """As far as they can be read."""
    assert not are_one(record("a", PLAIN, authors=("A. Page", "T. Cover")), record("b", PLAIN, authors=authors))


@pytest.mark.parametrize(
    ("fields", "is_one"),
    [
        ({"title": "Sketching sparse tensors", "venue": "Tensor Record"}, True),
        ({"title": "Sketching sparse tensors", "venue": None}, False),
        ({"title": "Sketching papers: an introduction", "venue": "Tensor Record"}, False),
        ({"title": "Sketching sparse tensors of gradients quickly", "venue": None, "year": None}, True),
        ({"title": "Sketching tensors: introduction, special issue", "venue": None, "year": None}, False),
    ],
)
def test_without_authors_a_title_has_to_be_distinctive(fields: dict[str, Any], *, is_one: bool) -> None:
    """Five words, or three with the same year and venue; words of many titles do not count."""
    whole = {**fields, "year": 2020, "authors": ("Ada Roe",)}
    assert are_one(record("a", **whole), record("b", **{"year": 2020, **fields, "authors": ()})) is is_one


def test_a_short_title_without_the_first_words_of_another_is_undecided() -> None:
    """An adjective makes it another paper; a name before a colon does not."""
    found = deduplicate(
        [record("a", "Sparse tensor sketching cost"), record("b", "Adaptive sparse tensor sketching cost")]
    )
    assert (len(found.groups), found.undecided) == (2, (("a", "b"),))
    assert titles_are_one("A server for sparse tensor sketching", "Tensorama: a server for sparse tensor sketching")


def test_the_records_that_agree_best_are_one_beside_a_contradiction() -> None:
    """A weak third record that contradicts one of two strong ones takes nothing from them."""
    strong = [record("a", PLAIN), record("b", PLAIN.upper())]
    weak = record("c", f"{PLAIN} of 3 dimensions", authors=("Sam Cox",), year=None)
    between = record("d", f"{PLAIN}. Journal of Tensors", authors=("Sam Cox",), year=None)
    found = deduplicate([*strong, weak, between])
    assert any({"a", "b"} <= set(group.members) for group in found.groups)
    assert not any({"a", "c"} <= set(group.members) for group in found.groups)
