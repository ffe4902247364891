"""What is wrong with a request is told as a problem, whatever was sent."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from goldpan_local.serve import request_body
from goldpan_local.serve.refusals import MAX_BODY
from goldpan_local.serve.searches import Searches

from tests.unit.local.serving import QUESTION, called, problem_of, runtime, serving

JSON = {"content-type": "application/json"}


def refused(raw: bytes | str, said: str) -> None:
    """Post a body, and see it refused as a wrong request."""
    response = serving().post("/search", content=raw, headers=JSON)
    assert response.status_code == 400
    details = problem_of(response)
    assert details["type"] == "urn:goldpan:problem:invalid-request"
    assert said in details["detail"]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "not JSON: EOF"),
        (b"{", "not JSON"),
        (b'{"query": "x"} {"refresh": true}', "not JSON: trailing characters"),
        (b"query=x", "not JSON"),
        (b'{"query": "a\xff"}', "not JSON: invalid unicode"),
        (b'{"query": "\\ud800"}', "not JSON"),
        ('{"query": "x"}'.encode("utf-16"), "not JSON"),
        (b"[" * 60_000, "not JSON: recursion limit"),
        (b'{"a":' * 10_000, "not JSON: recursion limit"),
        (b'{"query": "x", "max_results": ' + b"9" * 5000 + b"}", "not JSON: number out of range"),
        (b'{"query": "x", "config": {"relevance_weight": NaN}}', "not JSON"),
        (b'{"query": "x", "config": {"relevance_weight": 1e999}}', "relevance_weight"),
        (b"null", "request: Input should be a valid dictionary"),
        (b"[]", "request: Input should be a valid dictionary"),
        (b'{"query": 5}', "query: Input should be a valid string"),
        (b'{"query": "a\\u0000b"}', "control characters"),
        (b'{"query": "x", "refresh": true}', "refresh: unknown field"),
        (b'{"query": "x", "max_results": "10"}', "max_results: Input should be a valid integer"),
        (b'{"query": "x", "max_results": true}', "max_results: Input should be a valid integer"),
        (b'{"query": "x", "kinds": ["papers"]}', "'papers' cannot be searched yet"),
    ],
)
def test_a_hostile_body_is_refused_by_name(raw: bytes, said: str) -> None:
    """Whatever a body is, it is refused as a problem that says what is wrong with it."""
    refused(raw, said)


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json"]
)
def test_another_type_than_json_is_refused(kind: str) -> None:
    """Nothing but application/json is read: no page of a stranger makes a browser send that unasked."""
    headers = {"content-type": kind} if kind else {}
    response = serving().post("/search", content=json.dumps(QUESTION).encode(), headers=headers)
    assert response.status_code == 415
    assert problem_of(response)["detail"] == "Send the request as application/json."


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8", "application/json;q=1"])
def test_json_is_read_whatever_its_parameters(kind: str) -> None:
    """The parameters of the type and its letters' case do not matter."""
    content = json.dumps(QUESTION).encode()
    assert serving().post("/search", content=content, headers={"content-type": kind}).status_code == 200


def test_a_body_may_be_as_large_as_is_said() -> None:
    """Up to the limit a body is read; one byte more is too large, whether its length is told or not."""
    text = json.dumps(QUESTION).encode()
    assert serving().post("/search", content=text.ljust(MAX_BODY), headers=JSON).status_code == 200
    larger = text.ljust(MAX_BODY + 1)
    for content in (larger, iter([larger[:100], larger[100:]])):
        response = serving().post("/search", content=content, headers=JSON)
        assert response.status_code == 413
        assert problem_of(response)["detail"] == "A request has 65,536 bytes at most."


@pytest.mark.parametrize("length", ["9" * 5000, "-1", "x", "99999999"])
def test_a_length_that_is_none_is_too_large(length: str) -> None:
    """A length that nobody can send is refused before a byte is read."""
    response = serving().post("/search", content=b"", headers={**JSON, "content-length": length})
    assert response.status_code == 413


def test_a_body_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that stops in the middle of its body is told that it was too slow."""
    monkeypatch.setattr(request_body, "BODY_SECONDS", 0.05)
    begun = [{"type": "http.request", "body": b'{"que', "more_body": True}]

    async def receive() -> dict[str, Any]:
        if begun:
            return begun.pop()
        await asyncio.Event().wait()
        raise AssertionError

    head, body = asyncio.run(called(Searches(runtime(), 1), receive))
    assert head["status"] == 408
    assert (b"connection", b"close") in head["headers"]
    assert json.loads(body["body"])["type"] == "urn:goldpan:problem:too-slow"
