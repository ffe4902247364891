"""The order of the papers that a query of a library finds, and their excerpts."""

import pytest
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryPaper

LONG = "A sentence that comes before all of it and is rather long, so that it has to be cut somewhere early on. "

XX, YY, ACUTE = "xx ", "yy ", "e\u0301"


def excerpt(query: str, **fields: str) -> str:
    """Return the excerpt of the only paper that a query finds."""
    paper = LibraryPaper.model_validate({"id": "1", "title": "A title", **fields})
    return LibraryIndex.of_papers([paper]).search(query).results[0].excerpt


@pytest.mark.parametrize(
    ("query", "abstract", "expected"),
    [
        ("connect", "They were connected.", "They were **connected**."),
        ("foret", "Une forêt, des Forêts", "Une **forêt**, des **Forêts**"),
        ("foret", "Une fore\u0302t", "Une **fore\u0302t**"),
        ("c++ sorting", "Sorts in C++, sorting", "**Sorts** in **C++**, **sorting**"),
        ("機械学習", "これは機械学習の論文です", "これは**機械学習**の論文です"),
        ("optimi*", "to optimise", "to **optimise**"),
        ("a\nb zebra", "line\none   zebra", "line one **zebra**"),
        ("zebra", f"{XX * 30}zebra {YY * 14}zebra zz", f"…{XX * 16}**zebra** {YY * 14}**zebra**…"),
        ("zebra", f"{ACUTE * 60}-zebra-{ACUTE * 60}", f"…{ACUTE * 24}-**zebra**-{ACUTE * 25}…"),
        ("connectio*", "They were connected, in connections", "They were **connected**, in **connections**"),
        ("学習", "機械学習と学", "機械**学習**と学"),
        ("訳", "機械翻訳と", "機械翻**訳と**"),
    ],
)
def test_the_matched_words_are_marked(query: str, abstract: str, expected: str) -> None:
    """By stem, by accent, in scripts without spaces; line breaks become spaces."""
    assert excerpt(query, abstract=abstract) == expected


def test_the_abstract_comes_first_then_the_summary_then_the_title() -> None:
    """The title is known anyway."""
    assert excerpt("title zebra", abstract="a zebra", summary="zebra here") == "a **zebra**"
    assert excerpt("zebra", abstract="nothing", summary="zebra here") == "**zebra** here"
    assert excerpt("title", abstract="nothing") == "A **title**"


def test_a_paper_that_only_a_filter_found_shows_its_beginning() -> None:
    """There is no match to show."""
    paper = LibraryPaper(id="1", title="A title", authors=("Ada Lee",), abstract=LONG)
    (hit,) = LibraryIndex.of_papers([paper]).search("author:lee").results
    assert hit.excerpt.startswith("A sentence that comes")
    assert 50 < len(hit.excerpt) <= 101
    assert (hit.score, hit.relevance) == (0, 0)
    papers = [paper.model_copy(update={"id": str(year), "year": year}) for year in (1999, 2021, 2010)]
    for query in ("author:lee", "sentence"):
        hits = LibraryIndex.of_papers(papers).search(query).results
        assert [hit.paper.year for hit in hits] == [2021, 2010, 1999], "the latest of equal ones first"
