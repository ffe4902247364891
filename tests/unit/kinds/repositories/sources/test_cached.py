"""A cached source calls the source behind it once an hour, and serves stale entries where that fails."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, RateLimited
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import ALL_WORDS, Enriched, Found
from goldpan.kinds.repositories.sources.cached import CachedSource

from tests.support.factories import NOW, ListedSource, StillClock, repository
from tests.support.memory_stores import MemoryCache

HOUR = 3600
SEARCHES = (RepositorySearch(words=("react", "animation")), RepositorySearch(words=("react",)))
LIMITED = RateLimited("the rate limit of github is reached", NOW + timedelta(minutes=5))


class Upstream:
    """A source whose results differ at every call; it fails, or loses repositories, as a test sets it."""

    searches_a_question = 7
    matches = ALL_WORDS
    notice = "from upstream"

    def __init__(self) -> None:
        self.failure: CallFailed | None = None
        self.partial: dict[str, Any] = {}
        self.lost: set[str] = set()
        self.searches = 0
        self.enriched: list[list[str]] = []

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Return one repository a search, with the number of the call as its stars."""
        del deadline
        if self.failure:
            raise self.failure
        self.searches += 1
        lists = tuple((repository(f"o/r{place}", stars=self.searches),) for place in range(len(searches)))
        return Found(lists, 40, ("the query",), ("a note",), **self.partial)

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Return each repository, with the number of the call as its stars."""
        return self.search((SEARCHES[0],) * len(names), deadline)

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Add a README with the number of the call, but not to the lost ones."""
        del deadline
        self.enriched.append([each.full_name for each in repositories])
        found = {"readme": f"call {len(self.enriched)}"}
        result = (each if each.full_name in self.lost else each.model_copy(update=found) for each in repositories)
        return Enriched(tuple(result), tuple(f"{name} was lost" for name in sorted(self.lost)))


class Fixture:
    """A cached source, the source behind it, and their clock."""

    def __init__(self) -> None:
        self.clock, self.upstream = StillClock(), Upstream()
        self.cache = MemoryCache(self.clock)

    def source(self, identity: str = "github:mine") -> CachedSource:
        """Make a cached source with a credential."""
        return CachedSource(self.upstream, self.cache, self.clock, identity)

    def search(self, *searches: RepositorySearch, identity: str = "github:mine") -> Found:
        """Run searches."""
        return self.source(identity).search(searches or SEARCHES, Deadline.after(5, self.clock))

    def readmes(self, *names: str) -> tuple[list[str | None], tuple[str, ...]]:
        """Enrich repositories; return their READMEs and what failed."""
        result = self.source().enrich([repository(name) for name in names], Deadline.after(5, self.clock))
        return [each.readme for each in result.repositories], result.failures


@pytest.fixture
def cached() -> Fixture:
    """Make a cached source."""
    return Fixture()


def test_a_search_runs_once_an_hour(cached: Fixture) -> None:
    """Within the hour the cached result serves with its age, and reading it does not prolong the hour."""
    first = cached.search()
    cached.clock.wait(HOUR - 1)
    second = cached.search()
    assert (first.age_s, second.age_s, cached.upstream.searches) == (None, HOUR - 1, 1)
    assert (second.lists, second.available) == (first.lists, 40)
    assert (second.queries, second.notes) == (("the query",), ("a note",))
    cached.clock.wait(1)
    assert (cached.search().age_s, cached.upstream.searches) == (None, 2)
    assert (cached.source().searches_a_question, cached.source().notice) == (7, "from upstream")


def test_each_search_and_each_credential_has_its_own_entry(cached: Fixture) -> None:
    """Another order, another qualifier and another credential miss the cache."""
    cached.search()
    cached.search(*SEARCHES[::-1])
    cached.search(SEARCHES[0].model_copy(update={"language": "Rust"}), SEARCHES[1])
    cached.search(identity="github:theirs")
    assert cached.upstream.searches == 4


@pytest.mark.parametrize("partial", [{"incomplete": True}, {"failures": ("a search failed",)}])
def test_a_partial_result_is_not_cached(cached: Fixture, partial: dict[str, Any]) -> None:
    """A search that the source cut short, or of which a part failed, runs again at once."""
    cached.upstream.partial = partial
    cached.search()
    cached.search()
    assert cached.upstream.searches == 2


def test_a_repository_is_enriched_once(cached: Fixture) -> None:
    """By name in any letter case, whichever search found it; one without further facts is fetched again."""
    cached.readmes("o/a", "o/b")
    assert cached.readmes("o/b", "o/c", "O/A") == (["call 1", "call 2", "call 1"], ())
    cached.readmes("o/a", "o/b", "o/c")
    assert cached.upstream.enriched == [["o/a", "o/b"], ["o/c"]]
    cached.upstream.lost = {"o/e"}
    assert cached.readmes("o/d", "o/e") == (["call 3", None], ("o/e was lost",))
    cached.upstream.lost = set()
    assert cached.readmes("o/d", "o/e") == (["call 3", "call 4"], ())


def test_stale_repositories_serve_where_the_source_fails(cached: Fixture) -> None:
    """What is stale serves and what was never fetched stays unchanged; the failure is reported."""
    cached.readmes("o/a")
    cached.clock.wait(2 * HOUR)
    cached.upstream.lost = {"o/a", "o/b"}
    assert cached.readmes("o/a", "o/b") == (["call 1", None], ("o/a was lost", "o/b was lost"))


def test_what_a_source_returns_unchanged_is_not_cached(cached: Fixture) -> None:
    """The source may not know it: a comparison looks up what a search had of a catalogue alone."""
    source = CachedSource(ListedSource([]), cached.cache, cached.clock, "github:anonymous")
    deadline = Deadline.after(5, cached.clock)
    assert source.enrich([repository("o/old")], deadline).repositories == (repository("o/old"),)
    assert source.look_up(["o/old"], deadline).lists == ((),)


def test_repositories_that_are_looked_up_are_cached_as_searches_are(cached: Fixture) -> None:
    """By their names in any case; stale ones serve where GitHub is over its limit."""

    def look_up(*names: str) -> Found:
        return cached.source().look_up(names, Deadline.after(5, cached.clock))

    first = look_up("o/r0")
    assert (look_up("O/R0").lists, look_up("o/r0", "o/r1").lists != first.lists) == (first.lists, True)
    assert cached.upstream.searches == 2
    cached.clock.wait(HOUR)
    cached.upstream.failure = LIMITED
    why, *others = look_up("o/r0").notes
    assert (why.startswith("served from the cache because"), others) == (True, ["a note"])
