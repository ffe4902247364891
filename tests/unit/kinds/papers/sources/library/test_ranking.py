"""The order of the papers that a query of a library finds."""

from __future__ import annotations

from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryPaper


def test_a_short_query_wants_all_of_its_words() -> None:
    """Two words once each are more than one of them again and again, however rare it is."""
    filler = [LibraryPaper(id=f"other{number}", title=f"Neural model {number}") for number in range(30)]
    both = LibraryPaper(id="both", title="On models", abstract="Here a neural one, there a note on pruning of it.")
    one = LibraryPaper(id="one", title="Pruning", abstract="Pruning, pruning and pruning.", summary="Pruning")
    found = LibraryIndex.of_papers([both, one, *filler]).search("neural pruning").results
    assert found[0].paper.id == "both"


def test_a_match_in_the_title_counts_three_in_the_abstract_two_in_the_summary_one() -> None:
    """The weights order the results."""
    fields = ("summary", "title", "abstract")
    others = [LibraryPaper(id=f"o{n}", title="other thing", abstract="other thing", summary="other") for n in range(9)]
    papers = [LibraryPaper.model_validate({"title": "thing", name: "zebra thing", "id": name}) for name in fields]
    hits = LibraryIndex.of_papers([*papers, *others]).search("zebra").results
    assert [hit.paper.id for hit in hits] == ["title", "abstract", "summary"]
    assert len({hit.score for hit in hits}) == 3
