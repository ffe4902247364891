"""Two records without a common identifier: which are compared, and what their texts tell."""

from typing import Any

import pytest
from goldpan.kinds.papers.deduplication.blocks import candidate_pairs
from goldpan.kinds.papers.deduplication.grouping import deduplicate
from goldpan.kinds.papers.deduplication.pairs import read_facts

from tests.unit.kinds.papers.deduplication.records import AUTHORS, all_apart, are_one, groups, record, titles_are_one

PUBLISHED = {"doi": "10.1038/s42256-024-00832-8"}


@pytest.mark.parametrize(
    "changes", [{"year": 2022}, {"authors": ("Jane Roe", "John Doe")}, {"authors": ("Angela Bran",), "year": 2023}]
)
def test_the_same_title_of_other_authors_or_years_is_another_paper(changes: dict[str, Any]) -> None:
    """The title alone proves nothing."""
    assert all_apart([record("a"), record("b", **changes)])


@pytest.mark.parametrize(
    ("kind", "other", "is_one"),
    [("dataset", "article", False), ("thesis", "conference", False), ("thesis", "preprint", True),
     ("dataset", None, True), ("thesis", "thesis", True), ("review", "article", True)],
)  # fmt: skip
def test_data_and_a_thesis_under_the_title_of_a_paper_are_not_the_paper(kind: str, other: str, *, is_one: bool) -> None:
    """Other types are told apart too loosely, and an unknown one may be any."""
    assert are_one(record("a", type=kind), record("b", type=other)) is is_one


def test_a_long_title_stands_for_itself_and_a_short_one_does_not() -> None:
    """Records of Google Scholar have no identifiers, often no year, and broken authors."""
    assert are_one(record("a"), record("b", authors=(), year=2020))
    assert are_one(record("a"), record("b", authors=AUTHORS, year=None))
    assert all_apart([record("a", "Deep learning"), record("b", "Deep learning", authors=(), year=None)])
    assert are_one(record("a"), record("b", authors=("Cox",)))
    column = "Reminiscences on influential papers"
    by = {name: are_one(record("a", column), record("b", column, authors=(name,))) for name in AUTHORS}
    assert list(by.values()) == [True, False, False]  # a list that was cut off begins with the same author
    short, longer = "Sketching sparse tensors", "Sketching sparse tensors fast"
    assert all_apart([record("a", short, venue=VENUE), record("b", longer, venue=VENUE, authors=())])


@pytest.mark.parametrize(
    "title", ["Editorial", "Introduction", "Preface", "Book review", "Guest Editors' Introduction", "前言", ""]
)
def test_generic_titles_are_one_paper_only_by_identifiers(title: str) -> None:
    """Editorials of two years, or of one editor in one year, and records without a title never merge by it."""
    years = [record(str(year), title, year=year) for year in (2001, 2002, 2020)]
    assert all_apart([*years, record("again", title, abstract="Another one")])
    assert are_one(record("a", title, PUBLISHED), record("b", title, PUBLISHED))
    unknown = deduplicate([record(key, title, {"doi": "n/a"}) for key in "ab"]).groups
    assert len({group.merged.id for group in unknown}) == 2


def test_a_conference_paper_and_its_journal_version_of_another_year_are_undecided() -> None:
    """Two publications under one title; a preprint with a venue of its own is none."""
    conference = record("a", venue="Proceedings of the VLDB Conference")
    journal = record("b", venue="The VLDB Journal", year=2021)
    found = deduplicate([conference, journal])
    assert (len(found.groups), found.undecided) == (2, (("a", "b"),))
    assert are_one(journal, record("c", venue="arXiv.org", year=2020))


