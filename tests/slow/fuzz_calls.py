"""The calls of the fuzz campaign, and how each must be answered."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from tests.contract.openapi.contract import as_written
from tests.integration.serve.process import QUESTION

KEY = "good-key"
MAX_BODY = 65_536
BODY = json.dumps(QUESTION).encode()
METHODS = {"/search": {"POST"}, "/health": {"GET", "HEAD"}, "/openapi.json": {"GET", "HEAD"}}
REQUEST, ANSWER, PROBLEM = as_written("SearchRequest"), as_written("Answer"), as_written("Problem")
BEYOND_THE_SCHEMA = (
    "must sum to 1",
    "at least one strategy needs a weight above 0",
    "should have at most 100 characters",
    "holds no word to search for",
    "is unknown; allowed: ",
    "cannot be queried here",
)
"""Parts of the messages that refuse a request that is valid by the schema."""
MUTATED = st.builds(
    lambda cut, more, rest: BODY[:cut] + more + BODY[cut + rest :],
    st.integers(0, len(BODY)),
    st.binary(max_size=6) | st.sampled_from([b"\xef\xbb\xbf", b"NaN", b"1e999", b'"\\ud800"', b"[" * 5000, b'"a":1,']),
    st.integers(0, 8),
)
OVERSIZED = st.integers(-1, 1).map(lambda more: BODY.ljust(MAX_BODY + more))
HEADERS = {
    "x-api-key": st.sampled_from([KEY, KEY, KEY, "", "other", KEY + " x", KEY.upper()]),
    "content-type": st.sampled_from(
        ["application/json", "Application/JSON;charset=utf-8", "text/json", "", "application/x-ndjson"]
    ),
    "x-request-id": st.sampled_from(["one", "two words", "x" * 65]),
}
CALLS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "method": st.sampled_from(["POST", "POST", "POST", "GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"]),
        "url": st.sampled_from(
            ["/search", "/search", "/search", "/health", "/openapi.json", "/search/", "/", "/%2e%2e"]
        ),
        "content": MUTATED | MUTATED | OVERSIZED | st.just(BODY) | st.binary(max_size=40),
        "headers": st.fixed_dictionaries({}, optional=HEADERS),
    }
)


def expected_status(method: str, path: str, headers: dict[str, str], body: bytes) -> int | None:
    """Return the status of a call that is answered without parsing its body, else None."""
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


def check_problem(status: int, content_type: str, body: bytes) -> str:
    """Check problem details against the contract and for internals; returns the detail."""
    assert content_type == "application/problem+json"
    details = json.loads(body)
    PROBLEM.validate(details)
    assert details["status"] == status
    assert not [word for word in ("Traceback", ".py", KEY) if word in details["detail"]]
    return str(details["detail"])


def check_search(status: int, content_type: str, body: bytes, sent: bytes | str | None) -> None:
    """Check the response to a search with a key: 200 if and only if the contract accepts the body."""
    try:
        request: Any = json.loads(sent or b"", parse_constant=lambda name: {"not JSON": name})
    except (ValueError, RecursionError):
        request = {"not JSON": True}
    valid = REQUEST.is_valid(request)
    if status == 200:
        assert (content_type, valid) == ("application/json", True), request
        ANSWER.validate(json.loads(body))
        return
    detail = check_problem(status, content_type, body)
    assert status == 400, detail
    assert not valid or any(reason in detail for reason in BEYOND_THE_SCHEMA), detail
