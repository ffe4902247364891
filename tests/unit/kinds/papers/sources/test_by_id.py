"""The id of a paper is looked up where that is free, and never searched for as words."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, RateLimited
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Paper, PaperIds, PaperQuery
from goldpan.kinds.papers.ports import SearchResult, SourcePlan
from goldpan.kinds.papers.sources.by_id import SourceById

from tests.support.fakes import FakeClock

ID, OTHER = PaperQuery(concepts=(("arXiv:1706.03762",),)), PaperQuery(concepts=(("audio",), ("10.5/x", "noise")))
LIKED = Paper(source="test", title="Machine translation with transformers", ids=PaperIds(arxiv="1706.03762"))
LIMITED = RateLimited("over the limit", datetime(2026, 1, 1, tzinfo=UTC))


class Library:
    """A source that knows one paper by its DOI, and finds one for each query."""

    def __init__(self, *, looks_up: bool = True, failure: CallFailed | None = None) -> None:
        self.plan, self.failure = SourcePlan(2, looks_up=looks_up), failure
        self.searched: list[str] = []

    def search(self, queries: Sequence[PaperQuery], _constraints: Constraints, _deadline: Deadline) -> SearchResult:
        """Find one paper for each query."""
        self.searched = [" & ".join(concept[0] for concept in query.concepts) for query in queries]
        return SearchResult(
            tuple((Paper(source="test", title=text),) for text in self.searched), 9, tuple(self.searched)
        )

    def look_up(self, dois: Sequence[str], _deadline: Deadline) -> SearchResult:
        """Return the one that is known."""
        if self.failure:
            raise self.failure
        return SearchResult((tuple(LIKED for doi in dois if doi == "10.48550/arxiv.1706.03762"),), 1)


def searched(library: Library, *queries: PaperQuery) -> SearchResult:
    """Search a library."""
    return SourceById(library.plan, lambda: library).search(queries, Constraints(), Deadline.after(5, FakeClock()))


def test_a_paper_is_looked_up_by_its_id() -> None:
    """An id among the wordings of a query is left to the source."""
    library = Library()
    found = searched(library, ID)
    assert (found.lists, found.queries, library.searched) == (((LIKED,),), ("doi:10.48550/arxiv.1706.03762",), [])
    assert searched(library, ID, OTHER).queries == ("audio & 10.5/x",)


def test_an_id_alone_is_never_searched_for_as_words() -> None:
    """A source that looks nothing up says so, and one that fails has failed."""
    library = Library(looks_up=False)
    assert searched(library, ID) == SearchResult(((),), 0, notes=("an id alone is not searched for here",))
    assert library.searched == []
    with pytest.raises(RateLimited):
        searched(Library(failure=LIMITED), ID)
