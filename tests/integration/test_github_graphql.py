"""GitHub with a token: the searches of a strategy in one request, and how that request fails."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from goldpan.errors import CredentialRejected
from goldpan.kinds.repositories.sources.github.source import GitHub

from tests.integration.conftest import CLOCK, TOKEN, Clients, names, question_of, scouted, within
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket

THREE = (question_of("react", "animation", sort="stars"), question_of("vue"), question_of("lottie", sort="updated"))


@pytest.fixture
def source(github: LoopbackGitHub, clients: Clients) -> GitHub:
    """Make the source under test, with its token."""
    return clients.github(github.url, TOKEN)


def test_one_request_runs_all_searches(source: GitHub, github: LoopbackGitHub) -> None:
    """The searches of a strategy cost one request, and are answered in their order."""
    found = source.search(THREE, within(5))
    assert [request.path for request in github.requests] == ["/graphql"]
    assert github.searches == 3
    assert github.requests[0].headers["authorization"] == f"Bearer {TOKEN}"
    assert found.queries == (
        "react animation stars:>=50 sort:stars",
        "vue stars:>=50",
        "lottie stars:>=50 sort:updated",
    )
    assert [names(hits)[0] for hits in found.lists] == ["motion-kit", "vue-motion-presets", "react-lottie-player"]
    assert found.available == sum(len(hits) for hits in found.lists)
    assert (found.failures, found.notes) == ((), ())


def test_what_a_search_tells(source: GitHub) -> None:
    """A repository arrives with the facts of a lean search, those that REST tells too."""
    (repository,) = source.search([question_of("gesture")], within(5)).lists[0]
    assert repository.full_name == "example-org/gesture-motion"
    assert (repository.stars, repository.forks, repository.language) == (640, 71, "TypeScript")
    assert repository.topics == ("react", "gestures", "animation")
    assert (repository.archived, repository.fork, repository.license) == (False, False, "MIT")
    assert repository.pushed_at is not None
    assert repository.readme is None


def test_both_ways_of_asking_agree(source: GitHub, github: LoopbackGitHub, clients: Clients) -> None:
    """With and without a token the same search finds the same facts."""
    rest = clients.github(github.url).search(THREE[:2], within(5)).lists
    assert source.search(THREE[:2], within(5)).lists == rest


def test_a_lost_alias_keeps_the_others(source: GitHub, github: LoopbackGitHub) -> None:
    """Where GitHub answers one of several searches with null, the others stay, and the row says so."""
    github.inject(Fault.partial_data("s1"))
    batch = scouted(source, *THREE)
    assert batch.status.status == "truncated"
    assert "Something went wrong" in batch.status.detail
    assert {"motion-kit", "react-lottie-player"} <= set(names(batch.candidates))
    assert "vue-motion-presets" not in names(batch.candidates)


def test_all_aliases_lost_is_no_empty_answer(source: GitHub, github: LoopbackGitHub) -> None:
    """Where no search was answered, the source is unavailable, never empty."""
    github.inject(Fault.partial_data("s0", times=None))
    batch = scouted(source, THREE[0], seconds=2)
    assert batch.status.status == "unavailable"
    assert "Something went wrong" in batch.status.detail


def test_the_limit_that_comes_with_200(source: GitHub, github: LoopbackGitHub) -> None:
    """GraphQL's primary limit is a limit with its time, and GitHub is left alone until then."""
    github.inject(Fault.rate_limited_200(reset_in=40))
    first, second = scouted(source), scouted(source)
    assert (first.status.status, second.status.status) == ("rate_limited", "rate_limited")
    assert first.status.retry_at is not None
    assert first.status.retry_at == second.status.retry_at
    assert abs(first.status.retry_at - CLOCK.now() - timedelta(seconds=40)) < timedelta(seconds=4)
    assert len(github.requests) == 1


def test_a_secondary_limit_that_fits_is_waited_for(source: GitHub, github: LoopbackGitHub) -> None:
    """A short secondary limit costs its seconds and no candidates."""
    github.inject(Fault.secondary_limit(retry_after=1))
    assert scouted(source).status.status == "ok"
    assert len(github.requests) == 2


def test_a_query_that_was_too_slow_for_github(source: GitHub, github: LoopbackGitHub) -> None:
    """The 502 with which GitHub ends a slow query is tried once more, then unavailable."""
    github.inject(Fault.graphql_timeout_502(times=None))
    batch = scouted(source)
    assert batch.status.status == "unavailable"
    assert "502" in batch.status.detail
    assert len(github.requests) == 2


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Fault.hang(times=None), "timeout"),
        (Fault.drip(every=0.05, times=None), "timeout"),
        (Fault.reset(times=None), "unavailable"),
        (Fault.wrong_content_type(times=None), "unavailable"),
        (Fault.not_json(times=None), "unavailable"),
        (Fault.status(200, body=[]), "unavailable"),
        (Fault.status(200, body={"data": {"s0": {"repositoryCount": 1, "nodes": [{"url": 7}]}}}), "unavailable"),
    ],
)
def test_a_broken_answer_is_cut_and_named(source: GitHub, github: LoopbackGitHub, fault: Fault, status: str) -> None:
    """Whatever GitHub answers, the search ends near its deadline with a status that is not empty."""
    github.inject(fault)
    began = time.monotonic()
    batch = scouted(source, seconds=0.6)
    assert time.monotonic() - began < 5
    assert (batch.status.status, batch.candidates) == (status, ())


def test_a_rejected_token_ends_the_search(github: LoopbackGitHub, clients: Clients) -> None:
    """A token that GitHub rejects is named by its variable, without its value, and not tried again."""
    with pytest.raises(CredentialRejected, match=r"^GITHUB_TOKEN: .*Bad credentials") as ended:
        scouted(clients.github(github.url, "bad-token"))
    assert "bad-token" not in str(ended.value)
    assert len(github.requests) == 1


@pytest.mark.parametrize("end", ["", "/"])
def test_enterprise_addresses(github: LoopbackGitHub, clients: Clients, end: str) -> None:
    """At an Enterprise server GraphQL lies beside the REST folder."""
    address = f"{github.url}/api/v3{end}"
    assert scouted(clients.github(address)).status.status == "ok"
    assert scouted(clients.github(address, TOKEN)).status.status == "ok"
    assert [request.path for request in github.requests] == ["/api/v3/search/repositories", "/api/graphql"]
    assert [request.status for request in github.requests] == [200, 200]
