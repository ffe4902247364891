"""The id of a paper is looked up where that is free, and never searched for as words."""

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import RateLimited
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import SearchResult
from goldpan.kinds.papers.sources.by_id import SourceById

from tests.support.factories import NOW
from tests.support.fakes import FakeClock
from tests.support.paper_fakes import ListedPapers, paper

ID, OTHER = PaperQuery(concepts=(("arXiv:1706.03762",),)), PaperQuery(concepts=(("audio",), ("10.5/x", "noise")))
LIKED, FOUND = paper("Transformers", doi="10.48550/arxiv.1706.03762"), paper("Audio noise")


def searched(source: ListedPapers, *queries: PaperQuery) -> SearchResult:
    """Search a source."""
    return SourceById(source.plan, lambda: source).search(queries, Constraints(), Deadline.after(5, FakeClock()))


def test_a_paper_is_looked_up_by_its_id() -> None:
    """An id among the wordings of a query, or beside another query, is left to the source."""
    source = ListedPapers([FOUND], known=[LIKED])
    found = searched(source, ID)
    assert (found.lists, found.queries, source.searched) == (((LIKED,),), ("doi:10.48550/arxiv.1706.03762",), [])
    assert searched(source, ID, OTHER).lists == ((FOUND,),)
    assert source.searched == [OTHER]


def test_an_id_alone_is_never_searched_for_as_words() -> None:
    """A source that looks nothing up says so, and one that fails has failed."""
    source = ListedPapers([FOUND])
    assert searched(source, ID) == SearchResult(((),), 0, notes=("an id alone is not searched for here",))
    assert source.searched == []
    with pytest.raises(RateLimited):
        searched(ListedPapers(known=RateLimited("over the limit", NOW)), ID)
