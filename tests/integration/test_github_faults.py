"""GitHub's limits and faults: waited for where they fit the deadline, else reported, never mistaken for nothing."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from goldpan.kinds.repositories.sources.github.source import GitHub

from tests.integration.conftest import CLOCK, Clients, names, scouted
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket

ANOTHER_TRY = 2


@pytest.fixture
def source(github: LoopbackGitHub, clients: Clients) -> GitHub:
    """Make the source under test, without a token."""
    return clients.github(github.url)


@pytest.mark.parametrize("fault", [Fault.too_many_requests(retry_after=1), Fault.secondary_limit(retry_after=1)])
def test_a_limit_that_fits_is_waited_for(source: GitHub, github: LoopbackGitHub, fault: Fault) -> None:
    """A short limit costs its seconds and no candidates."""
    github.inject(fault)
    began = time.monotonic()
    batch = scouted(source, seconds=6)
    assert time.monotonic() - began >= 0.9
    assert batch.status.status == "ok"
    assert "motion-kit" in names(batch.candidates)
    assert len(github.requests) == ANOTHER_TRY


@pytest.mark.parametrize(
    ("fault", "seconds"),
    [
        (Fault.too_many_requests(retry_after=30), 30),
        (Fault.too_many_requests(), 60),
        (Fault.secondary_limit(retry_after=45), 45),
        (Fault.secondary_limit(retry_after=None), 60),
        (Fault.secondary_limit(retry_after=None, reset_in=20), 20),
        (Fault.status(403, {"x-ratelimit-remaining": "0"}, {"message": "API rate limit exceeded"}), 60),
    ],
)
def test_a_limit_that_does_not_fit_is_reported(
    source: GitHub, github: LoopbackGitHub, fault: Fault, seconds: int
) -> None:
    """A long limit ends the search at once with its time, and GitHub is left alone until then."""
    github.inject(fault)
    began = time.monotonic()
    first, second = scouted(source, seconds=5), scouted(source, seconds=5)
    assert time.monotonic() - began < 3
    assert (first.status.status, second.status.status) == ("rate_limited", "rate_limited")
    assert first.status.retry_at is not None
    assert first.status.retry_at == second.status.retry_at
    assert abs(first.status.retry_at - CLOCK.now() - timedelta(seconds=seconds)) < timedelta(seconds=4)
    assert len(github.requests) == 1


def test_two_limits_in_a_row_end_the_search(source: GitHub, github: LoopbackGitHub) -> None:
    """A limit is waited for once; the second is reported."""
    github.inject(Fault.too_many_requests(retry_after=0), Fault.too_many_requests(retry_after=0))
    assert scouted(source).status.status == "rate_limited"
    assert len(github.requests) == ANOTHER_TRY


@pytest.mark.parametrize("code", [500, 502, 503])
def test_a_server_error_is_tried_once_more(source: GitHub, github: LoopbackGitHub, code: int) -> None:
    """A broken moment of GitHub goes unnoticed; a lasting one is unavailable after a second try."""
    github.inject(Fault.status(code))
    assert scouted(source).status.status == "ok"
    github.inject(Fault.status(code, times=None))
    lasting = scouted(source).status
    assert (lasting.status, lasting.retry_at) == ("unavailable", None)
    assert str(code) in lasting.detail
    assert len(github.requests) == 2 * ANOTHER_TRY


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Fault.hang(times=None), "timeout"),
        (Fault.drip(every=0.05, times=None), "timeout"),
        (Fault.reset(times=None), "unavailable"),
        (Fault.truncated(times=None), "unavailable"),
        (Fault.wrong_content_type(times=None), "unavailable"),
        (Fault.not_json(times=None), "unavailable"),
    ],
)
def test_a_broken_answer_is_cut_and_named(source: GitHub, github: LoopbackGitHub, fault: Fault, status: str) -> None:
    """Whatever GitHub does to a connection, the search ends near its deadline with a status that is not empty."""
    github.inject(fault)
    began = time.monotonic()
    batch = scouted(source, seconds=0.6)
    assert time.monotonic() - began < 5
    assert (batch.status.status, batch.candidates) == (status, ())
    assert batch.status.detail
    assert len(github.requests) == 1


@pytest.mark.parametrize("fault", [Fault.reset(), Fault.truncated(), Fault.wrong_content_type(), Fault.not_json()])
def test_a_broken_moment_is_tried_once_more(source: GitHub, github: LoopbackGitHub, fault: Fault) -> None:
    """A connection that broke once is made anew, where there is time."""
    github.inject(fault)
    assert scouted(source, seconds=5).status.status == "ok"
    assert len(github.requests) == ANOTHER_TRY


def test_nobody_listens(clients: Clients) -> None:
    """A GitHub that cannot be reached is unavailable."""
    batch = scouted(clients.github("http://127.0.0.1:9"), seconds=1)
    assert batch.status.status == "unavailable"
    assert "could not be reached" in batch.status.detail


def test_a_refusal_is_no_limit(source: GitHub, github: LoopbackGitHub) -> None:
    """A 403 that speaks of no limit is told in GitHub's words, and not tried again."""
    github.inject(Fault.status(403, body={"message": "Request forbidden by administrative rules."}))
    batch = scouted(source)
    assert (batch.status.status, batch.status.retry_at) == ("unavailable", None)
    assert "administrative rules" in batch.status.detail
    assert len(github.requests) == 1


@pytest.mark.parametrize("item", [{"full_name": 7}, None, "o/r"])
def test_malformed_rows_are_a_status(source: GitHub, github: LoopbackGitHub, item: object) -> None:
    """A list that holds something else than repositories is unavailable, and ends nothing else."""
    github.inject(Fault.status(200, body={"total_count": 1, "items": [item]}))
    assert scouted(source).status.status == "unavailable"
