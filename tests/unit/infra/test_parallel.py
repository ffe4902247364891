"""Work side by side until a deadline, in threads that hold nothing up."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import CredentialRejected, TimedOut
from goldpan.infra.threads import run_parallel, run_with_deadline

CLOCK = WallClock()


def within(seconds: float) -> Deadline:
    """Make a deadline from now."""
    return Deadline.after(seconds, CLOCK)


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Let hanging work go at the end of the test."""
    event = threading.Event()
    yield event
    event.set()


def test_the_order_is_kept() -> None:
    """Results stand in the order of their tasks, whichever ended first."""
    delays = [0.05, 0.0, 0.03, 0.01]

    def work(delay: float) -> float:
        time.sleep(delay)
        return delay

    assert run_parallel(delays, work, 4, within(5)) == delays


def test_no_tasks() -> None:
    """Nothing to do is done at once."""
    assert run_parallel([], str, 4, within(5)) == []


@pytest.mark.parametrize("at_once", [1, 3, 40])
def test_at_once_is_respected(at_once: int) -> None:
    """No more tasks run at the same time than allowed, and as many as allowed do."""
    turn = threading.Lock()
    running: list[int] = []
    peak: list[int] = []

    def work(number: int) -> int:
        with turn:
            running.append(number)
            peak.append(len(running))
        time.sleep(0.02)
        with turn:
            running.remove(number)
        return number

    assert run_parallel(range(12), work, at_once, within(10)) == list(range(12))
    assert max(peak) == min(at_once, 12)


def test_the_deadline_gives_none(release: threading.Event) -> None:
    """What has no result by the deadline is None, the rest stands."""
    began = time.monotonic()
    results = run_parallel([0, 1, 2], lambda n: release.wait(30) if n == 1 else n, 3, within(0.2))
    assert results == [0, None, 2]
    assert time.monotonic() - began < 5


def test_tasks_that_still_wait_are_not_begun(release: threading.Event) -> None:
    """After the deadline no further task is begun."""
    begun: list[int] = []

    def work(number: int) -> bool:
        begun.append(number)
        return release.wait(30)

    assert run_parallel([0, 1, 2], work, 1, within(0.1)) == [None, None, None]
    release.set()
    time.sleep(0.1)
    assert begun == [0]


def test_an_error_is_raised() -> None:
    """What a task raises comes to the caller, and the tasks that still wait are not begun."""
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        if number == 1:
            raise CredentialRejected("LLM_API_KEY")
        time.sleep(0.01)
        return number

    with pytest.raises(CredentialRejected, match="LLM_API_KEY"):
        run_parallel(range(50), work, 1, within(5))
    time.sleep(0.05)
    assert len(begun) < 5


def test_threads_are_daemons_and_used_again() -> None:
    """Work runs in daemon threads, and later work in the same ones."""

    def work(_: int) -> threading.Thread:
        time.sleep(0.01)
        return threading.current_thread()

    first = run_parallel(range(4), work, 4, within(5))
    time.sleep(0.05)
    second = run_parallel(range(4), work, 4, within(5))
    assert all(thread is not None and thread.daemon for thread in first)
    assert threading.current_thread() not in first
    assert set(second) & set(first)


def test_a_thread_outlives_an_error() -> None:
    """A task that raised leaves its thread fit for more."""
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            run_with_deadline(lambda: 1 // 0, within(5))
    assert run_with_deadline(lambda: "well", within(5)) == "well"


def test_run_within_gives_or_raises(release: threading.Event) -> None:
    """One piece of work gives its result, raises its error, or is given up at the deadline."""
    assert run_with_deadline(lambda: None, within(5)) is None
    began = time.monotonic()
    with pytest.raises(TimedOut, match="deadline"):
        run_with_deadline(lambda: release.wait(30), within(0.1))
    assert time.monotonic() - began < 5


def test_work_inside_work(release: threading.Event) -> None:
    """Tasks that run others within, as searches do with their requests, do not wait for each other's threads."""

    def outer(number: int) -> int:
        return run_with_deadline(lambda: number * 2, within(5))

    assert run_parallel(range(20), outer, 20, within(5)) == [number * 2 for number in range(20)]
    release.set()
