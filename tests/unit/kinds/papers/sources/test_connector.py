"""Sources are made from the environment, called once an hour behind a cache, and asked for ids by look-ups alone."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import CredentialRejected, Misconfigured, RateLimited, Unavailable
from goldpan.infra.cache import CachedValues
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import SearchResult, SourcePlan
from goldpan.kinds.papers.sources.connector import CONNECTOR, ENTRIES, identity
from goldpan.kinds.papers.sources.entry import SourceById, SourceEntry
from goldpan.kinds.papers.sources.settings import PaperSettings

from tests.support.factories import NOW, StillClock
from tests.support.memory_stores import MemoryCache, MemoryRateLimiter
from tests.support.paper_fakes import ABOUT_CATS, ListedPapers, paper, some_seconds

KEYS = {"OPENALEX_API_KEY": "a", "SEMANTIC_SCHOLAR_API_KEY": "b", "SERPAPI_API_KEY": "c"}


@pytest.mark.parametrize("environment", [{}, KEYS, dict.fromkeys(KEYS, " ")])
@pytest.mark.parametrize("name", ENTRIES)
def test_a_planned_source_is_as_the_real_one(name: str, environment: dict[str, str]) -> None:
    """Both allow the same queries, need the same key, and look papers up or not."""
    clock = StillClock()
    connections = Connections(HttpClient, MemoryRateLimiter(clock), None, clock)
    real = CONNECTOR.connect([name, "library"], PaperSettings.from_environment(environment), connections)[name]
    assert CONNECTOR.plan(environment)[name].plan == real.plan


def test_a_cache_is_used_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each address and each key has entries of its own, which do not reveal the key."""
    source, clock = ListedPapers([paper()]), StillClock()
    monkeypatch.setitem(ENTRIES, "crossref", SourceEntry(load=lambda: lambda *_: source))
    connections = Connections(HttpClient, MemoryRateLimiter(clock), MemoryCache(clock), clock)
    made = CONNECTOR.connect(["crossref"], PaperSettings(), connections)["crossref"]
    for _ in range(2):
        made.search([ABOUT_CATS], Constraints(), Deadline.after(5, clock))
    assert source.searched == [ABOUT_CATS]
    others = {"OPENALEX_API_KEY": "secret"}, {"OPENALEX_URL": "https://proxy.example.org"}
    names = [identity("openalex", PaperSettings.from_environment(each)) for each in ({}, *others)]
    assert len(set(names)) == 3
    assert "secret" not in "".join(names)


@pytest.mark.parametrize("mailto", ["no address", "a@b\r\nx: y", "<a@b", "a@b>", "ä@example.org"])
def test_an_address_that_cannot_be_sent_is_refused_by_name(mailto: str) -> None:
    """It is part of a header."""
    with pytest.raises(Misconfigured, match="CROSSREF_MAILTO"):
        PaperSettings.from_environment({"CROSSREF_MAILTO": mailto})


HOUR = 3600
LIMITED = RateLimited("the rate limit of openalex is reached", NOW + timedelta(minutes=5))


class Cached(ListedPapers):
    """A source that knows some papers and may answer in part, and what is behind a cache before it."""

    def __init__(self) -> None:
        super().__init__([paper()], known=[paper(doi=f"10.1000/{number}") for number in range(3)])
        self.partial: dict[str, Any] = {}
        self.clock = StillClock()
        self._cache = MemoryCache(self.clock)

    def search(self, *asked: Any) -> SearchResult:
        """Give the list in part."""
        return replace(super().search(*asked), **self.partial)

    def look_up(self, *asked: Any) -> SearchResult:
        """Give what is known in part, or fail."""
        if self.failure:
            raise self.failure
        return replace(super().look_up(*asked), **self.partial)

    def behind(self, identity: str = "mine") -> SourceById:
        """Put the cache before it."""
        values = CachedValues(self._cache, "source", SearchResult, self.clock)
        return SourceById(self.plan, lambda: self, "", values, identity)

    def find(self, *queries: PaperQuery, identity: str = "mine", **constraints: int) -> SearchResult:
        """Run a search."""
        limits = Constraints.model_validate(constraints)
        return self.behind(identity).search(queries or (ABOUT_CATS,), limits, Deadline.after(5, self.clock))

    def find_by(self, *dois: str) -> list[str | None]:
        """Look papers up; return the DOIs of those that are known."""
        found = self.behind().look_up(dois, Deadline.after(5, self.clock))
        assert found.available == len(found.lists[0])
        return [paper.ids.doi for paper in found.lists[0]]