def test_a_preprint_may_be_published_years_later() -> None:
    """Up to four years apart, the rules leave it open; later, and without a preprint, it is another paper."""

    def undecided(years: int, venue: str | None = "arXiv.org", **ids: str) -> int:
        published = record("a", venue="Journal of Chemistry", year=2020)
        both = [published, record("b", ids=ids, venue=venue, year=2020 - years)]
        found, turned = deduplicate(both).undecided, deduplicate(both[::-1]).undecided
        assert len(found) == len(turned)
        return len(found)

    assert [undecided(years) for years in (2, 4, 5)] == [1, 1, 0]
    assert undecided(4, venue="Proceedings of the Conference on Chemistry") == 0
    assert (undecided(4, venue=None, arxiv="2304.05376"), undecided(4, venue="ACS", arxiv="2304.05376")) == (1, 0)


PLAIN = "Gradient sketching for sparse tensor networks"
VENUE = "Conference on Tensor Methods"


@pytest.mark.parametrize(
    "title",
    [
        f"{PLAIN}. {VENUE}", f"{PLAIN}, in Proceedings of the 22nd",
        f"{PLAIN}, Conference 2020", f"{PLAIN} (panel abstract)", f"S. Cox and P. Schwaller, 2020. {PLAIN}",
        f"Philippe Schwaller {PLAIN}", "Gradientsketchingforsparsetensornetworks",
    ],
)  # fmt: skip
def test_further_words_of_a_reference_do_not_count(title: str) -> None:
    """Neither the names of the authors, nor the venue and the year."""
    assert are_one(record("a", PLAIN, venue=VENUE), record("b", title, year=None))


@pytest.mark.parametrize(
    "title",
    [
        f"{PLAIN}, part 2", f"{PLAIN}: the four-dimensional case of 22 networks", f"{PLAIN} - a review article",
        f"Comment on Cox and Schwaller: {PLAIN}", f"{PLAIN} [B2]", f"{PLAIN} a tutorial",
    ],
)  # fmt: skip
def test_further_words_that_name_another_paper_count(title: str) -> None:
    """Parts, numbers and notices, whatever names and signs stand around them."""
    assert not titles_are_one(PLAIN, title, venue=VENUE)


@pytest.mark.parametrize("title", [f"{PLAIN} (panel abstract)", "For sparse tensor networks, gradient sketching"])
def test_the_form_of_a_paper_and_the_order_of_its_words_do_not_count(title: str) -> None:
    """Not even a year later, when a part of a title would be another paper."""
    assert are_one(record("a", PLAIN), record("b", title, year=2021))


@pytest.mark.parametrize(
    ("fields", "is_one"),
    [
        ({"title": "Sketching sparse tensors"}, True),
        ({"title": "Sketching sparse tensors", "year": None}, True),
        ({"title": "Sketching papers: an introduction"}, False),
    ],
)
def test_without_authors_a_title_has_to_be_distinctive(fields: dict[str, Any], *, is_one: bool) -> None:
    """It has three words; those of many titles do not count."""
    whole = {**fields, "year": 2020, "authors": ("Ada Roe",)}
    assert are_one(record("a", **whole), record("b", **{"year": 2020, **fields, "authors": ()})) is is_one


def test_a_title_without_its_subtitle_needs_an_author_or_the_year() -> None:
    """Many papers begin with the name of a field or of a system."""
    whole = record("a", f"{PLAIN}: the case of small samples")
    found = [are_one(whole, record("b", PLAIN, **fields)) for fields in ({"year": None}, {"authors": ()})]
    assert (found, are_one(whole, record("b", PLAIN, authors=(), year=None))) == ([True, True], False)


def test_the_records_that_agree_best_are_one_beside_a_contradiction() -> None:
    """A weak third record that contradicts one of two strong ones takes nothing from them."""
    strong = [record("a", PLAIN), record("b", PLAIN.upper())]
    weak = record("c", f"{PLAIN} of 3 dimensions", authors=("Sam Cox",), year=None)
    between = record("d", f"{PLAIN}. Journal of Tensors", authors=("Sam Cox",), year=None)
    found = deduplicate([*strong, weak, between])
    assert any({"a", "b"} <= set(group.members) for group in found.groups)
    assert not any({"a", "c"} <= set(group.members) for group in found.groups)


