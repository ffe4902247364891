"""GitHub's limits and faults: waited for where they fit the deadline, else reported, never mistaken for no results."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta

import pytest

from tests.integration.github.conftest import Caller, names
from tests.support.factories import NOW, StillClock
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket


def test_a_short_limit_is_waited_for(rest: Caller, github: LoopbackGitHub) -> None:
    """A limit that ends before the deadline costs its seconds and no candidates."""
    github.inject(Fault.secondary_limit(retry_after=2))
    batch = rest.scout(seconds=6)
    assert (batch.status.status, "motion-kit" in names(batch.candidates)) == ("ok", True)
    assert (rest.clock.now(), len(github.requests)) == (NOW + timedelta(seconds=2), 2)


@pytest.mark.parametrize("fault", [Fault.reset(times=3), Fault.broken_off(times=3)], ids=lambda fault: fault.name)
def test_a_broken_connection_is_retried_once(rest: Caller, github: LoopbackGitHub, fault: Fault) -> None:
    """A lasting fault is unavailable after a second try, and a single one goes unnoticed."""
    github.inject(fault)
    lasting, single = rest.scout(), rest.scout()
    assert (lasting.status.status, lasting.candidates, lasting.status.retry_at) == ("unavailable", (), None)
    assert single.status.status == "ok"
    assert len(github.requests) == 4


@pytest.mark.parametrize("fault", [Fault.hang(), Fault.drip(every=0.05)], ids=lambda fault: fault.name)
def test_a_hanging_call_ends_at_the_deadline(rest: Caller, github: LoopbackGitHub, fault: Fault) -> None:
    """A connection that hangs, or drips, is given up at the deadline and not retried."""
    github.inject(fault)
    batch = rest.scout(seconds=0.4)
    assert (batch.status.status, batch.status.detail) == ("timeout", "no answer before the deadline")
    assert len(github.requests) <= 1


def test_an_address_without_a_server(clock: StillClock) -> None:
    """A GitHub that cannot be connected to is unavailable."""
    with closing(Caller("http://127.0.0.1:9", clock)) as caller:
        row = caller.scout().status
    assert (row.status, row.detail[:24]) == ("unavailable", "could not be reached: [E")
