"""Holds what the server answered against what it was sent, by the contract and by the rules that no schema can say."""

from __future__ import annotations

import json
from typing import Any

from goldpan_local.serve.refusals import MAX_BODY

from tests.contract.openapi.contract import as_written

KEY = "good-key"
REQUEST, ANSWER, PROBLEM = as_written("SearchRequest"), as_written("Answer"), as_written("Problem")
SAID_BEYOND_THE_SCHEMA = (
    "must sum to 1",
    "at least one strategy needs a weight above 0",
    "should have at most 100 characters",
    "holds no word to search for",
    "'papers' cannot be searched yet",
    "cannot be asked here",
)
"""Why a request may be refused that the schema takes: the descriptions beside it tell of these."""
METHODS = {"/search": {"POST"}, "/health": {"GET", "HEAD"}, "/openapi.json": {"GET", "HEAD"}}


def problem_of(status: int, kind: str, body: bytes) -> str:
    """Read problem details that keep the contract, name their own status and show nothing of the inside."""
    assert kind == "application/problem+json"
    details = json.loads(body)
    PROBLEM.validate(details)
    assert details["status"] == status
    assert not [word for word in ("Traceback", ".py", KEY) if word in details["detail"]]
    return str(details["detail"])


def judge_search(status: int, kind: str, body: bytes, sent: bytes | str | None) -> None:
    """Judge the answer to a body of JSON that came with a key: taken if and only if the contract takes it."""
    asked = read(sent)
    valid = REQUEST.is_valid(asked)
    if status == 200:
        assert kind == "application/json"
        assert valid, asked
        ANSWER.validate(json.loads(body))
        return
    detail = problem_of(status, kind, body)
    if "cannot be asked here" in detail:  # whoever was named is not here
        assert "catalogue" not in asked["sources"]
    assert status == 400, detail
    assert not valid or any(reason in detail for reason in SAID_BEYOND_THE_SCHEMA), detail


def read(sent: bytes | str | None) -> Any:
    """Read a body as JSON; what is none is an object that no contract takes."""
    try:
        return json.loads(sent or b"", parse_constant=lambda name: {"no JSON": name})
    except (ValueError, RecursionError):
        return {"no JSON": True}


def refusal(method: str, path: str, headers: dict[str, str], body: bytes) -> int | None:
    """Tell with which status a call is refused before its body is read as a request; None where it is read."""
    if path not in METHODS:
        return 404
    if method not in METHODS[path]:
        return 405
    if path != "/search":
        return 200
    sent = {name.lower(): value for name, value in headers.items()}
    if sent.get("x-api-key") != KEY:
        return 403
    if sent.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return 415
    return 413 if len(body) > MAX_BODY else None