@pytest.mark.parametrize("title", ["Some long title number {} of things", "Long report {} of 2019"])
def test_copies_within_a_series_are_found_without_comparing_it_pair_by_pair(title: str) -> None:
    """400 records by one author have 79,800 pairs; a crowd changes no merge."""
    facts = [read_facts(record(str(number), title.format(number)).paper) for number in range(400)]
    assert len(set(candidate_pairs(facts))) < 400 * 10
    pair = record("one", title.format(5000)), record("other", f"{title.format(5000)}.".replace("long", "long,"))
    crowd = [record(f"crowd {number}", title.format(number)) for number in range(60)]
    assert groups(*pair) == {frozenset(("one", "other"))}
    assert frozenset(("one", "other")) in groups(*crowd, *pair)
    assert len(groups(*crowd, *pair)) == 61


@pytest.mark.parametrize(("field", "papers"), [("authors", 26), ("year", 70), ("ids", 301)])
def test_thousands_of_records_of_one_title_are_not_compared_pair_by_pair(field: str, papers: int) -> None:
    """Whether authors, years or identifiers tell them apart; in every order of the records."""
    records = []
    for number in range(600):
        ids = {"doi": f"10.1234/{number}"} if field == "ids" and number % 2 else {}
        year = 1950 + number % 70 if field == "year" else 2000
        authors = (f"Ada {chr(97 + number % 26) * 5}",) if field == "authors" else AUTHORS
        records.append(record(str(number), PLAIN, ids, abstract=str(number), year=year, authors=authors))
    facts = [read_facts(each.paper) for each in records]
    assert len(set(candidate_pairs(facts))) < 600 * 60
    assert groups(*records) == groups(*records[::-1])
    assert len(groups(*records)) == papers


def test_a_record_without_a_year_may_be_a_careless_citation() -> None:
    """One other word of a long title, or names that were misread, part it from no record that is complete."""
    title = "Optimization of dynamic query evaluation plans in parallel systems"
    other = title.replace("evaluation", "execution")
    assert [are_one(record("a", title), record("b", other, year=year)) for year in (2020, None)] == [False, True]
    assert are_one(record("a", title), record("b", title, year=None, authors=("Query Plans",)))
    assert not are_one(record("a", title, year=None), record("b", other, year=None))
    copies = [record(key, other, year=None, venue=key) for key in "bc"]
    assert groups(record("a", title), *copies) == {frozenset("a"), frozenset("bc")}  # both say the same: it is no slip
    assert not are_one(record("a", title), record("b", other, year=None, authors=("Sam Cox", "Ada Roe", "Jan Doe")))
    turned = "Execution plans in parallel systems: dynamic query optimization"
    assert not are_one(record("a", title), record("b", turned, year=None))
    for one, another in (
        (f"{title} of $\\alpha$ type", f"{title} of $\\beta$ type"),
        (title, other.replace("plans in parallel", "trees of serial")),
        ("Fast query plans", "Fast query trees"),
    ):
        assert not are_one(record("a", one), record("b", another, year=None))


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("Andrés Löw", "A. Low", True), ("Andrés Löw", "Löw, Andrés", True), ("Andrés Löw", "Low A", True),
        ("Wei Wang", "Wang Wei", True), ("Andrés Löw", "A. L&ouml;w", True), ("Andrés Löw", "李明", True),
        ("王, 伟", "李, 明", False), ("Andrés Löw; et al.", "Dy Four; et al.", False), ("Jan van Löw", "J. Low", True),
    ],
)  # fmt: skip
def test_an_author_is_one_in_several_spellings(one: str, other: str, *, is_one: bool) -> None:
    """Initials, order, accents, particles and lists cut short; names in another script contradict nothing."""
    left, right = (record(names, PLAIN, authors=tuple(names.split("; "))) for names in (one, other))
    assert are_one(left, right) is is_one
