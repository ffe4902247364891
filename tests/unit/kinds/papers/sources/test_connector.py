"""Sources are made from the environment, and called once an hour behind a cache, which serves stale entries too."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import CallFailed, Misconfigured, RateLimited
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Paper, PaperIds, PaperQuery
from goldpan.kinds.papers.ports import SearchResult, SourcePlan
from goldpan.kinds.papers.sources.connector import CONNECTOR, ENTRIES, CachedSource, identity
from goldpan.kinds.papers.sources.entry import ARXIV_DOI
from goldpan.kinds.papers.sources.settings import PaperSettings

from tests.support.factories import NOW, StillClock
from tests.support.memory_stores import MemoryCache, MemoryRateLimiter

KEYS = {"OPENALEX_API_KEY": "a", "SEMANTIC_SCHOLAR_API_KEY": "b", "SERPAPI_API_KEY": "c"}


@pytest.mark.parametrize("environment", [{}, KEYS])
@pytest.mark.parametrize("name", ENTRIES)
def test_a_planned_source_is_as_the_real_one(name: str, environment: dict[str, str]) -> None:
    """Both allow the same queries, need the same key, and look papers up or not."""
    clock = StillClock()
    connections = Connections(HttpClient, MemoryRateLimiter(clock), None, clock)
    real = CONNECTOR.connect([name, "library"], PaperSettings.from_environment(environment), connections)[name]
    assert CONNECTOR.plan(environment)[name].plan == real.plan


def test_a_key_in_a_parameter_is_a_key() -> None:
    """On AWS the function that plans has the name of the parameter alone."""
    planned = CONNECTOR.plan({"OPENALEX_API_KEY_PARAMETER": "/goldpan/openalex", "SERPAPI_API_KEY": " "})
    missing = {name: source.plan.missing_key for name, source in planned.items()}
    assert (missing["openalex"], missing["serpapi"], missing["crossref"]) == (None, "SERPAPI_API_KEY", None)


def test_a_cache_is_used_where_there_is_one() -> None:
    """Each address and each key has entries of its own, which do not reveal the key."""
    clock = StillClock()
    connections = Connections(HttpClient, MemoryRateLimiter(clock), MemoryCache(clock), clock)
    made = CONNECTOR.connect(["crossref"], PaperSettings(), connections)
    assert isinstance(made["crossref"], CachedSource)
    others = {"OPENALEX_API_KEY": "secret"}, {"OPENALEX_URL": "https://proxy.example.org"}
    names = [identity("openalex", PaperSettings.from_environment(each)) for each in ({}, *others)]
    assert len(set(names)) == 3
    assert "secret" not in "".join(names)


@pytest.mark.parametrize("name", ENTRIES)
def test_an_address_without_a_path_gets_the_usual_one(name: str) -> None:
    """As the host of a mirror alone is written; any other path stays."""
    usual, field = getattr(PaperSettings(), f"{name}_url"), f"{name}_url"
    host = usual[: usual.index("/", len("https://"))] if usual.count("/") > 2 else usual
    given = [host, f"{host}/", "https://mirror.example.org/own"]
    read = [getattr(PaperSettings.from_environment({field.upper(): each}), field) for each in given]
    assert [each.rstrip("/") for each in read] == [usual, usual, given[2]]


@pytest.mark.parametrize("mailto", ["no address", "a@b\r\nx: y", "<a@b", "a@b>", "ä@example.org"])
def test_an_address_that_cannot_be_sent_is_refused_by_name(mailto: str) -> None:
    """It is part of a header."""
    with pytest.raises(Misconfigured, match="CROSSREF_MAILTO"):
        PaperSettings.from_environment({"CROSSREF_MAILTO": mailto})


HOUR = 3600
QUERY = PaperQuery(concepts=(("cats",),))
LIMITED = RateLimited("the rate limit of openalex is reached", NOW + timedelta(minutes=5))


class Upstream:
    """A source whose results have the number of the call as their citations; it knows DOIs that end in a digit."""

    plan = SourcePlan(3, "A_KEY", looks_up=True)

    def __init__(self) -> None:
        self.failure: CallFailed | None = None
        self.partial: dict[str, Any] = {}
        self.calls = 0
        self.looked_up: list[list[str]] = []

    def search(self, queries: Sequence[PaperQuery], _constraints: Constraints, _deadline: Deadline) -> SearchResult:
        """Return one paper a query."""
        self._call()
        return SearchResult(tuple((self._paper("10.1000/0"),) for _ in queries), 40, **self.partial)

    def look_up(self, dois: Sequence[str], _deadline: Deadline) -> SearchResult:
        """Return the papers of those DOIs that it knows."""
        self._call()
        self.looked_up.append(list(dois))
        known = tuple(self._paper(doi) for doi in dois if doi[-1].isdigit())
        return SearchResult((known,), len(known), **self.partial)

    def _call(self) -> None:
        if self.failure:
            raise self.failure
        self.calls += 1

    def _paper(self, doi: str) -> Paper:
        ids = PaperIds(arxiv=doi.removeprefix(ARXIV_DOI)) if doi.startswith(ARXIV_DOI) else PaperIds(doi=doi)
        return Paper(source="test", title="Cats", ids=ids, citations=self.calls)


class Fixture:
    """A cached source, the source behind it, and their clock."""

    def __init__(self) -> None:
        self.clock, self.upstream = StillClock(), Upstream()
        self._cache = MemoryCache(self.clock)

    def search(self, *queries: PaperQuery, identity: str = "mine", **constraints: int) -> SearchResult:
        """Run a search."""
        source = CachedSource(self.upstream, self._cache, self.clock, identity)
        limits = Constraints.model_validate(constraints)
        return source.search(queries or (QUERY,), limits, Deadline.after(5, self.clock))

    def look_up(self, *dois: str) -> dict[str | None, int | None]:
        """Look papers up; return the number of the call that gave each."""
        source = CachedSource(self.upstream, self._cache, self.clock, "mine")
        found = source.look_up(dois, Deadline.after(5, self.clock))
        (papers,) = found.lists
        assert found.available == len(papers)
        return {paper.ids.doi: paper.citations for paper in papers}


@pytest.fixture
def cached() -> Fixture:
    """Make a cached source."""
    return Fixture()


def test_a_search_runs_once_an_hour(cached: Fixture) -> None:
    """Other queries, other constraints and another credential are other entries."""
    first = cached.search()
    cached.clock.wait(HOUR - 1)
    second = cached.search()
    assert (second.lists, second.age_s, cached.upstream.calls) == (first.lists, HOUR - 1, 1)
    cached.search(QUERY, QUERY)
    cached.search(year_from=2020)
    cached.search(identity="theirs")
    assert cached.upstream.calls == 4


def test_a_stale_result_serves_where_the_source_fails(cached: Fixture) -> None:
    """It says how old it is, and why."""
    cached.upstream.partial = {"notes": ("was asked without x",)}
    cached.search()
    cached.clock.wait(2 * HOUR)
    cached.upstream.failure = LIMITED
    stale = cached.search()
    assert stale.age_s == 2 * HOUR
    note = "served from the cache because the source failed: the rate limit of openalex is reached"
    assert stale.notes == (note, "was asked without x")
    with pytest.raises(RateLimited):
        cached.search(QUERY, QUERY)


def test_a_doi_is_looked_up_once_an_hour(cached: Fixture) -> None:
    """Also one that the source does not know; the papers keep the order that was asked for."""
    assert cached.look_up("10.1000/1", "10.1000/unknown") == {"10.1000/1": 1}
    again = cached.look_up("10.1000/2", "10.1000/unknown", "10.1000/1")
    assert [*again.items()] == [("10.1000/2", 2), ("10.1000/1", 1)]
    assert cached.upstream.looked_up == [["10.1000/1", "10.1000/unknown"], ["10.1000/2"]]


def test_a_paper_of_arxiv_is_cached_by_the_doi_that_arxiv_gave_it(cached: Fixture) -> None:
    """Its record has the id alone."""
    assert [cached.look_up(f"{ARXIV_DOI}2104.12255") for _ in range(2)] == [{None: 1}] * 2


@pytest.mark.parametrize(
    ("partial", "is_cached"),
    [({"incomplete": True}, False), ({"failures": ("a query failed",)}, False), ({"unread": 1}, True)],
)
def test_what_failed_in_part_runs_again_at_once(cached: Fixture, partial: dict[str, Any], *, is_cached: bool) -> None:
    """A search, unless single records were unreadable, and the look-up of a DOI that has no answer."""
    cached.upstream.partial = partial
    for _ in range(2):
        cached.look_up("10.1000/1", "10.1000/x")
        age = cached.search().age_s
    assert cached.upstream.looked_up[1] == ["10.1000/x"]
    assert (age is not None) == is_cached


def test_stale_records_serve_where_a_look_up_fails(cached: Fixture) -> None:
    """Without any, the failure is raised."""
    cached.look_up("10.1000/1")
    cached.clock.wait(2 * HOUR)
    cached.upstream.failure = LIMITED
    assert cached.look_up("10.1000/1", "10.1000/2") == {"10.1000/1": 1}
    with pytest.raises(RateLimited):
        cached.look_up("10.1000/2")
