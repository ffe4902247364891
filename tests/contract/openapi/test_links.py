"""The gateway maps a link to the request that the library reads from it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.engine.query_string import parameters, parse_query, parse_unmapped
from goldpan.errors import InvalidRequest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.openapi.contract import BY_LINK, SCHEMAS, SERVED
from tests.contract.openapi.gateway import start_link, without_key
from tests.contract.openapi.test_gateway import HOSTILE, TEXTS

NAMES = [each.name for each in parameters()]
VALUES = TEXTS | st.sampled_from(["10", "26", "007", "-1", "x", "1e3", "true", "stars", "focused", "repositories", ""])
Link = list[tuple[str, str]]


def read(parse: Any, value: object) -> object:
    """Return the request, or the message that refuses it."""
    try:
        return parse(value)
    except InvalidRequest as error:
        return str(error)


@given(st.lists(st.tuples(st.sampled_from(NAMES) | TEXTS, VALUES), max_size=4), TEXTS.filter(bool))
@settings(max_examples=20)
def test_a_link_means_the_same_on_aws_and_on_one_machine(link: Link, question: str) -> None:
    """Every text arrives unchanged; what is refused is refused with the same words, and no flag can be set."""
    for pairs in (link, [("q", question), *link]):
        value = start_link(*pairs)
        assert without_key(value).keys() == {"request"}
        ordered = [(name, each) for name in dict(pairs) for other, each in pairs if other == name]
        assert read(parse_unmapped, value["request"]) == read(parse_query, ordered)


@pytest.mark.parametrize("text", [text for text in HOSTILE if text])
def test_a_question_of_any_text_arrives_unchanged(text: str) -> None:
    """Quotes, backslashes, apostrophes, Velocity and other scripts, in a text, in a list and in an unknown name."""
    value = start_link(("q", text), ("exclude", text), ("exclude", "b"))
    assert without_key(value) == {"request": {"query": text, "filters": {"exclude": [text, "b"]}}}
    assert start_link((text, "x")) == {"request": {"query_string": [[text, "x"]]}}


def test_a_link_has_the_request_of_a_body() -> None:
    """The same types, and one order whatever that of the link, because the text of the request is the key."""
    link = [("min_stars", "100"), ("sort", "stars"), ("topics", "ui"), ("topics", ""), ("topics", "web")]
    link += [("q", "React"), ("max_results", "5"), ("sources", "github"), ("language", ""), ("max_seconds", "007")]
    body = {"query": "React", "max_results": 5, "max_seconds": "007", "sources": ["github"], "sort": "stars"}
    expected = {**body, "filters": {"min_stars": 100, "topics": ["ui", "web"]}}
    for given_ in (link, link[::-1]):
        request = start_link(*given_)["request"]
        request["filters"]["topics"].sort()
        assert json.dumps(request) == json.dumps(expected)
    assert parse_request(expected) == parse_query(link)


def test_a_gateway_that_keeps_one_value_of_a_name_still_maps_links() -> None:
    """The map of repeated parameters is in no reference of API Gateway's variables, though its mappings name it."""
    value = start_link(("q", "it's"), ("topics", "a"), ("max_results", "3"), repeats=False)
    assert without_key(value) == {"request": {"query": "it's", "max_results": 3, "filters": {"topics": ["a"]}}}


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ([], "q: is required: the question"),
        ([("q", "x"), ("q", "y")], "q: given more than once"),
        ([("q", "x"), ("query", "y")], "query: unknown parameter (allowed: q, kinds, "),
        ([("q", "x"), ("max_results", "many")], "max_results: must be a whole number (given 'many')"),
        ([("q", "x"), ("max_results", "26")], "max_results: must be at most 25 (given 26)"),
    ],
)
def test_an_invalid_link_is_refused_by_name(link: Link, message: str) -> None:
    """Also one for which there is no request; a body cannot take the place of such a link."""
    with pytest.raises(InvalidRequest) as refused:
        parse_unmapped(start_link(*link)["request"])
    assert str(refused.value).startswith(message)
    for body in ({"query_string": [["q", "x"]], "mode": "focused"}, {"query_string": [["q"]]}, {"query_string": "q=x"}):
        with pytest.raises(InvalidRequest, match="query_string: unknown field"):
            parse_unmapped(body)


def test_a_link_needs_what_a_body_needs() -> None:
    """The same key, authorization and responses; without a body there is nothing for the validator."""
    search, integration = SERVED["/search"], dict(BY_LINK["x-amazon-apigateway-integration"])
    assert all(BY_LINK[name] == search[name] for name in ("security", "x-amazon-apigateway-auth"))
    template = integration.pop("requestTemplates")["application/json"]["Fn::Sub"][0]
    assert set(re.findall(r"\$\{\w*\}?", template)) == {"${Machine}", "${ApiKeyProjects}"}
    expected = dict(search["x-amazon-apigateway-integration"])
    del expected["requestTemplates"]
    assert integration == expected
    assert "x-amazon-apigateway-request-validator" not in BY_LINK
    fields = {**SCHEMAS["Filters"]["properties"], **SCHEMAS["SearchRequest"]["properties"]}
    flat = fields.keys() - {"query", "filters", "previous_strategies", "config"} | {"q"}
    assert {each["name"] for each in BY_LINK["parameters"]} == flat
