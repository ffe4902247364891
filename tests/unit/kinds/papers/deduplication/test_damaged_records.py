"""Records that extraction has damaged: what a reference leaves beside a title, lost letters, and broken names."""

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
        f"{PLAIN} - group of 4 &raquo;",
        f"{PLAIN}. in: Ortega U, Grant P, Nilsson S eds",
        f"{PLAIN}, in Proceedings of the 22nd",
        f"{PLAIN}, p. 35-46",
        f"{PLAIN}. 22 ndint. conf",
        f"{PLAIN}, Conference 2020",
        f"{PLAIN}. Technical note TM-93-1",
        f"{PLAIN}. Available by anonymous ftp from the authors",
        f"{PLAIN} (panel abstract)",
        f"{PLAIN} (10-year award)",
        f"S. Cox and P. Schwaller, 2020. {PLAIN}",
        f"Philippe Schwaller {PLAIN}",
        f"S., Schwaler, P. (2019): {PLAIN}",
    ],
)
def test_what_a_reference_leaves_beside_a_title_does_not_count(title: str) -> None:
    """Its numbers contradict nothing, and the reason says so."""
    found = deduplicate([record("a", PLAIN, venue=VENUE), record("b", title, year=None)])
    assert len(found.groups) == 1
    assert found.groups[0].reasons[0] in {"same title beside a reference and authors", "same title and authors"}


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
def test_what_is_no_reference_beside_a_title_counts(title: str) -> None:
    """Parts, numbers and notices, whatever names and signs stand around them."""
    assert not titles_are_one(PLAIN, title, venue=VENUE)


def test_two_volumes_of_one_reference_are_two_papers() -> None:
    """Beside a record without a number, too."""
    volumes = [record(str(number), f"{PLAIN}. Vol. {number}. Springer") for number in (1, 2)]
    assert not are_one(*volumes)
    assert not are_one(*volumes, record("c", PLAIN))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("An efficient filter for profiles of traffic", "An ecient lter for proles of trac"),
        ("Gradient sketching for sparse networks", "gradientsketchingforsparsenetworks"),
        ("Gradient sketching for sparse networks", "S. Cox. gradientsketchingfor sparsenetworks"),
    ],
)
def test_lost_ligatures_and_spaces_do_not_count(one: str, other: str) -> None:
    """Even where no word of one is a word of the other, so that the end of the title finds the pair."""
    assert titles_are_one(one, other)


def test_glued_and_shortened_words_that_differ_stay_apart() -> None:
    """A ligature that is another word, and another word within a glued title."""
    assert not titles_are_one("An efficient filter for traffic", "An ecient meter for trac")
    assert not titles_are_one("Gradient sketching for sparse networks", "gradientsketchingfordensenetworks")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("R. Güterberg", "R. G\u045cterberg"),
        ("R. Güterberg", "rh gã 1/4 terberg"),
        ("R. Güterberg", "R. G\ufffdterberg"),
        ("A. Griffin", "A. Grin"),
        ("I. Kamenski", "I. Kamenskiandc"),
        ("I. Kamenski", "I. Kamenski andy"),
        ("A. Datta, D. Vandeveer", "D. Anindo, EV Debra"),
        ("A. Datta, D. Vandeveer", "G.C. Introduction"),
        ("A. Datta, D. Vandeveer", "portal.example.org"),
        ("A. Datta, D. Vandeveer", "Annals of Sketching, 2020"),
    ],
)
def test_damaged_names_contradict_no_author(one: str, other: str) -> None:
    """Lost letters, the "and" of a list, given names taken for family names, and what is no person."""
    ones, others = tuple(one.split(", ")), tuple(other.split(", "))
    assert are_one(record("a", PLAIN, authors=ones), record("b", PLAIN, authors=others, venue="Annals of Sketching"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("R. Güterberg", "R. G\u045cldenstern"),
        ("R. Güterberg", "R. G\ufffdrg"),
        ("I. Kamenski", "I. Brandt"),
        ("P. Br", "I. Brandt"),
        ("A. Datta, D. Vandeveer", "D. Lindt, E. Moser"),
        ("A. Page, T. Cover", "D. Lindt, E. Moser"),
    ],
)
def test_names_that_can_be_read_contradict_other_authors(one: str, other: str) -> None:
    """A sign for lost letters stands for a few, and a name that is also a word is a name."""
    ones, others = tuple(one.split(", ")), tuple(other.split(", "))
    assert not are_one(record("a", PLAIN, authors=ones), record("b", PLAIN, authors=others))


def test_an_author_before_the_title_confirms_a_broken_list() -> None:
    """The rest of the list went into the title."""
    whole = record("a", PLAIN, authors=("Jana Novak", "Ida Larsen"))
    assert are_one(whole, record("b", f"Ida Larsen, 2020. {PLAIN}", authors=("N. Pq",)))
    assert not are_one(whole, record("b", f"Ida Gruber, 2020. {PLAIN}", authors=("N. Pq",)))


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
def test_without_authors_a_title_has_to_tell_enough(fields: dict[str, Any], *, is_one: bool) -> None:
    """Five words that tell, or three with the same year and venue; words of many titles do not count."""
    whole = {**fields, "year": 2020, "authors": ("Ada Roe",)}
    assert are_one(record("a", **whole), record("b", **{"year": 2020, **fields, "authors": ()})) is is_one


def test_a_short_title_without_the_first_words_of_another_is_undecided() -> None:
    """An adjective makes it another paper; a name that stands apart, or a long rest, does not."""
    found = deduplicate(
        [record("a", "Sparse tensor sketching cost"), record("b", "Adaptive sparse tensor sketching cost")]
    )
    assert (len(found.groups), found.undecided) == (2, (("a", "b"),))
    assert titles_are_one("A server for sparse tensor sketching", "Tensorama: a server for sparse tensor sketching")
