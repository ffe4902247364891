"""What a search finds at GitHub, with a token (GraphQL) and without one (REST), and how it fails."""

from contextlib import closing
from datetime import timedelta

import pytest

from tests.integration.github.conftest import Caller, names, search_for
from tests.support.factories import NOW, StillClock
from tests.support.loopback import Fault, LoopbackGitHub, sample_repositories

THREE = (search_for(sort="stars"), search_for("vue"), search_for("lottie", sort="updated"))


def test_one_request_runs_all_searches(graphql: Caller, github: LoopbackGitHub) -> None:
    """The searches of a strategy make one request, and are answered in their order."""
    found = graphql.search(*THREE)
    assert [request.path for request in github.requests] == ["/graphql"]
    assert github.searches == 3
    assert found.queries == (
        "react animation stars:>=50 sort:stars",
        "vue stars:>=50",
        "lottie stars:>=50 sort:updated",
    )
    assert [names(hits)[0] for hits in found.lists] == ["motion-kit", "vue-motion-presets", "react-lottie-player"]
    assert found.available == sum(len(hits) for hits in found.lists)
    assert (found.failures, found.notes) == ((), ())
    assert (graphql.source.searches_a_question, graphql.source.notice) == (15, None)


def test_both_apis_describe_a_repository_alike(graphql: Caller, rest: Caller, github: LoopbackGitHub) -> None:
    """A search gives the same repositories over GraphQL and over REST, which has the order beside the query."""
    (repository,) = graphql.search(search_for("gesture")).lists[0]
    assert repository.full_name == "example-org/gesture-motion"
    assert (repository.stars, repository.forks, repository.language) == (640, 71, "TypeScript")
    assert repository.topics == ("react", "gestures", "animation")
    assert (repository.archived, repository.fork, repository.license) == (False, False, "MIT")
    assert (repository.pushed_at is not None, repository.readme) == (True, None)
    assert graphql.search(*THREE[:2]).lists == rest.search(*THREE[:2]).lists
    query = "react animation stars:>=50"
    assert github.requests[-2].params == {"q": query, "per_page": "100", "sort": "stars", "order": "desc"}


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        (Fault.partial_data("s0", times=None), "SERVICE_UNAVAILABLE:"),
        (Fault.status(200, body={"data": {"s0": {"repositoryCount": 1, "nodes": [{"url": 7}]}}}),
         "GitHub's response was read without 1 repository (full_name"),
    ],
)  # fmt: skip
def test_no_usable_result_is_a_failure(graphql: Caller, github: LoopbackGitHub, fault: Fault, detail: str) -> None:
    """Null for every search, and a node without the documented fields, are unavailable, never empty."""
    github.inject(fault)
    row = graphql.scout().status
    assert (row.status, row.detail[: len(detail)]) == ("unavailable", detail)


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        (Fault.incomplete_results(contains="react"), "the source answered before it had searched everything"),
        (Fault.status(422, body={"message": "Validation Failed"}, contains="vue"),
         "a search failed: GitHub answered 422 (Validation Failed)"),
    ],
)  # fmt: skip
def test_a_partial_result_is_truncated(rest: Caller, github: LoopbackGitHub, fault: Fault, detail: str) -> None:
    """A search that GitHub cut short or refused is reported, and the others bring their candidates."""
    github.inject(fault)
    batch = rest.scout(search_for("vue"), search_for())
    assert (batch.status.status, batch.status.detail) == ("truncated", detail)
    assert batch.status.query == "vue stars:>=50 | react animation stars:>=50"
    assert "motion-kit" in names(batch.candidates)


def test_null_for_one_search_beside_an_error_costs_no_other(graphql: Caller, github: LoopbackGitHub) -> None:
    """GitHub answers with status 200, and with what the other searches of the request found."""
    github.inject(Fault.partial_data("s0", times=None))
    batch = graphql.scout(search_for("vue"), search_for())
    assert (batch.status.status, batch.status.detail[:20]) == ("truncated", "SERVICE_UNAVAILABLE:")
    assert "motion-kit" in names(batch.candidates)


def test_the_primary_limit_skips_the_rest(clock: StillClock) -> None:
    """Where the searches of a minute are spent, the row has what was found, and the next call has the time."""
    with (
        LoopbackGitHub(sample_repositories(), now=clock.now, searches_a_minute=2) as github,
        closing(Caller(github.url, clock)) as rest,
    ):
        batch = rest.scout(*(search_for(word) for word in ("vue", "react", "rust", "go")))
        again = rest.scout().status
        assert len(github.requests) == 2
    assert batch.status.status == "truncated"
    assert batch.status.detail.split(" until ")[0] == "a search failed: the rate limit of github is reached"
    assert batch.status.detail.count("a search failed") == 1
    assert {"vue-motion-presets", "motion-kit"} <= set(names(batch.candidates))
    assert (again.status, again.retry_at is not None) == ("rate_limited", True)
    assert again.retry_at is None or timedelta(seconds=60) <= again.retry_at - NOW <= timedelta(seconds=63)


def test_without_a_network_no_search_is_spent(clock: StillClock) -> None:
    """Of twelve searches without a connection each says so, and none that the rate limit is reached."""
    with closing(Caller("http://127.0.0.1:9", clock)) as rest:
        rows = [rest.scout().status for _ in range(12)]
    assert {(row.status, row.detail.partition(":")[0]) for row in rows} == {("unavailable", "could not be reached")}
