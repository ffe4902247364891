"""`/compare` and `/like` over HTTP: the library's answers, also as events, and what is refused."""

from typing import Any

import pytest

from tests.contract.openapi.contract import as_written
from tests.support.local import client, problem_of

NAMES = ["motion/react-motion", "glide/glide"]


def test_a_comparison_is_a_search_with_names() -> None:
    """`/search` takes them too, with its other fields; there the question is required, as at the gateway."""
    body = {"compare": NAMES, "sources": ["github"], "max_seconds": 9}
    searched = client().post("/search", json=body | {"query": "React animation library"})
    assert {each["repo"] for each in searched.json()["repositories"]["results"]} == set(NAMES)
    assert problem_of(client().post("/search", json=body))["detail"] == "query: is required"


def test_both_answer_as_a_search_does() -> None:
    """With the contract's answer; with the header for events, event by event."""
    body = {"repos": NAMES, "query": "React animation library"}
    compared = client().post("/compare", json=body)
    liked = client().post("/like", json={"repo": NAMES[0], "max_results": 2})
    for response in (compared, liked):
        assert response.status_code == 200
        as_written("Answer").validate(response.json())
    assert {each["repo"] for each in compared.json()["repositories"]["results"]} == set(NAMES)
    assert NAMES[0] not in {each["repo"] for each in liked.json()["repositories"]["results"]}
    events = client().post("/compare", json=body, headers={"accept": "text/event-stream"}).text
    assert events.index("event: started") < events.index("event: answer")


@pytest.mark.parametrize(
    ("path", "body", "detail"),
    [
        ("/compare", {"repos": NAMES, "max_results": 3}, "max_results: unknown field (allowed: repos, query)"),
        ("/like", {"repo": NAMES[0], "query": "x"}, "query: unknown field (allowed: repo, mode"),
        ("/like", {"repo": "no/such"}, "repo: no/such was not found: github has none of that name"),
        ("/like", [], "request: must be an object"),
    ],
)
def test_what_is_refused_names_the_field_and_what_is_allowed(path: str, body: Any, detail: str) -> None:
    """As problem details."""
    response = client().post(path, json=body)
    assert response.status_code == 400
    assert problem_of(response)["detail"].startswith(detail)
