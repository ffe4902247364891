"""What the server is sent: calls that are broken in every way, and requests with one number in question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from goldpan_local.serve.refusals import MAX_BODY
from hypothesis import strategies as st

from tests.contract.openapi.contract import SCHEMAS
from tests.integration.serve.judging import KEY
from tests.integration.serve.process import QUESTION

BODY = json.dumps(QUESTION).encode()
MUTATED = st.builds(
    lambda cut, more, rest: BODY[:cut] + more + BODY[cut + rest :],
    st.integers(0, len(BODY)),
    st.binary(max_size=6) | st.sampled_from([b"\xef\xbb\xbf", b"NaN", b"1e999", b'"\\ud800"', b"[" * 5000, b'"a":1,']),
    st.integers(0, 8),
)
OVERSIZED = st.integers(-1, 1).map(lambda more: BODY.ljust(MAX_BODY + more))
CALLS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "method": st.sampled_from(["POST", "POST", "POST", "GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"]),
        "url": st.sampled_from(
            ["/search", "/search", "/search", "/health", "/openapi.json", "/search/", "/", "/%2e%2e"]
        ),
        "content": MUTATED | MUTATED | OVERSIZED | st.just(BODY) | st.binary(max_size=40),
        "headers": st.fixed_dictionaries(
            {},
            optional={
                "x-api-key": st.sampled_from([KEY, KEY, KEY, "", "other", KEY + " x", KEY.upper()]),
                "content-type": st.sampled_from(
                    ["application/json", "Application/JSON;charset=utf-8", "text/json", "", "application/x-ndjson"]
                ),
                "x-request-id": st.sampled_from(["one", "two words", "x" * 65]),
            },
        ),
    }
)


def numbers(schema: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """List the numbers of a request, each with its path; a table of prices has one named `any-model`."""
    if "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    for form in (schema, *schema.get("anyOf", ())):
        if form.get("type") in {"integer", "number"}:
            yield path, form
    for name, inner in schema.get("properties", {}).items():
        yield from numbers(inner, (*path, name))
    if isinstance(schema.get("additionalProperties"), dict):
        yield from numbers(schema["additionalProperties"], (*path, "any-model"))


def request_with(path: tuple[str, ...], value: object) -> dict[str, Any]:
    """Make a request with one value at a path; the weights that have to sum to 1 and the other price are beside it."""
    for name in reversed(path):
        price = {"input": 1, "output": 1} if name in {"input", "output"} else {}
        value = {**price, name: value}
    assert isinstance(value, dict)
    return {**QUESTION, **value}


NUMBERS = list(numbers(SCHEMAS["SearchRequest"]))
