"""Calls in flight are bounded over all functions and processes, and those of the dead are given back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.infra.in_flight import CallsInFlight, InFlightLimit
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable

from tests.integration.stores.opened import Opened
from tests.integration.stores.recorder import Recorder
from tests.integration.stores.test_processes import PATIENCE, PROCESSES
from tests.support.fakes import START, FakeClock

NOW = int(START.timestamp())
MOST, CALLS = 5, 120


def test_two_functions_share_a_bound(functions: tuple[Opened, Opened]) -> None:
    """Of three calls at once the third waits for the end of another one, by whichever function; keys are apart."""
    one, other = (function.rate_limiter.in_flight for function in functions)
    end = one.begin("source", 2, NOW + 5)
    assert end
    assert other.begin("source", 2, NOW + 5)
    assert one.begin("source", 2, NOW + 9) is other.begin("source", 2, NOW + 9) is None
    assert other.begin("another", 2, NOW + 5)
    end()
    assert other.begin("source", 2, NOW + 9)
    assert one.begin("source", 2, NOW + 9) is None


def test_calls_of_the_dead_are_given_back(functions: tuple[Opened, Opened], clock: FakeClock) -> None:
    """A call that never ended counts until its time, and its late end frees no other; a wrong clock holds nothing."""
    one, other = (function.rate_limiter.in_flight for function in functions)
    late = one.begin("source", 2, NOW + 5)
    assert one.begin("source", 2, NOW + 86_400)
    clock.wait(4)
    assert other.begin("source", 2, NOW + 12)
    assert other.begin("source", 2, NOW + 12) is None
    clock.wait(1)
    assert other.begin("source", 2, NOW + 12)
    assert late
    late()
    assert one.begin("source", 2, NOW + 12) is None


def test_a_call_costs_two_writes_of_dynamodb(recorder: Recorder, clock: FakeClock) -> None:
    """One update begins it and one ends it, without a read, however many others died before; the item stays small."""
    for _ in range(60):
        fresh = CallsInFlight(recorder.table, clock)  # as by a function that is killed after its first call
        assert fresh.begin("source", 100, int(clock.now().timestamp()) + 2)
        clock.wait(3)
    calls = CallsInFlight(recorder.table, clock)
    end = calls.begin("source", 100, int(clock.now().timestamp()) + 2)
    assert end
    end()
    recorder.operations.clear()
    for _ in range(5):
        end = calls.begin("source", 100, int(clock.now().timestamp()) + 2)
        assert end
        end()
        clock.wait(3)
    assert recorder.operations == ["UpdateItem"] * 10
    assert len(recorder.table.get("in-flight#source")) < 10


def call_together(path: Path, inside: Any, peak: Any) -> None:
    """Make calls in ten threads, together with other processes."""
    clock = WallClock()
    limit = InFlightLimit(CallsInFlight(SqliteTable(SqliteFile(path, PATIENCE), clock), clock), MOST, clock)

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
