"""The gateway passes on requests of a library, analyses, comparisons and likeness, with the projects of a key."""

import json
from typing import Any

import pytest
from goldpan.aws.events import AnalyzeEvent, LibraryEvent, parse_event
from goldpan.contracts import parse_request
from goldpan.kinds.repositories.names import like_fields, parse_compare_request

from api.generate import template
from tests.contract.openapi.contract import as_imported
from tests.contract.openapi.gateway import execution_input, render, started, substituted
from tests.contract.openapi.test_gateway import HOSTILE

ANALYZE = {"stage": "analyze", "daily_cost_limit": "5"}
PATHS = ("/library/search", "/library/chunks")
KEYS = {
    "a1b2c3": "thesis,notes",
    "d4": "team",
    "unbound1": "*",
    **dict.fromkeys(("a1b2c", "b2c3", "", "d4=team", "A1B2C3"), "!"),
}
"""The projects of each key: the id counts as a whole, and a key that is not listed has none."""


@pytest.mark.parametrize(("key", "projects"), KEYS.items())
def test_a_key_is_bound_to_its_projects_on_every_path(key: str, projects: str) -> None:
    """The caller cannot say so itself: what it sends stays inside of the request."""
    mine = {"query": "x", "project_id": "thesis", "projects": "*"}
    for body in (json.dumps(mine), json.dumps(mine) + ', "projects": "*"}'):
        search = started("/search", body, key=key)
        assert (search["request"], search["projects"]) == (mine, projects)
        for path in PATHS:
            expected = {"stage": "library", "path": path, "request": mine, "projects": projects}
            assert started(path, body, key=key) == expected


def test_every_key_may_search_every_library_where_none_is_bound() -> None:
    """A deployment with one user needs no list."""
    unbound = substituted("".join(template("projects.vtl", {})), projects="") + "$projects"
    assert render(unbound, "{}", key="any")[0].strip() == "*"


@pytest.mark.parametrize("path", [*PATHS, "/analyze-repo"])
def test_a_request_arrives_unchanged(path: str) -> None:
    """Any text, which no text behind the body can change, and the function reads the event."""
    for text in HOSTILE:
        request = {"repo": "a/b", "query": text}
        event = started(path, json.dumps(request) + ', "stage": "score"')
        parsed = parse_event(event if event["path"] else {**ANALYZE, "request": event["request"]})
        assert isinstance(parsed, LibraryEvent if event["path"] else AnalyzeEvent)
        assert parsed.request == request


REPOS = ["pmndrs/react-spring", "formkit/auto-animate"]


@pytest.mark.parametrize("query", [None, "", "React animation", *(text for text in HOSTILE if text.isprintable())])
def test_a_comparison_means_the_same_on_aws_and_on_one_machine(query: str | None) -> None:
    """With a question of any text, with an empty one, and without one."""
    for body in ({"repos": REPOS, "query": query}, {"query": query, "repos": REPOS}, {"repos": REPOS}):
        assert as_imported("CompareRequest").is_valid(body)
        request = execution_input("/compare", json.dumps(body))["request"]
        assert parse_request(request) == parse_compare_request(body)


def test_a_likeness_means_the_same_on_aws_and_on_one_machine() -> None:
    """Every field arrives in its type, and none beside them; what is no name of a repository stays one text."""
    body: dict[str, Any] = {"repo": REPOS[0], "max_results": 3, "filters": {"language": "C'#", "exclude": []}}
    body |= {"sources": None, "ignore": [], "config": {"max_candidates": 20}, "sort": "stars"}
    request = execution_input("/like", json.dumps(body))["request"]
    assert parse_request(request) == parse_request(like_fields(body))
    for text in HOSTILE:
        request = execution_input("/like", json.dumps({"repo": text}))["request"]
        assert request == {"query": f"like {text}" if text else ""}
