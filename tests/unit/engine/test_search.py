"""Get or search: the cached answer, the answer that another caller is computing, or a new search."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.answer_cache import AnswerCache
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.engine.events import SearchEvent
from goldpan.engine.search import answer_key, get_or_search, run_search, stream_search
from goldpan.errors import Cancelled, SourcesFailed, Unavailable
from goldpan.infra.cache import Cache
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.kinds.answer import Answer

from tests.support.factories import ListedSource, repository, request
from tests.support.fakes import FakeClock, cancel
from tests.support.memory_stores import MemoryLocks


@dataclass
class Machine:
    """A runtime over one source, with its clock, its answers and its locks."""

    clock: Any
    source: ListedSource
    locks: SingleFlightLocks
    answers: AnswerCache
    runtime: Runtime

    def ask(self, asked: SearchRequest | None = None, **options: Any) -> Answer:
        """Get or search."""
        return get_or_search(asked or request(), self.runtime, **options)

    def key(self, asked: SearchRequest | None = None) -> str:
        """Return the key of a request's answer."""
        return answer_key(asked or request(), self.runtime)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """Yield a machine whose clock moves by waiting only."""
    clock: Any = FakeClock()
    with closing(SqliteFile(tmp_path / "cache.sqlite")) as file:
        cache, locks, source = Cache(SqliteTable(file, clock), clock), MemoryLocks(clock), ListedSource([repository()])
        dependencies = Dependencies(clock=clock, sources={"github": source}, cache=cache, locks=locks)
        runtime = Runtime(dependencies, ("github",), clock)
        yield Machine(clock, source, locks, AnswerCache(cache, clock), runtime)


def test_a_repeated_request_is_answered_from_the_cache_for_a_quarter_of_an_hour(machine: Machine) -> None:
    """For 15 minutes, which reading does not extend; `refresh` searches again and replaces the cached answer."""
    first, searches = machine.ask(), len(machine.source.asked)
    machine.clock.wait(14 * 60)
    assert machine.ask() == first.model_copy(update={"cached": True})
    machine.clock.wait(61)
    assert not machine.ask().cached
    assert len(machine.source.asked) == 2 * searches
    machine.clock.wait(60)
    assert not machine.ask(refresh=True).cached
    assert machine.ask().answered_at == machine.clock.now()


def test_all_but_blanks_makes_another_request(machine: Machine) -> None:
    """The letter case and a closing question mark do, by which the question is read, and every other field."""
    asked = machine.ask().query
    assert machine.ask(request(query=f" {asked.replace(' ', '  ')} ")).cached
    assert not any(machine.ask(request(query=other)).cached for other in (asked.upper(), f"{asked}?"))
    others: list[dict[str, object]] = [{"query": "Vue"}, {"sources": ["github"]}, {"config": {"max_candidates": 50}}]
    others += [{"mode": "focused"}, {"config": {"dimension_weights": {"maturity": 0.15, "activity": 0.25}}}]
    assert not any(machine.ask(request(**fields)).cached for fields in others)
    assert not get_or_search(request(), replace(machine.runtime, sources=("github", "catalogue"))).cached


def names(answer: Answer) -> list[str]:
    """List the results of a page, the weaker ones last."""
    section = answer.repositories
    assert section is not None
    return [one.repo for one in (*section.results, *section.weaker)]


@pytest.mark.parametrize("size", [1, 7, 10, 25])
def test_the_pages_of_an_answer_are_those_of_one_list(machine: Machine, size: int) -> None:
    """Whatever their size and order, none repeats or leaves out a result, and only the first one searches."""
    descriptions = ["React animation library"] * 20 + ["Animated React"] * 25
    machine.source.lists = ([repository(f"a/{n}", description=text) for n, text in enumerate(descriptions)],)
    last, searches = machine.ask(request(offset=40, max_results=size)), len(machine.source.asked)
    pages = [machine.ask(request(offset=offset, max_results=size)) for offset in range(0, 45, size)]
    assert [name for page in pages for name in names(page)] == names(machine.ask(all_pages=True))
    assert (len({name for page in pages for name in names(page)}), len(machine.source.asked)) == (45, searches)
    assert names(last) == names(machine.ask(all_pages=True))[40 : 40 + size]
    assert {page.warnings for page in pages} == {last.warnings}
    weaker = [one.repo for page in pages if page.repositories for one in page.repositories.weaker]
    totals = {(page.repositories.total, page.repositories.total_weaker) for page in pages if page.repositories}
    assert totals == {(45, len(weaker))}


def test_a_page_after_the_last_one_is_empty(machine: Machine) -> None:
    """It says how many results there are; without a cache, too."""
    alone = replace(machine.runtime, dependencies=replace(machine.runtime.dependencies, cache=None))
    for offset, runtime in product((1, 10), (machine.runtime, machine.runtime, alone)):
        answer = get_or_search(request(offset=offset), runtime)
        assert (names(answer), answer.warnings[-1]) == ([], f"Of 1 repository none is left after the first {offset}.")


