"""The circuit breaker: a store that fails is not called for 30 seconds, and the log has one warning."""

from __future__ import annotations

import logging

import pytest
from goldpan.infra.circuit_breaker import CircuitBreaker, StoreFailed

from tests.support.fakes import FakeClock


class Store:
    """A store that fails while it is broken, and counts its calls."""

    def __init__(self) -> None:
        self.calls, self.broken = 0, True

    def read(self) -> str:
        """Return a value, or fail."""
        self.calls += 1
        if self.broken:
            raise StoreFailed(f"no connection ({self.calls})")
        return "value"


def test_the_circuit_opens_for_30_seconds(caplog: pytest.LogCaptureFixture) -> None:
    """After a failure the fallback serves, without a call; then the store is called again, and may have recovered."""
    clock, store, counted = FakeClock(), Store(), list[str]()
    circuit = CircuitBreaker("cache", "CacheFailed", clock, counted.append)

    def call() -> str:
        return circuit.call(store.read, lambda: "fallback")

    with caplog.at_level(logging.WARNING):
        assert [call() for _ in range(3)] == ["fallback"] * 3
        clock.wait(29.9)
        assert (call(), store.calls, counted) == ("fallback", 1, ["CacheFailed"])
        clock.wait(0.1)
        assert (call(), store.calls, counted) == ("fallback", 2, ["CacheFailed"] * 2)
        clock.wait(30)
        store.broken = False
        assert [call() for _ in range(3)] == ["value"] * 3
    assert [record.getMessage() for record in caplog.records] == [
        f"The cache failed; searches continue without it: no connection ({number})" for number in (1, 2)
    ]


def test_concurrent_failures_are_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    """Calls that were made before the circuit opened are counted, and logged once."""
    counted = list[str]()
    circuit = CircuitBreaker("cache", "CacheFailed", FakeClock(), counted.append)

    def fail_within_a_call() -> str:
        return circuit.call(fail, lambda: "inner") and fail()

    def fail() -> str:
        raise StoreFailed("no connection")

    with caplog.at_level(logging.WARNING):
        assert circuit.call(fail_within_a_call, lambda: "outer") == "outer"
    assert (len(counted), len(caplog.records)) == (2, 1)


def test_other_errors_are_raised() -> None:
    """An error that is no failure of the store is not hidden."""

    def work() -> int:
        return 1 // 0

    with pytest.raises(ZeroDivisionError):
        CircuitBreaker("cache", "CacheFailed", FakeClock(), list[str]().append).call(work, lambda: 0)