@pytest.fixture
def cached() -> Cached:
    """Make a cached source."""
    return Cached()


def test_a_search_runs_once_an_hour(cached: Cached) -> None:
    """Other queries, other constraints and another credential are other entries."""
    first = cached.find()
    cached.clock.wait(HOUR - 1)
    second = cached.find()
    assert (second.lists, second.age_s, len(cached.searched)) == (first.lists, HOUR - 1, 1)
    cached.find(ABOUT_CATS, ABOUT_CATS)
    cached.find(year_from=2020)
    cached.find(identity="theirs")
    assert len(cached.searched) == 5


def test_a_stale_result_serves_where_the_source_fails(cached: Cached) -> None:
    """It says how old it is, and why."""
    cached.partial = {"notes": ("was asked without x",)}
    cached.find()
    cached.clock.wait(2 * HOUR)
    cached.failure = LIMITED
    stale = cached.find()
    assert stale.age_s == 2 * HOUR
    note = "served from the cache because the source failed: the rate limit of openalex is reached"
    assert stale.notes == (note, "was asked without x")
    with pytest.raises(RateLimited):
        cached.find(ABOUT_CATS, ABOUT_CATS)


def test_papers_are_looked_up_once_an_hour(cached: Cached) -> None:
    """Also those that the source does not know; stale ones serve where that fails, else it is raised."""
    asked = "10.1000/1", "10.1000/x"
    assert [cached.find_by(*asked) for _ in range(2)] == [["10.1000/1"]] * 2
    assert cached.looked_up == [*asked]
    cached.clock.wait(2 * HOUR)
    cached.failure = LIMITED
    assert cached.find_by(*asked) == ["10.1000/1"]
    with pytest.raises(RateLimited):
        cached.find_by("10.1000/0")


@pytest.mark.parametrize(("partial", "is_cached"), [({"failures": ("a query failed",)}, False), ({"unread": 1}, True)])
def test_what_failed_in_part_runs_again_at_once(cached: Cached, partial: dict[str, Any], *, is_cached: bool) -> None:
    """A search and a look-up, unless single records were unreadable."""
    cached.partial = partial
    for _ in range(2):
        cached.find_by("10.1000/1", "10.1000/x")
        age = cached.find().age_s
    assert (len(cached.looked_up) == 2) == is_cached
    assert (age is not None) == is_cached


ID, OTHER = PaperQuery(concepts=(("arXiv:1706.03762",),)), PaperQuery(concepts=(("audio",), ("10.5/x", "noise")))
LIKED, FOUND = paper("Transformers", doi="10.48550/arxiv.1706.03762"), paper("Audio noise")


def searched(source: ListedPapers, *queries: PaperQuery) -> SearchResult:
    """Search a source."""
    return SourceById(source.plan, lambda: source).search(queries, Constraints(), some_seconds())


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
    rejected, fault = CredentialRejected("KEY: rejected"), KeyError("x")
    named = Unavailable("extra 1.0 failed unexpectedly: 'x'")
    cases: list[tuple[str, Any, Exception]] = [("extra 1.0", fault, named), ("extra 1.0", rejected, rejected)]
    for distribution, failure, expected in (*cases, ("", fault, fault)):
        source = SourceById(SourcePlan(), partial(next, iter([ListedPapers(failure=failure)])), distribution)
        for _ in range(2):  # it is made once
            with pytest.raises(type(expected)) as raised:
                source.search([OTHER], Constraints(), some_seconds())
            assert str(raised.value) == str(expected)
