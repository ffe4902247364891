"""A limit holds in every window, wherever it begins; what is spent counts until its window has passed."""

import pytest
from goldpan.engine.deadlines import from_micros, to_micros
from goldpan.infra.rate_limits.limits import Limit, Spent, latest_grant
from hypothesis import given
from hypothesis import strategies as st

from tests.support.fakes import START
from tests.support.memory_stores import fullest_window

SECOND = 1_000_000
TEN, NOW = Limit(60, 10), to_micros(START)
LONGEST = 63 * SECOND
"""A window of a minute, its thirtieth, and the margin of a second."""


def spent_at(limit: Limit, *times: int) -> Spent:
    """Spend 1 at each of those times."""
    parts = [limit.part_at(time) for time in times]
    return Spent({limit.name: {part: parts.count(part) for part in parts}})


def test_every_limit_must_have_room_for_the_whole_cost() -> None:
    """A cost of four waits until four have left the window; the limits of an hour and of a minute both hold."""
    spent = spent_at(TEN, *[NOW - 40 * SECOND + 10 * SECOND * place for place in range(4)], *[NOW] * 6)
    assert spent.earliest_time([TEN], 4, NOW) - spent.earliest_time([TEN], 1, NOW) == 30 * SECOND
    assert spent_at(TEN, NOW + 20 * SECOND).earliest_time([TEN], 1, NOW) >= NOW + 19 * SECOND
    hour, minute = Limit(3600, 20), Limit(60, 10)
    full_minute = Spent({**spent_at(hour, *[NOW] * 10).costs, **spent_at(minute, *[NOW] * 10).costs})
    full_hour = spent_at(hour, *[NOW - 600 * SECOND] * 20)
    assert NOW + 60 * SECOND < full_minute.earliest_time([hour, minute], 1, NOW) <= NOW + LONGEST
    assert full_hour.earliest_time([hour, minute], 1, NOW) > NOW + 2900 * SECOND


def test_a_block_is_respected() -> None:
    """No call comes before the end of a block, unless a wrong clock wrote it: none lasts longer than 25 hours."""
    longest = 25 * 3600 * SECOND
    for block, wait in ((7, 7), (-7, 0), (longest, longest), (longest + 1, 0)):
        assert Spent(blocked_until=NOW + block).earliest_time([TEN], 1, NOW) == NOW + wait
    for seconds, counts in ((-86_400, False), (61, True), (64, False), (3_600, False)):
        found = spent_at(TEN, *[NOW + seconds * SECOND] * 10).earliest_time([TEN], 1, NOW)
        assert (found > NOW) == counts, seconds


def test_a_reservation_is_not_for_later_than_a_minute() -> None:
    """Whatever the caller accepts."""
    assert latest_grant(NOW, None) == NOW
    for accepted, wait in ((-5, 0), (5, 5), (3600 * SECOND, 60 * SECOND)):
        assert latest_grant(NOW, from_micros(NOW + accepted)) == NOW + wait


def test_what_others_spent() -> None:
    """If the source has less left than we know of, others spent the difference; a limit is never widened."""
    for remaining, unknown in ((3, 3), (0, 6), (-1, 6), (6, None), (9, None)):
        found = spent_at(TEN, *[NOW] * 4).unknown_cost(TEN, remaining, NOW + 30 * SECOND, NOW)
        assert (found and found[1]) == unknown


@pytest.mark.parametrize("seconds", [1, 17, 60])
def test_what_others_spent_counts_until_the_reset(seconds: int) -> None:
    """It counts until the source's window ends, and three seconds longer at most; a window that is over is ignored."""
    reset = NOW + seconds * SECOND
    found = Spent().unknown_cost(TEN, 0, reset, NOW)
    assert found is not None
    assert reset <= Spent({TEN.name: {found[0]: found[1]}}).earliest_time([TEN], 1, NOW) <= reset + 3 * SECOND
    assert Spent().unknown_cost(TEN, 0, NOW, NOW) is None
    assert Spent().unknown_cost(TEN, 0, NOW + 9999 * SECOND, NOW) == (TEN.part_at(NOW), 10)


CALL = st.tuples(st.integers(0, 20_000_000), st.integers(1, 4), st.integers(-500_000, 500_000), st.integers(0, 500_000))
"""The pause before a call, its cost, the skew of its clock, and how late it is made; the times in microseconds."""


@given(calls=st.lists(CALL, max_size=120), patience=st.integers(0, 60))
def test_no_window_ever_holds_more(calls: list[tuple[int, int, int, int]], patience: int) -> None:
    """No window is too full, whatever machines with different clocks reserve, and however late they then call."""
    limits, real, made = [TEN, Limit(20, 6)], NOW, list[tuple[float, int]]()
    costs: dict[str, dict[int, int]] = {limit.name: {} for limit in limits}
    for pause, cost, skew, late in calls:
        real += pause
        now = real + skew // 2
        at = Spent(costs).earliest_time(limits, cost, now)
        if at > latest_grant(now, from_micros(now + patience * SECOND)):
            continue
        for limit in limits:
            costs[limit.name][limit.part_at(at)] = costs[limit.name].get(limit.part_at(at), 0) + cost
        made.append(((at - skew // 2 + late) / SECOND, cost))
    for limit in limits:
        assert fullest_window(made, limit.window_seconds) <= limit.max_cost
