"""GitHub with a token: the searches of a strategy in one request, and how that request fails."""

import pytest

from tests.integration.github.conftest import Caller, names, search_for
from tests.support.loopback import Fault, LoopbackGitHub

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


def test_both_apis_describe_a_repository_alike(graphql: Caller, rest: Caller) -> None:
    """A search gives the same repositories over GraphQL and over REST."""
    (repository,) = graphql.search(search_for("gesture")).lists[0]
    assert repository.full_name == "example-org/gesture-motion"
    assert (repository.stars, repository.forks, repository.language) == (640, 71, "TypeScript")
    assert repository.topics == ("react", "gestures", "animation")
    assert (repository.archived, repository.fork, repository.license) == (False, False, "MIT")
    assert (repository.pushed_at is not None, repository.readme) == (True, None)
    assert graphql.search(*THREE[:2]).lists == rest.search(*THREE[:2]).lists


def test_a_long_query_is_shortened(graphql: Caller, rest: Caller) -> None:
    """A query beyond GitHub's limit loses its weakest words, and the row has the one that was run."""
    search = search_for("react", "animation", "library", *(letter * 30 for letter in "abcdefgh"))
    for batch in (graphql.scout(search), rest.scout(search)):
        words = (batch.status.query or "").split(" ")
        assert ("animation" in words, "library" in words, "h" * 30 in words) == (True, False, False)


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
