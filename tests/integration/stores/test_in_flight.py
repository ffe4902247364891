"""Calls in flight are bounded over all functions and processes, and those of the dead are given back."""

from goldpan.infra.in_flight import LEASE_SECONDS
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limit, Limits

from tests.integration.stores.opened import Opened
from tests.integration.stores.recorder import Recorder
from tests.support.fakes import FakeClock


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
