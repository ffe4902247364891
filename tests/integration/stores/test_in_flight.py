"""Calls in flight are bounded over all functions and processes, and those of the dead are given back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.infra.in_flight import LEASE_SECONDS, InFlightLimit
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limit, Limits
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable

from tests.integration.stores.opened import Opened
from tests.integration.stores.recorder import Recorder
from tests.integration.stores.test_processes import PATIENCE, PROCESSES
from tests.support.fakes import FakeClock

MOST, CALLS = 5, 120


def limiter_of(stores: Opened, most: int = 2) -> RateLimiter:
    """Make the limiter of calls in flight of a function."""
    return stores.rate_limiter.for_calls(bound(most))


def bound(most: int) -> Limits:
    """Make a bound for two sources."""
    return {name: (Limit(LEASE_SECONDS, most),) for name in ("source", "another")}


def test_two_functions_share_a_bound(functions: tuple[Opened, Opened]) -> None:
    """Of three calls at once the third waits for the end of another one, by whichever function; keys are apart."""
    one, other = map(limiter_of, functions)
    first = one.acquire("source")
    assert first.granted
    assert other.acquire("source").granted
    assert not one.acquire("source").granted
    assert not other.acquire("source").granted
    assert other.acquire("another").granted
    one.release("source", first)
    assert other.acquire("source").granted
    assert not one.acquire("source").granted


def test_calls_of_the_dead_are_given_back(functions: tuple[Opened, Opened], clock: FakeClock) -> None:
    """A call that never ended counts until its window has passed, and its late end frees no other."""
    one, other = map(limiter_of, functions)
    late = one.acquire("source")
    assert one.acquire("source").granted
    clock.wait(LEASE_SECONDS)
    assert not other.acquire("source").granted
    clock.wait(2)
    assert [other.acquire("source").granted for _ in range(3)] == [True, True, False]
    one.release("source", late)
    assert not one.acquire("source").granted


def test_a_call_costs_two_writes_of_dynamodb(recorder: Recorder, clock: FakeClock) -> None:
    """One update begins it and one ends it, without a read, however many others died before; the item stays small."""
    for _ in range(60):
        fresh = RateLimiter(recorder.table, clock, {}).for_calls(bound(100))  # of a function that is killed
        assert fresh.acquire("source").granted
        clock.wait(3)
    calls = RateLimiter(recorder.table, clock, {}).for_calls(bound(100))
    calls.release("source", calls.acquire("source"))
    recorder.operations.clear()
    for _ in range(5):
        calls.release("source", calls.acquire("source"))
        clock.wait(3)
    assert recorder.operations == ["UpdateItem"] * 10
    assert len(recorder.table.get("rate-limit#source")) < 12


def call_together(path: Path, inside: Any, peak: Any) -> None:
    """Make calls in ten threads, together with other processes."""
    clock = WallClock()
    limiter = RateLimiter(SqliteTable(SqliteFile(path, PATIENCE), clock), clock, {})
    limit = InFlightLimit(limiter, "source", MOST, clock)

    def call(_number: int) -> None:
        with limit.call("source", Deadline.after(PATIENCE, clock)):
            with inside.get_lock():
                inside.value += 1
                peak.value = max(peak.value, inside.value)
            clock.wait(0.005)
            with inside.get_lock():
                inside.value -= 1

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(call, range(CALLS // 4)))


def test_processes_share_a_bound(tmp_path: Path) -> None:
    """Forty threads of four processes make all their calls, and never more at once than the bound."""
    inside, peak = PROCESSES.Value("i", 0), PROCESSES.Value("i", 0)
    arguments = (tmp_path / "goldpan.sqlite", inside, peak)
    processes = [PROCESSES.Process(target=call_together, args=arguments) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE)
    assert [process.exitcode for process in processes] == [0] * 4
    assert (inside.value, peak.value) == (0, MOST)
