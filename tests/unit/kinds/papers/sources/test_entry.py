"""The id of a paper is looked up where that is free, and never searched for as words."""

from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CredentialRejected, RateLimited, Unavailable
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import SearchResult, SourcePlan
from goldpan.kinds.papers.sources.entry import SourceById

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
    for written in (ID, PaperQuery(concepts=(("10.48550/ARXIV.1706.03762",),))):
        found = searched(source, written)
        assert (found.lists, found.queries, source.searched) == (((LIKED,),), ("doi:10.48550/arxiv.1706.03762",), [])
    for words in ("arXiv: a survey", "10.1000", "10 km/h"):
        assert searched(source, query := PaperQuery(concepts=((words,),))).lists == ((FOUND,),)
        assert source.searched.pop() == query
    assert searched(source, ID, OTHER).lists == ((FOUND,),)
    assert source.searched == [OTHER]


def test_an_id_alone_is_never_searched_for_as_words() -> None:
    """A source that looks nothing up says so, and one that fails has failed."""
    source = ListedPapers([FOUND])
    assert searched(source, ID) == SearchResult(((),), 0, notes=("an id alone is not searched for here",))
    assert source.searched == []
    with pytest.raises(RateLimited):
        searched(ListedPapers(known=RateLimited("over the limit", NOW)), ID)


def test_a_fault_of_a_distribution_is_a_failure_of_its_source_alone() -> None:
    """It names the distribution; what a source reports by design stays as it is, as does a fault of goldpan's own."""
    made: list[str] = []

    def make() -> ListedPapers:
        made.append("source")
        return ListedPapers(failure=failures.pop())

    for distribution, failure, expected in (
        ("extra 1.0", KeyError("x"), "extra 1.0 failed unexpectedly: 'x'"),
        ("extra 1.0", CredentialRejected("KEY: rejected"), "KEY: rejected"),
        ("", KeyError("x"), "'x'"),
    ):
        failures: list[Any] = [failure]
        source = SourceById(SourcePlan(), make, distribution)
        for _ in range(2):
            with pytest.raises(Unavailable if "unexpectedly" in expected else type(failure)) as raised:
                source.search([OTHER], Constraints(), Deadline.after(5, FakeClock()))
            assert str(raised.value) == expected
    assert len(made) == 3
