"""A search by a link is the same search as by a body."""

import pytest
from goldpan.contracts import parse_request
from goldpan.engine.query_string import parse_query
from goldpan_local.server.contract import contract

from tests.support.local import client, problem_of, timeless


def test_the_parameters_are_the_fields_of_a_request_and_of_its_filters() -> None:
    """Lists repeat their parameter, numbers are numbers, and an empty field of a form counts as absent."""
    given = [("q", "React"), ("max_results", "5"), ("sources", "github"), ("sources", "catalogue"), ("sort", "stars")]
    given += [("min_stars", "100"), ("topics", "ui"), ("topics", "spring"), ("language", ""), ("created_since", "")]
    body = {"query": "React", "max_results": 5, "sources": ["github", "catalogue"], "sort": "stars"}
    assert parse_query(given) == parse_request({**body, "filters": {"min_stars": 100, "topics": ["ui", "spring"]}})
    assert parse_query([("q", "2048")]).query == "2048", "the name of a game is no number"
    operation = contract()["paths"]["/search"]["get"]
    assert {name for name, _ in given} <= {each["name"] for each in operation["parameters"]}
    assert [each["name"] for each in operation["parameters"] if each["required"]] == ["q"]


def test_a_link_gets_the_answer_of_a_body() -> None:
    """Also with a key; without it, the link is refused."""
    http = client(keys="k")
    by_link = http.get("/search?q=React+animation&max_results=2", headers={"x-api-key": "k"})
    by_body = http.post("/search", json={"query": "React animation", "max_results": 2}, headers={"x-api-key": "k"})
    assert timeless(by_link.json()) == timeless(by_body.json())
    assert len(by_link.json()["repositories"]["results"]) == 2
    assert http.get("/search?q=React").status_code == 403
    preferring = http.get("/search?q=React+animation", headers={"x-api-key": "k", "prefer": "respond-async"})
    assert preferring.status_code == 200


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "q: is required"),
        ("q=x&max_results=26", "max_results: must be at most 25 (given 26)"),
        ("q=x&q=y", "q: given more than once"),
        ("q=x&config=1", "config: unknown parameter (allowed: kinds, q, "),
        ("q=x&license=unheard-of", "filters.license"),
        ("q=%00", "control characters are not allowed"),
    ],
)
def test_an_invalid_link_is_refused(query: str, message: str) -> None:
    """The problem names the parameter and what is allowed."""
    response = client().get(f"/search?{query}", headers={"x-request-id": "1"})
    assert response.status_code == 400
    assert message in problem_of(response)["detail"]
