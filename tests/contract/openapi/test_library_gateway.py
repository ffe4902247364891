"""The gateway sends the requests of a library to the function, and says to which projects a key is bound."""

from __future__ import annotations

import json

import pytest
from goldpan.aws.events import LibraryEvent, parse_event
from goldpan.engine.problem_details import problem
from goldpan.errors import Forbidden, SourcesFailed

from tests.contract.openapi.contract import SERVED
from tests.contract.openapi.gateway import execution_input, library_reply, sent, start_link, without_key
from tests.contract.openapi.test_gateway import HOSTILE
from tests.support.factories import NOW

PATHS = ("/library/search", "/library/chunks")
KEYS = {"a1b2c3": "thesis,notes", "d4": "team", "a1b2c": None, "b2c3": None, "": None, "d4=team": None, "A1B2C3": None}
"""The projects of each key, None for all: the id counts as a whole."""


@pytest.mark.parametrize(("key", "projects"), KEYS.items())
def test_a_key_is_bound_to_its_projects_on_every_path(key: str, projects: str | None) -> None:
    """The caller cannot say so itself: what it sends stays inside of the request."""
    mine = {"query": "x", "project_id": "thesis", "projects": "*"}
    bound = {} if projects is None else {"projects": projects}
    for body in (json.dumps(mine), json.dumps(mine) + ', "projects": "*"}'):
        assert execution_input("/search", body, key=key) == {"request": mine, **bound}
        for path in PATHS:
            assert sent(path, body, key=key) == {"stage": "library", "path": path, "request": mine, **bound}
    assert without_key(start_link(("q", "x"), ("project_id", "a"), key=key)) == {
        "request": {"query": "x", "project_id": "a"},
        **bound,
    }


@pytest.mark.parametrize("path", PATHS)
def test_a_request_and_its_response_arrive_unchanged(path: str) -> None:
    """Any text; the function reads the event; an answer and a problem keep status, type, Retry-After and bytes."""
    for text in HOSTILE:
        event = sent(path, json.dumps({"query": text}))
        parsed = parse_event(event)
        assert isinstance(parsed, LibraryEvent)
        assert parsed.request == {"query": text}
    answer = {
        "statusCode": 200,
        "contentType": "application/json",
        "retryAfter": "",
        "body": json.dumps({"a": HOSTILE}),
    }
    for made in (answer, problem(SourcesFailed("x"), NOW).model_dump(), problem(Forbidden("x"), NOW).model_dump()):
        received = library_reply(path, made)
        assert (received.status, received.body) == (made["statusCode"], made["body"])
        again = {"Retry-After": made["retryAfter"]} if made["retryAfter"] else {}
        assert received.headers == {"Content-Type": made["contentType"], **again}


@pytest.mark.parametrize("path", PATHS)
def test_a_library_needs_the_same_key_as_a_search(path: str) -> None:
    """The same authorization, a valid body before anything runs, and time for the function to start and to end."""
    search, own = SERVED["/search"], SERVED[path]
    for name in ("security", "x-amazon-apigateway-auth", "x-amazon-apigateway-request-validator"):
        assert own[name] == search[name]
    integration = own["x-amazon-apigateway-integration"]
    assert integration["passthroughBehavior"] == "never"
    assert "${ScoutFunction.Alias}" in integration["uri"]["Fn::Sub"]
    assert 12_000 <= integration["timeoutInMillis"] <= 29_000