def test_a_comparison_has_no_pages(machine: Machine) -> None:
    """It is shown as a whole, the second time too, however few results a page has."""
    machine.source.lists = ([repository("a/one"), repository("a/two")],)
    asked = request(compare=["a/one", "a/two"], max_results=1)
    assert [len(names(machine.ask(asked))) for _ in range(2)] == [2, 2]


def test_a_page_is_of_the_list_that_was_refreshed(machine: Machine) -> None:
    """A page that was cut from the list before is not read again."""
    machine.source.lists = ([repository(f"a/{n}") for n in range(30)],)
    machine.ask()
    later = request(max_results=5, offset=5)
    for asked in (request(max_results=5), later):
        machine.ask(asked)
    machine.source.lists = ([repository(f"b/{n}") for n in range(30)],)
    machine.clock.wait(60)
    machine.ask(refresh=True)
    assert machine.answers.get_json(machine.key(), later) is None
    found = [machine.ask(asked) for asked in (request(max_results=5), later)]
    assert {name[0] for page in found for name in names(page)} == {"b"}


def test_a_caller_waits_for_another_that_runs_the_same_search(machine: Machine) -> None:
    """The waiting caller gets the other's answer without a search of its own, once it is stored."""
    machine.locks.acquire(machine.key(), timedelta(seconds=29), "another")
    other = machine.ask(request(query="Vue")).model_copy(update={"query": request().query})
    searches = len(machine.source.asked)

    def store_after_three_waits() -> None:
        if len(machine.clock.waits) == 3:
            machine.answers.put(machine.key(), request(), other)

    machine.clock.on_wait = store_after_three_waits
    assert machine.ask() == other.model_copy(update={"cached": True})
    assert len(machine.source.asked) == searches
    assert len(machine.clock.waits) == 3


@pytest.mark.parametrize(("max_seconds", "longest"), [(5, 2.5), (24, 12)])
def test_a_caller_waits_for_half_of_its_time_at_most(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, max_seconds: int, longest: float
) -> None:
    """Then it searches itself, in the time that is left, and leaves the other's lock alone."""
    asked, left = request(max_seconds=max_seconds), list[int]()

    def search(request: SearchRequest, *further: Any) -> Answer:
        left.append(request.max_seconds)
        return run_search(request, *further)

    monkeypatch.setattr("goldpan.engine.search.run_search", search)
    machine.locks.acquire(machine.key(asked), timedelta(seconds=29), "another")
    assert not machine.ask(asked).cached
    assert sum(machine.clock.waits) == pytest.approx(longest, abs=0.11)
    assert left == [pytest.approx(longest, abs=1)]
    assert not machine.locks.acquire(machine.key(asked), timedelta(seconds=29), "a third")


def test_an_incomplete_answer_is_cached_for_ten_seconds(machine: Machine) -> None:
    """It serves the callers who wait for it, and no later ones."""
    failing = ListedSource([repository()], failure=Unavailable("down"))
    asked = request(sources=["github", "catalogue"])
    machine.runtime.dependencies.sources.update(catalogue=failing)  # type: ignore[attr-defined]
    assert {row.status for row in machine.ask(asked).sources} >= {"ok", "unavailable"}
    machine.clock.wait(9)
    assert machine.ask(asked).cached
    machine.clock.wait(2)
    assert not machine.ask(asked).cached


def test_a_search_without_an_answer_leaves_no_lock(machine: Machine) -> None:
    """The next caller searches at once; cancelling ends the wait for another's answer."""
    machine.source.failure = Unavailable("down")
    with pytest.raises(SourcesFailed):
        machine.ask()
    machine.source.failure = None
    assert not machine.ask().cached
    assert not machine.clock.waits
    machine.locks.acquire(machine.key(request(query="Vue")), timedelta(seconds=29), "another")
    machine.clock.on_wait = cancel
    with pytest.raises(Cancelled):
        machine.ask(request(query="Vue"))


@pytest.mark.parametrize("stored", [b"\xff", b'{"query": "React"}'])
def test_an_unreadable_entry_is_ignored(machine: Machine, stored: bytes) -> None:
    """A corrupt entry, or one of another version, is as good as none."""
    assert machine.runtime.dependencies.cache is not None
    machine.runtime.dependencies.cache.write({machine.key(): stored}, timedelta(minutes=15))
    assert not machine.ask().cached


def test_a_too_large_answer_is_not_cached(machine: Machine) -> None:
    """An answer over 160 KiB is returned and not stored: the state machine could not carry it beside the request."""
    answer = machine.ask()
    for size in (155_000, 163_840):
        machine.answers.put(f"search:{size}", request(), answer.model_copy(update={"warnings": ("x" * size,)}))
    assert machine.answers.get("search:155000", request())
    assert machine.answers.get("search:163840", request()) is None


def test_events_are_reported_while_the_search_runs(machine: Machine) -> None:
    """`on_event` receives every stage of a search that runs here, and nothing for a cached answer."""
    seen: list[SearchEvent] = []
    get_or_search(request(), machine.runtime, on_event=seen.append)
    assert [event.stage for event in seen] == [event.stage for event in stream_search(request(), machine.runtime)]
    get_or_search(request(), machine.runtime, on_event=seen.append)
    assert len(seen) == 6
