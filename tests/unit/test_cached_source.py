"""A source behind the cache: asked once an hour, and where it fails what is older serves, marked with its age."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, RateLimited, TimedOut, Unavailable
from goldpan.infra.cache.port import STALE_TTL, TTL, ProcessCache
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Dependencies, Enriched, Found
from goldpan.kinds.repositories.scout import scout
from goldpan.kinds.repositories.sources.cached import CachedSource

from tests.support.factories import NOW, StillClock, repository, scout_task

HOUR, MINUTE = 3600, 60
SEARCHES = (RepositorySearch(words=("react", "animation")), RepositorySearch(words=("react",)))
LIMITED = RateLimited("the rate limit of github is reached", NOW + timedelta(minutes=5))


class Upstream:
    """A source that counts what it is asked, tells more at every call, and fails where it was told to."""

    searches_a_question = 7
    notice = "from upstream"

    def __init__(self) -> None:
        self.failure: CallFailed | None = None
        self.losing: set[str] = set()
        self.incomplete = False
        self.partial: tuple[str, ...] = ()
        self.searched: list[Sequence[RepositorySearch]] = []
        self.enriched: list[list[str]] = []

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Give one repository a search, whose stars count the calls."""
        del deadline
        if self.failure:
            raise self.failure
        self.searched.append(searches)
        lists = tuple(
            (repository(f"example-org/r{place}", stars=len(self.searched)),) for place in range(len(searches))
        )
        return Found(lists, 40, ("as asked",), ("a note",), self.partial, self.incomplete)

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Give each a README that tells in which call it was fetched, but for those that get lost."""
        del deadline
        if self.failure:
            raise self.failure
        self.enriched.append([each.full_name for each in repositories])
        readme = f"fetched in call {len(self.enriched)}"
        told = tuple(
            each if each.full_name in self.losing else each.model_copy(update={"readme": readme})
            for each in repositories
        )
        return Enriched(told, tuple(f"{name} was lost" for name in sorted(self.losing)))


@pytest.fixture
def clock() -> StillClock:
    """Give a clock."""
    return StillClock()


@pytest.fixture
def upstream() -> Upstream:
    """Give the source behind the cache."""
    return Upstream()


@pytest.fixture
def cached(upstream: Upstream, clock: StillClock) -> CachedSource:
    """Give the source with its cache."""
    return CachedSource(upstream, ProcessCache(clock), clock, "github:somebody")


def look(source: CachedSource, clock: StillClock, searches: Sequence[RepositorySearch] = SEARCHES) -> Found:
    """Search."""
    return source.search(searches, Deadline.after(5, clock))


def facts(source: CachedSource, clock: StillClock, *names: str) -> tuple[list[str | None], tuple[str, ...]]:
    """Enrich repositories, and give their READMEs and what failed."""
    told = source.enrich([repository(name) for name in names], Deadline.after(5, clock))
    assert [each.full_name for each in told.repositories] == list(names)
    return [each.readme for each in told.repositories], told.failures


def test_searches_are_asked_once_an_hour(upstream: Upstream, cached: CachedSource, clock: StillClock) -> None:
    """What was searched within the hour is remembered whole, with its age; later it is asked again."""
    first = look(cached, clock)
    assert first.age_s is None
    clock.wait(HOUR - 1)
    second = look(cached, clock)
    assert (second.age_s, len(upstream.searched)) == (HOUR - 1, 1)
    assert (second.lists, second.available, second.queries, second.notes) == (
        first.lists,
        first.available,
        first.queries,
        first.notes,
    )
    clock.wait(1)
    assert look(cached, clock).age_s is None
    assert len(upstream.searched) == 2


def test_a_read_renews_nothing(upstream: Upstream, cached: CachedSource, clock: StillClock) -> None:
    """However often it is read, a search is asked again after its hour."""
    for _ in range(13):
        look(cached, clock)
        clock.wait(5 * MINUTE)
    assert len(upstream.searched) == 2


def test_other_searches_and_other_credentials_are_other_entries(
    upstream: Upstream, cached: CachedSource, clock: StillClock
) -> None:
    """Each part of a search, and who asks, makes another entry."""
    cache = ProcessCache(clock)
    mine, theirs = (CachedSource(upstream, cache, clock, who) for who in ("me", "they"))
    look(mine, clock)
    look(theirs, clock)
    look(mine, clock, SEARCHES[::-1])
    look(mine, clock, (SEARCHES[0].model_copy(update={"language": "Rust"}), SEARCHES[1]))
    assert len(upstream.searched) == 4
    del cached


@pytest.mark.parametrize("failure", [LIMITED, Unavailable("reset"), TimedOut("cut")])
def test_an_older_answer_serves_where_the_source_fails(
    upstream: Upstream, cached: CachedSource, clock: StillClock, failure: CallFailed
) -> None:
    """Up to a day after its hour an entry serves where its source cannot, with its age and the reason."""
    first = look(cached, clock)
    upstream.failure = failure
    clock.wait(3 * HOUR)
    served = look(cached, clock)
    assert (served.lists, served.age_s) == (first.lists, 3 * HOUR)
    assert served.notes == (f"found 180 minutes ago, because now: {failure}", "a note")
    upstream.failure = None
    assert look(cached, clock).age_s is None


def test_nothing_older_than_a_day_serves(upstream: Upstream, cached: CachedSource, clock: StillClock) -> None:
    """What is gone does not serve, though nothing has deleted it: the failure is told."""
    look(cached, clock)
    upstream.failure = LIMITED
    clock.wait((TTL["source"] + STALE_TTL).total_seconds())
    with pytest.raises(RateLimited):
        look(cached, clock)


def test_what_was_never_found_fails(upstream: Upstream, cached: CachedSource, clock: StillClock) -> None:
    """A source that fails at its first call is told as failed, never as empty."""
    upstream.failure = LIMITED
    with pytest.raises(RateLimited):
        look(cached, clock)
    with pytest.raises(RateLimited):
        facts(cached, clock, "example-org/a")


@pytest.mark.parametrize("what", ["incomplete", "partial"])
def test_half_an_answer_is_not_remembered(
    upstream: Upstream, cached: CachedSource, clock: StillClock, what: str
) -> None:
    """A search that the source cut, or of which a part failed, is asked again at once."""
    setattr(upstream, what, True if what == "incomplete" else ("one search failed",))
    look(cached, clock)
    look(cached, clock)
    assert len(upstream.searched) == 2


def test_facts_are_fetched_once_for_each_repository(
    upstream: Upstream, cached: CachedSource, clock: StillClock
) -> None:
    """Facts are remembered by name, whichever question they were fetched for; the order stays."""
    facts(cached, clock, "o/a", "o/b")
    clock.wait(MINUTE)
    readmes, failures = facts(cached, clock, "o/b", "o/c", "O/A".lower())
    assert readmes == ["fetched in call 1", "fetched in call 2", "fetched in call 1"]
    assert (upstream.enriched, failures) == ([["o/a", "o/b"], ["o/c"]], ())
    facts(cached, clock, "o/a", "o/b", "o/c")
    assert len(upstream.enriched) == 2


def test_facts_that_did_not_come_are_not_remembered(
    upstream: Upstream, cached: CachedSource, clock: StillClock
) -> None:
    """A repository whose facts were lost comes back as it was, is told, and is asked for again."""
    upstream.losing = {"o/b"}
    assert facts(cached, clock, "o/a", "o/b") == (["fetched in call 1", None], ("o/b was lost",))
    upstream.losing = set()
    assert facts(cached, clock, "o/a", "o/b") == (["fetched in call 1", "fetched in call 2"], ())


def test_older_facts_serve_where_the_source_fails(upstream: Upstream, cached: CachedSource, clock: StillClock) -> None:
    """Facts past their hour serve where no newer ones come, which is told; what was never fetched stays as it was."""
    facts(cached, clock, "o/a")
    clock.wait(2 * HOUR)
    upstream.failure = LIMITED
    readmes, failures = facts(cached, clock, "o/a", "o/b")
    assert (readmes, failures) == (["fetched in call 1", None], (f"no newer facts ({LIMITED})",))
    upstream.failure, upstream.losing = None, {"o/a"}
    assert facts(cached, clock, "o/a") == (["fetched in call 1"], ("o/a was lost",))


def test_garbage_and_other_forms_are_nothing(upstream: Upstream, clock: StillClock) -> None:
    """An entry that holds something else than it should is asked for anew and written over."""
    cache = ProcessCache(clock)
    source = CachedSource(upstream, cache, clock, "me")
    look(source, clock)
    facts(source, clock, "o/a")
    for garbage in (b"", b"null", b"{", b'{"lists": 3}', b"\xff\xfe", b'{"full_name": 1}'):
        cache.write(dict.fromkeys(cache.read(list(cache._entries)), garbage), TTL["source"])
        assert look(source, clock).age_s is None
        assert facts(source, clock, "o/a")[0] == [f"fetched in call {len(upstream.enriched)}"]
    assert (len(upstream.searched), len(upstream.enriched)) == (7, 7)


def test_what_the_source_says_of_itself_goes_through(cached: CachedSource) -> None:
    """How much a question may cost, and the notice, are the source's own."""
    assert (cached.searches_a_question, cached.notice) == (7, "from upstream")


def test_the_row_tells_what_is_remembered(upstream: Upstream, cached: CachedSource, clock: StillClock) -> None:
    """A row says that it is cached and how old it is; a stale one says why as well."""
    dependencies = Dependencies(clock=clock, sources={"github": cached})

    def row() -> SourceStatus:
        return scout(scout_task(), dependencies, Deadline.after(5, clock)).status

    assert (row().cached, row().status, row().cached, row().age_s) == (False, "ok", True, 0)
    upstream.failure = LIMITED
    clock.wait(2 * HOUR)
    stale = row()
    assert (stale.status, stale.cached, stale.age_s) == ("ok", True, 2 * HOUR)
    assert "found 120 minutes ago, because now: the rate limit of github is reached" in stale.detail
