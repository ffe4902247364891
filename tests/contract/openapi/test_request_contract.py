"""The contract and the library take the same requests."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.contracts import SearchRequest, parse_request
from goldpan.errors import InvalidRequest
from hypothesis import given, settings

from tests.contract.openapi.asked import ANYTHING, REQUESTS
from tests.contract.openapi.contract import CONTRACT, SCHEMAS, SEARCH, as_imported, as_written
from tests.contract.openapi.models import plain

WRITTEN, IMPORTED = as_written("SearchRequest"), as_imported("SearchRequest")


def accepted(request: object) -> bool:
    """Tell whether the library takes a request."""
    try:
        parse_request(request)
    except InvalidRequest:
        return False
    return True


def test_every_field_bound_default_and_name_is_the_library_s() -> None:
    """The two schemas are equal but for what is said in other words, or cannot be said."""
    written = plain(SCHEMAS["SearchRequest"], CONTRACT)
    model = SearchRequest.model_json_schema()
    library = plain(model, model)
    assert {"minLength": 1, "maxLength": 500}.items() <= library["properties"].pop("query").items()
    assert set(written["properties"].pop("query")) == {"type", "minLength", "pattern"}
    assert written["properties"]["sources"].pop("minItems") == 1
    assert written == library


@given(REQUESTS)
@settings(max_examples=500, deadline=None)
def test_what_the_contract_takes_the_library_takes(request: Any) -> None:
    """A request is valid by the contract if and only if the library takes it."""
    assert WRITTEN.is_valid(request) == accepted(request)


@given(ANYTHING)
@settings(max_examples=100, deadline=None)
def test_what_is_no_request_is_none_for_both(body: Any) -> None:
    """The same for bodies that are wrong in many ways, or nothing like a request."""
    assert WRITTEN.is_valid(body) == accepted(body)


@given(REQUESTS)
@settings(max_examples=300, deadline=None)
def test_the_gateway_refuses_nothing_that_the_library_takes(request: Any) -> None:
    """Also with what the gateway does not know of the schemas left out, it is never the stricter of the two."""
    assert IMPORTED.is_valid(request) or not accepted(request)


def test_the_requests_made_up_are_of_both_kinds() -> None:
    """Enough of them are right, and enough are wrong, for the comparison to mean anything."""
    seen = list[bool]()

    @given(REQUESTS)
    @settings(max_examples=300, deadline=None, database=None, derandomize=True)
    def look(request: Any) -> None:
        seen.append(accepted(request))

    look()
    assert 0.25 < sum(seen) / len(seen) < 0.75


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u3000\u2028"])
@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("x", True), ("x" * 500, True), ("x" * 501, False), ("", False), ("\U0001f600" * 500, True),
        ("\U0001f600" * 501, False), ("a\nb", False), ("a b", True), ("a\x85b", False), ("\ud83d", False),
    ],
)  # fmt: skip
def test_a_question_is_measured_after_trimming(text: str, taken: bool, blank: str) -> None:  # noqa: FBT001
    """Blanks around a question count nowhere, and a character outside the basic plane is one."""
    request = {"query": blank + text + blank}
    assert accepted(request) == taken
    assert WRITTEN.is_valid(request) == taken
    assert IMPORTED.is_valid(request) == taken


@pytest.mark.parametrize(
    "config",
    [
        {"dimension_weights": {"maturity": 0.9}},
        {"strategy_weights": {"stars": 0, "recency": 0, "expanded": 0}},
        {"llm_prices": {"m" * 101: {"input": 1, "output": 1}}},
    ],
)
def test_what_the_schema_cannot_say_the_library_refuses(config: dict[str, Any]) -> None:
    """A sum, a weight that one of several needs and the length of a name are left to the library."""
    assert WRITTEN.is_valid({"query": "x", "config": config})
    assert not accepted({"query": "x", "config": config})


@pytest.mark.parametrize(
    "request_",
    [
        {"query": "x", "sources": []},
        {"query": "x", "kinds": []},
        {"query": "x", "config": {"llm_timeout_seconds": 0}},
    ],
)
def test_what_the_gateway_cannot_check_the_library_refuses(request_: dict[str, Any]) -> None:
    """The contract says it, the gateway does not know the words, the library refuses it."""
    assert IMPORTED.is_valid(request_)
    assert not WRITTEN.is_valid(request_)
    assert not accepted(request_)


def test_an_unknown_field_of_a_price_is_refused() -> None:
    """A price with a field that nobody knows is refused by both."""
    request = {"query": "x", "config": {"llm_prices": {"m": {"input": 1, "output": 1, "unknown": 1}}}}
    assert not WRITTEN.is_valid(request)
    assert not accepted(request)


@pytest.mark.parametrize(
    ("field", "value"),
    [("max_results", "10"), ("max_results", 10.0), ("max_results", True), ("max_seconds", "7")],
)
def test_over_http_a_number_is_a_number(field: str, value: object) -> None:
    """The library reads numbers out of other types for callers in Python; the contract does not promise it."""
    assert accepted({"query": "x", field: value})
    assert not WRITTEN.is_valid({"query": "x", field: value})


@pytest.mark.parametrize("value", ["yes", 1, "false"])
def test_over_http_a_switch_is_a_boolean(value: object) -> None:
    """The same for switches."""
    request = {"query": "x", "config": {"coarse_filter": {"require_readme": value}}}
    assert accepted(request)
    assert not WRITTEN.is_valid(request)


@pytest.mark.parametrize("field", ["min_stars", "pushed_within_months", "require_readme", "max_age_years"])
def test_a_rule_can_be_switched_off_through_the_gateway(field: str) -> None:
    """Null reaches the library, though the gateway does not know `nullable`."""
    request = {"query": "x", "config": {"coarse_filter": {field: None}}}
    assert IMPORTED.is_valid(request)
    assert accepted(request)


@pytest.mark.parametrize("body", [None, "x", 1, True, [], [{"query": "x"}]])
def test_only_an_object_is_a_request(body: object) -> None:
    """Any other JSON is refused at the gateway."""
    assert not IMPORTED.is_valid(body)


@pytest.mark.parametrize("name", ["question", "tuned"])
def test_the_examples_are_requests(name: str) -> None:
    """What the contract shows can be sent."""
    media = SEARCH["requestBody"]["content"]["application/json"]
    request = media["examples"][name]["value"]
    WRITTEN.validate(request)
    assert parse_request(request).query == "Rust web framework"
