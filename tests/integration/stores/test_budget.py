"""Rate budgets, the same in every store: turns in order, no window too full, nothing lost for longer than a window."""

from __future__ import annotations

from datetime import timedelta

from goldpan.infra.rate_limits.limits import rate_limit_key

from tests.integration.stores.opened import Functions
from tests.support.fakes import START, FakeClock
from tests.support.windows import most_in_a_window

ANONYMOUS = rate_limit_key("github:rest-search", "https://api.github.com", None)
TOKEN = rate_limit_key("github:graphql", "https://api.github.com", "good-token")
UNLIMITED = rate_limit_key("github-enterprise:graphql", "https://github.example.org/api/v3", "good-token")
MINUTE, A_WINDOW = timedelta(minutes=1), timedelta(seconds=63)
A_MOMENT = timedelta(seconds=0.1)
SOON, LATER = START + timedelta(seconds=30), START + timedelta(seconds=90)


def test_two_functions_spend_one_budget(functions: Functions, clock: FakeClock) -> None:
    """Ten searches a minute are ten in all, whoever makes them; the eleventh is told when to come."""
    one, other = functions
    assert all((one, other)[place % 2].budget.take(ANONYMOUS).taken for place in range(10))
    for function in functions:
        refused = function.budget.take(ANONYMOUS)
        assert not refused.taken
        assert START + MINUTE < refused.at <= START + A_WINDOW
    assert other.budget.take(TOKEN).taken
    clock.wait(63)
    assert all((one, other)[place % 2].budget.take(ANONYMOUS).taken for place in range(10))


def test_turns_are_handed_out_in_order(functions: Functions, clock: FakeClock) -> None:
    """Those who wait have turns of their own, first come first served, at most ten in any minute."""
    clock.wait(40)
    turns = [function.budget.take(ANONYMOUS) for function in functions for _ in range(5)]
    clock.wait(20)
    latest = clock.now() + MINUTE
    turns += [functions[place % 2].budget.take(ANONYMOUS, latest=latest) for place in range(4)]
    clock.wait(40)
    latest = clock.now() + MINUTE
    turns += [functions[place % 2].budget.take(ANONYMOUS, latest=latest) for place in range(9)]
    assert [turn.taken for turn in turns] == [True] * 20 + [False] * 3
    moments = [turn.at.timestamp() for turn in turns if turn.taken]
    assert moments == sorted(moments)
    assert most_in_a_window([(moment, 1) for moment in moments], 60) == 10


def test_the_hour_and_the_minute_both_hold(functions: Functions, clock: FakeClock) -> None:
    """GraphQL's points are counted by the minute and by the hour, and both come back."""
    one, other = functions
    assert one.budget.take(TOKEN, 2000).taken
    assert other.budget.take(TOKEN).at <= START + A_WINDOW
    for _ in range(2):
        clock.wait(63)
        assert other.budget.take(TOKEN, 1500).taken
    clock.wait(63)
    refused = one.budget.take(TOKEN)
    assert not refused.taken
    assert START + timedelta(hours=1) < refused.at < START + timedelta(hours=1, minutes=3)
    clock.wait(3600)
    assert one.budget.take(TOKEN, 2000).taken


def test_a_closed_source_is_closed_for_all(functions: Functions, clock: FakeClock) -> None:
    """A come-back time that one function was given holds for the others, with limits and without."""
    one, other = functions
    for key in (ANONYMOUS, UNLIMITED):
        assert other.budget.closed_until(key) is None
        assert other.budget.take(key).taken
        one.budget.close(key, SOON)
        refused = other.budget.take(key)
        assert (refused.taken, refused.at, other.budget.closed_until(key)) == (False, SOON, SOON)
        assert other.budget.take(key, latest=LATER).at == SOON
    clock.wait(30)
    assert one.budget.take(ANONYMOUS).taken
    assert one.budget.take(UNLIMITED).taken


def test_the_later_time_holds(functions: Functions) -> None:
    """An earlier time never shortens a later one, whichever was told first."""
    one, other = functions
    for until in (SOON, LATER, SOON):
        one.budget.close(ANONYMOUS, until)
    assert other.budget.closed_until(ANONYMOUS) == LATER


def test_what_others_spent_is_learned_once(functions: Functions, clock: FakeClock) -> None:
    """Where GitHub has only three left, three are left for all functions, until its window ends."""
    one, other = functions
    assert all(function.budget.take(ANONYMOUS).taken for function in functions)
    for function in functions:
        function.budget.learn(ANONYMOUS, 3, SOON)
        function.budget.learn(ANONYMOUS, 9, SOON)
        function.budget.learn(ANONYMOUS, None, None)
        function.budget.learn(UNLIMITED, 0, LATER)
    taken = [functions[place % 2].budget.take(ANONYMOUS) for place in range(4)]
    assert [turn.taken for turn in taken] == [True, True, True, False]
    assert SOON <= taken[3].at <= SOON + timedelta(seconds=3)
    assert one.budget.take(UNLIMITED).taken
    clock.wait(33)
    assert [other.budget.take(ANONYMOUS).taken for _ in range(6)] == [True] * 5 + [False]


def test_what_was_long_ago_is_forgotten(functions: Functions, clock: FakeClock) -> None:
    """A budget that was spent bit by bit and then left alone is whole again."""
    one, other = functions
    for _ in range(25):
        assert one.budget.take(ANONYMOUS).taken
        clock.wait(7)
    clock.wait(3 * 86_400)
    assert [other.budget.take(ANONYMOUS).taken for _ in range(11)] == [True] * 10 + [False]
