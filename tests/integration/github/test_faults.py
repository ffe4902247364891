"""GitHub's limits and faults: waited for where they fit the deadline, else reported, never mistaken for no results."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.integration.github.conftest import Caller, names
from tests.support.factories import NOW, StillClock
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket


@pytest.mark.parametrize("fault", [Fault.too_many_requests(retry_after=2), Fault.secondary_limit(retry_after=2)])
def test_a_short_limit_is_waited_for(rest: Caller, github: LoopbackGitHub, clock: StillClock, fault: Fault) -> None:
    """A limit that ends before the deadline costs its seconds and no candidates."""
    github.inject(fault)
    batch = rest.scout(seconds=6)
    assert (batch.status.status, "motion-kit" in names(batch.candidates)) == ("ok", True)
    assert clock.now() == NOW + timedelta(seconds=2)
    assert len(github.requests) == 2


def test_a_long_limit_is_reported(rest: Caller, github: LoopbackGitHub) -> None:
    """A limit that ends after the deadline is reported with its time, and GitHub is not called again until then."""
    github.inject(Fault.secondary_limit(retry_after=None, reset_in=20))
    rows = [rest.scout().status for _ in range(2)]
    assert [(row.status, row.retry_at) for row in rows] == 2 * [("rate_limited", NOW + timedelta(seconds=20))]
    assert (len(github.requests), rest.clock.now()) == (1, NOW)


def test_a_second_limit_in_a_row_is_reported(rest: Caller, github: LoopbackGitHub) -> None:
    """A limit is waited for once."""
    github.inject(Fault.too_many_requests(retry_after=0, times=2))
    assert rest.scout().status.status == "rate_limited"
    assert len(github.requests) == 2


@pytest.mark.parametrize(
    "fault",
    [
        Fault.status(502, times=3),
        Fault.reset(times=3),
        Fault.truncated(times=3),
        Fault.wrong_content_type(times=3),
        Fault.not_json(times=3),
    ],
    ids=lambda fault: fault.name,
)
def test_a_fault_is_retried_once(rest: Caller, github: LoopbackGitHub, fault: Fault) -> None:
    """A lasting fault is unavailable after a second try, and a single one goes unnoticed."""
    github.inject(fault)
    lasting, single = rest.scout(), rest.scout()
    assert (lasting.status.status, lasting.candidates, lasting.status.retry_at) == ("unavailable", (), None)
    assert lasting.status.detail
    assert single.status.status == "ok"
    assert len(github.requests) == 4


@pytest.mark.parametrize("fault", [Fault.hang(), Fault.drip(every=0.05)], ids=lambda fault: fault.name)
def test_a_hanging_call_ends_at_the_deadline(rest: Caller, github: LoopbackGitHub, fault: Fault) -> None:
    """A connection that hangs, or drips, is given up at the deadline and not retried."""
    github.inject(fault)
    batch = rest.scout(seconds=0.4)
    assert (batch.status.status, batch.candidates) == ("timeout", ())
    assert batch.status.detail == "no answer before the deadline"
    assert len(github.requests) <= 1


def test_a_refusal_is_not_retried(rest: Caller, github: LoopbackGitHub) -> None:
    """A 403 that is no rate limit is reported with GitHub's message."""
    github.inject(Fault.status(403, body={"message": "Request forbidden by administrative rules."}))
    row = rest.scout().status
    assert (row.status, row.retry_at) == ("unavailable", None)
    assert row.detail == "GitHub answered 403 (Request forbidden by administrative rules.)"
    assert len(github.requests) == 1


def test_an_address_without_a_server(clock: StillClock) -> None:
    """A GitHub that cannot be connected to is unavailable."""
    caller = Caller("http://127.0.0.1:9", clock)
    row = caller.scout().status
    caller.close()
    assert (row.status, row.detail[:24]) == ("unavailable", "could not be reached: [E")
