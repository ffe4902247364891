"""GitHub, asked for repositories by their names: over GraphQL in one request, over REST one after the other."""

from collections.abc import Iterator

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.kinds.repositories.ports import Found

from tests.integration.github.conftest import Caller
from tests.support.factories import StillClock
from tests.support.loopback import Fault, LoopbackGitHub

STORED = [
    {"full_name": "new/motion", "former_names": ["old/motion"], "stars": 900, "description": "Moves"},
    {"full_name": "o/spring", "stars": 70},
]


@pytest.fixture
def github(clock: StillClock) -> Iterator[LoopbackGitHub]:
    """Serve a repository that had another name, and one that has not."""
    with LoopbackGitHub(STORED, now=clock.now) as server:
        yield server


@pytest.fixture(params=["rest", "graphql"])
def caller(request: pytest.FixtureRequest) -> Caller:
    """Call without and with a token."""
    made: Caller = request.getfixturevalue(request.param)
    return made


def look_up(caller: Caller, *names: str) -> Found:
    """Look repositories up."""
    return caller.source.look_up(names, Deadline.after(5, caller.clock))


def test_each_name_has_what_is_there_also_a_former_one(caller: Caller) -> None:
    """A name that nothing has is an empty list, and no failure."""
    found = look_up(caller, "old/motion", "no/such", "O/Spring")
    assert [[each.full_name for each in one] for one in found.lists] == [["new/motion"], [], ["o/spring"]]
    assert (found.available, found.failures, found.notes) == (2, (), ())
    assert (found.lists[0][0].stars, found.lists[0][0].description) == (900, "Moves")


def test_one_request_serves_all_names_with_a_token(graphql: Caller, github: LoopbackGitHub) -> None:
    """Without one each name takes one of the 60 that GitHub allows in an hour."""
    look_up(graphql, "o/spring", "new/motion", "no/such")
    assert [request.path for request in github.requests] == ["/graphql"]


def test_a_rate_limit_skips_the_rest(rest: Caller, github: LoopbackGitHub) -> None:
    """What was fetched before it is kept."""
    github.inject(Fault.limited(429, retry_after=30, contains="/no/such", times=None))
    found = look_up(rest, "o/spring", "no/such", "new/motion")
    assert [len(one) for one in found.lists] == [1, 0, 0]
    assert "rate limit" in found.failures[0]
    assert len(github.requests) == 2
