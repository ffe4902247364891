"""A limit holds in every window, wherever it begins; what is spent comes back when its window has passed."""

from __future__ import annotations

import pytest
from goldpan.infra.rate_limits.sliding_window import (
    HORIZON,
    SECOND,
    Limit,
    Spent,
    from_micros,
    in_time,
    latest_turn,
    spent_by_others,
    to_micros,
    turn_at,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.support.fakes import START
from tests.support.windows import most_in_a_window

TEN, NOW = Limit(60, 10), to_micros(START)
PAUSES = st.just(0) | st.integers(0, SECOND) | st.integers(0, 20 * SECOND)
SKEWS = st.integers(-SECOND // 2, SECOND // 2)
HOLD = 63 * SECOND
"""A minute, a thirtieth of it, and the margin of a second."""


def spent_at(limit: Limit, *moments: int, cost: int = 1) -> Spent:
    """Make what was spent by takes at those moments."""
    counts: dict[int, int] = {}
    for moment in moments:
        counts[limit.part_at(moment)] = counts.get(limit.part_at(moment), 0) + cost
    return Spent({limit.name: counts})


def test_moments_survive_as_numbers() -> None:
    """A moment is the same after it was kept as a number, to the microsecond."""
    assert from_micros(to_micros(START)) == START
    assert to_micros(from_micros(NOW + 1)) == NOW + 1


@pytest.mark.parametrize("into_a_part", [0, 1, SECOND, 2 * SECOND - 1])
def test_there_is_room_until_the_limit(into_a_part: int) -> None:
    """The tenth take has its turn at once; the eleventh when the first is out of every window with it."""
    now = NOW + into_a_part
    nine, ten = spent_at(TEN, *[now] * 9), spent_at(TEN, *[now] * 10)
    assert turn_at(nine, [TEN], 1, now) == now
    assert now + 61 * SECOND <= turn_at(ten, [TEN], 1, now) <= now + HOLD


def test_a_large_cost_waits_for_as_much_room() -> None:
    """A cost of four waits until four are out of the window, not one."""
    spent = spent_at(TEN, *[NOW - 40 * SECOND + 10 * SECOND * place for place in range(4)], *[NOW] * 6)
    first, fourth = turn_at(spent, [TEN], 1, NOW), turn_at(spent, [TEN], 4, NOW)
    assert fourth - first == 30 * SECOND
    with pytest.raises(ValueError, match="a cost of 11 never fits a limit of 10"):
        turn_at(Spent(), [TEN], 11, NOW)


def test_nobody_overtakes() -> None:
    """A small cost waits behind a large one that was promised a later turn."""
    promised = spent_at(TEN, NOW + 20 * SECOND)
    assert turn_at(promised, [TEN], 1, NOW) >= NOW + 20 * SECOND - TEN.margin


def test_the_strictest_of_several_limits_decides() -> None:
    """A minute's limit and an hour's hold both."""
    hour, minute = Limit(3600, 20), Limit(60, 10)
    full_minute = Spent({**spent_at(hour, *[NOW] * 10).parts, **spent_at(minute, *[NOW] * 10).parts})
    full_hour = spent_at(hour, *[NOW - 600 * SECOND] * 20)
    assert NOW + 60 * SECOND < turn_at(full_minute, [hour, minute], 1, NOW) <= NOW + HOLD
    assert turn_at(full_hour, [hour, minute], 1, NOW) > NOW + 2900 * SECOND


def test_a_closed_source_waits() -> None:
    """No turn comes before the source wants to be called again."""
    assert turn_at(Spent(closed_until=NOW + 7), [TEN], 1, NOW) == NOW + 7
    assert turn_at(Spent(closed_until=NOW - 7), [], 1, NOW) == NOW


@pytest.mark.parametrize("off", [-86_400, 3_600])
def test_a_clock_that_is_wrong_blocks_nobody(off: int) -> None:
    """What a clock wrong by an hour or a day wrote down does not close the budget until then."""
    assert turn_at(spent_at(TEN, *[NOW + off * SECOND] * 10), [TEN], 1, NOW) == NOW


def test_a_turn_is_promised_a_minute_ahead_at_most() -> None:
    """Nobody is promised a turn further ahead than a clock may be wrong unnoticed."""
    assert latest_turn(NOW, None) == NOW
    assert latest_turn(NOW, from_micros(NOW - 5)) == NOW
    assert latest_turn(NOW, from_micros(NOW + 5)) == NOW + 5
    assert latest_turn(NOW, from_micros(NOW + 3600 * SECOND)) == NOW + HORIZON


def test_a_turn_that_comes_too_late_is_no_turn() -> None:
    """A turn may be used for half of the margin: the other half is for clocks that differ."""
    assert in_time(NOW, [TEN], NOW + SECOND // 2)
    assert not in_time(NOW, [TEN], NOW + SECOND // 2 + 1)
    assert in_time(NOW + HORIZON, [TEN], NOW)


@pytest.mark.parametrize(("remaining", "others"), [(3, 3), (0, 6), (6, None), (9, None)])
def test_what_others_spent(remaining: int, others: int | None) -> None:
    """Where the source has less left than we think, others spent the difference; a limit never becomes wider."""
    told = spent_by_others(spent_at(TEN, *[NOW] * 4), TEN, remaining, NOW + 30 * SECOND, NOW)
    assert (told and told[1]) == others


@pytest.mark.parametrize("seconds", [1, 17, 30, 60])
def test_what_others_spent_counts_until_the_reset(seconds: int) -> None:
    """It is counted until the source's window ends, and two seconds longer at most."""
    reset = NOW + seconds * SECOND
    told = spent_by_others(Spent(), TEN, 0, reset, NOW)
    assert told is not None
    again = turn_at(Spent({TEN.name: {told[0]: told[1]}}), [TEN], 1, NOW)
    assert reset <= again <= reset + 3 * SECOND


def test_a_window_that_is_over_teaches_nothing() -> None:
    """A reset in the past says nothing of now; one far ahead counts for one window."""
    assert spent_by_others(Spent(), TEN, 0, NOW, NOW) is None
    assert spent_by_others(Spent(), TEN, 0, NOW + 9999 * SECOND, NOW) == (TEN.part_at(NOW), 10)


@given(
    takes=st.lists(
        st.tuples(
            st.integers(0, 20_000_000), st.integers(1, 4), st.integers(-500_000, 500_000), st.integers(0, 500_000)
        ),
        max_size=120,
    ),
    patience=st.integers(0, 60),
)
def test_no_window_ever_holds_more(takes: list[tuple[int, int, int, int]], patience: int) -> None:
    """Whatever comes when, from machines whose clocks differ, called a moment after its turn: no window is too full."""
    limits, real, calls = [TEN, Limit(20, 6)], NOW, list[tuple[float, int]]()
    counts: dict[str, dict[int, int]] = {limit.name: {} for limit in limits}
    for pause, cost, skew, late in takes:
        real += pause
        now = real + skew // 2
        at = turn_at(Spent(counts), limits, cost, now)
        if at > latest_turn(now, from_micros(now + patience * SECOND)):
            continue
        for limit in limits:
            counts[limit.name][limit.part_at(at)] = counts[limit.name].get(limit.part_at(at), 0) + cost
        calls.append(((at - skew // 2 + late) / SECOND, cost))
    for limit in limits:
        assert most_in_a_window(calls, limit.window_seconds) <= limit.most
