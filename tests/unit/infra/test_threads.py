"""Tasks run in parallel until a deadline, in threads that delay nothing."""

import threading
import time
from collections.abc import Iterator

import pytest
from goldpan.engine.deadlines import Deadline, SearchClock, WallClock
from goldpan.errors import Cancelled, CredentialRejected, TimedOut
from goldpan.infra.threads import merge_iterators, run_parallel, run_with_deadline

from tests.support.fakes import FakeClock
from tests.support.local import join_searches

HANG = 60
FAR, PASSED = Deadline.after(HANG, FakeClock()), Deadline.after(0, FakeClock())


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Make an event that hanging work waits for; it is set at the end of the test."""
    event = threading.Event()
    yield event
    event.set()


def test_results_are_in_the_order_of_the_tasks() -> None:
    """The task that ends first does not come first; tasks that run others do not wait for each other's threads."""
    last_ended = threading.Event()

    def work(number: int) -> int:
        if number == 0:
            assert last_ended.wait(HANG)
        elif number == 19:
            last_ended.set()
        return number

    nested = run_parallel(range(20), lambda number: run_with_deadline(lambda: work(number), FAR), 20, FAR)
    assert nested == list(range(20))
    assert run_parallel([], str, 4, FAR) == []


@pytest.mark.parametrize("at_once", [1, 3, 12])
def test_as_many_run_at_once_as_are_allowed(at_once: int) -> None:
    """Exactly that many tasks run at the same time: they meet at a barrier, and no more are ever there."""
    together, running, peaks = threading.Barrier(at_once), set[int](), list[int]()

    def work(number: int) -> int:
        running.add(number)
        together.wait(HANG)
        peaks.append(len(running))
        together.wait(HANG)
        running.remove(number)
        return number

    assert run_parallel(range(12), work, at_once, FAR) == list(range(12))
    assert set(peaks) == {at_once}


def test_an_error_is_raised_and_skips_the_rest(release: threading.Event) -> None:
    """What a task raises is raised in the caller's thread; of the others at most one more for each thread begins.

    So it is if the caller is interrupted while it waits, by Ctrl-C in a notebook or by the end of its search.
    """
    begun, clock = list[int](), SearchClock()
    clock.cancel()

    def work(number: int) -> None:
        begun.append(number)
        if number == 1:
            raise CredentialRejected("LLM_API_KEY")
        if number > 1:
            release.wait(HANG)

    began = time.monotonic()
    with pytest.raises(CredentialRejected, match="LLM_API_KEY"):
        run_parallel(range(50), work, 2, FAR)
    assert time.monotonic() - began < HANG / 2, "a task that hangs does not delay the error of another one"
    with pytest.raises(Cancelled):
        run_parallel(range(2, 52), work, 2, Deadline(FAR.at, clock))
    release.set()
    join_searches()
    assert len(begun) <= 6


def test_threads_are_daemons() -> None:
    """No call that hangs keeps a finished command running; what the work raises is raised."""
    with pytest.raises(ZeroDivisionError):
        run_with_deadline(lambda: 1 // 0, FAR)
    assert run_with_deadline(threading.current_thread, FAR).daemon


def test_work_that_hangs_is_abandoned(release: threading.Event) -> None:
    """At the deadline work that hangs is abandoned, and the tasks behind it are skipped; None is a result."""
    soon, begun, ended = Deadline.after(0.5, WallClock()), list[int](), threading.Semaphore(0)

    def work(number: int) -> int:
        begun.append(number)
        if number % 2:
            release.wait(HANG)
            ended.release()
        return number

    found = run_parallel([0, 1, 2], work, 3, soon)
    assert found == [0, None, 2]
    with pytest.raises(TimedOut, match="deadline"):
        run_with_deadline(lambda: work(3), PASSED)
    assert run_parallel([5, 7, 9], work, 1, PASSED) == [None] * 3
    release.set()
    while ended.acquire(timeout=0.2):
        pass
    assert not {7, 9}.intersection(begun)
    assert found == [0, None, 2], "what comes too late is in no result"
    assert run_with_deadline(lambda: None, FAR) is None


def test_iterators_are_merged_as_their_items_come() -> None:
    """An item is yielded although another iterator still waits; what an iterator raises is raised."""
    seen = threading.Event()

    def waiting() -> Iterator[str]:
        assert seen.wait(HANG)
        yield "late"
        raise CredentialRejected("LLM_API_KEY")

    merged = merge_iterators([waiting(), iter(["early"])])
    assert next(merged) == "early"
    seen.set()
    assert next(merged) == "late"
    with pytest.raises(CredentialRejected):
        next(merged)
    assert sorted(merge_iterators([iter("ab"), iter("c"), iter("")])) == ["a", "b", "c"]
