"""The contract has what the library accepts and returns, and CloudFormation and API Gateway can read their part."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import goldpan
import pytest
from goldpan.contracts import parse_request
from goldpan.contracts.validation_errors import parse_fields
from goldpan.engine.problem_details import STATUSES, problem
from goldpan.errors import InvalidRequest, SourcesLimited
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.sources.library.requests import OPERATIONS, ChunksAnswer, LibraryAnswer
from goldpan.kinds.repositories.analysis.analyze import ANALYZER
from goldpan.kinds.repositories.analysis.models import Analysis
from goldpan.kinds.repositories.names import like_fields, parse_compare_request
from goldpan.known import Known, Preview
from openapi_spec_validator import validate
from pydantic import BaseModel

from api.generate import generate
from tests.contract.openapi import contract
from tests.contract.openapi.contract import CONTRACT, EXAMPLE, IMPORTED, SCHEMAS, SERVED, as_written
from tests.contract.openapi.gateway import INTEGRATION
from tests.contract.stack.documents import resources
from tests.support.factories import NOW

WRITTEN, OF_GATEWAY = as_written("SearchRequest"), contract.as_imported("SearchRequest")
PARSERS: dict[str, Callable[[Any], object]] = {
    "/search": parse_request,
    "/compare": parse_compare_request,
    "/like": lambda fields: parse_request(like_fields(fields)),
    "/analyze-repo": ANALYZER.parse,
    **{path: partial(parse_fields, each) for path, each in OPERATIONS.items()},
}
"""How the library reads the request of each path."""
RESPONSES: dict[str, type[BaseModel]] = {
    "/search": Answer, "/analyze-repo": Analysis, "/library/search": LibraryAnswer, "/library/chunks": ChunksAnswer,
}  # fmt: skip


def _valid(request: object) -> tuple[bool, bool]:
    """Return whether a request is valid as written, and for the library."""
    try:
        parse_request(request)
    except InvalidRequest:
        return WRITTEN.is_valid(request), False
    return WRITTEN.is_valid(request), True


@pytest.mark.parametrize("blank", ["", "\n\t", "\u3000\u2028"])
@pytest.mark.parametrize("text", ["x", "x" * 5000, "a b", "\U0001f600" * 5000])
def test_a_query_is_measured_after_trimming(text: str, blank: str) -> None:
    """The contract and the library agree; a character outside of the basic plane counts as one."""
    papers = {"kinds": ["papers"]}
    assert _valid({"query": blank + text + blank, **papers}) == (True, True)
    for invalid in ("", "a\nb", "a\x85b", text[0] * 5001):
        assert _valid({"query": blank + invalid + blank, **papers}) == (False, False)
    assert _valid({"query": text[0] * 501}) == (True, False)  # how long it may be depends on the kinds
    assert _valid({"query": blank + "\ud83d" + blank}) == (True, False)  # half a character is no text at all


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"config": {"coarse_filter": {"min_stars": None}}}, (True, True)),
        ({"max_results": 26}, (False, False)),
        ({"filters": {"language": "C++", "license": None, "topics": ["Web App"]}}, (True, True)),
        ({"filters": {"min_stars": 9, "max_stars": 8}}, (True, False)),
        ({"kinds": ["papers"], "filters": {"types": ["review"]}, "sort": "year"}, (True, True)),
        ({"filters": {"year_from": 2020}}, (True, False)),  # of a kind that is not requested
        ({"unknown": 1}, (False, False)),
        ({"config": {"llm_timeout_seconds": 0}}, (False, False)),
        ({"config": {"dimension_weights": {"maturity": 0.9}}}, (True, False)),  # a sum, which no schema expresses
        ({"max_results": "10"}, (False, True)),  # the library converts types for callers in Python
        ({"sources": ["unheard-of"]}, (False, False)),
    ],
)  # fmt: skip
def test_the_gateway_is_never_stricter_than_the_contract(fields: dict[str, Any], expected: tuple[bool, ...]) -> None:
    """What a schema cannot express, the library refuses: valid as written, and for the library."""
    request = {"query": "x", **fields}
    assert _valid(request) == expected
    assert OF_GATEWAY.is_valid(request) or not expected[0]


@pytest.mark.parametrize("fields", [{"query": None}, {"max_results": "3"}, {"offset": {}}, {"kinds": "papers"}])
def test_the_gateway_refuses_what_the_machine_cannot_read(fields: dict[str, Any]) -> None:
    """A field of another type, or no question: the machine makes the key of the cache before the library reads."""
    assert OF_GATEWAY.is_valid({"query": "x"})
    assert not OF_GATEWAY.is_valid({"query": "x", **fields})
    assert not OF_GATEWAY.is_valid({})


@pytest.mark.parametrize("path", ["/compare", "/like"])
def test_the_gateway_refuses_what_a_template_does_not_copy(path: str) -> None:
    """The library would never see the field, and could not refuse it."""
    content = CONTRACT["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    imported = contract.as_imported(content["schema"]["$ref"].rpartition("/")[2])
    for example in content["examples"].values():
        assert imported.is_valid(example["value"])
        assert not imported.is_valid({**example["value"], "qury": "x"})


@pytest.mark.parametrize("path", PARSERS)
def test_the_examples_are_valid(path: str) -> None:
    """What the contract shows can be sent, and is what the library returns, field by field."""
    operation = CONTRACT["paths"][path]["post"]
    content = operation["requestBody"]["content"]["application/json"]
    for example in content["examples"].values():
        as_written(content["schema"]["$ref"].rpartition("/")[2]).validate(example["value"])
        assert PARSERS[path](example["value"])
    content = contract.response(operation, "200")["content"]["application/json"]
    for example in content["examples"].values():
        as_written(content["schema"]["$ref"].rpartition("/")[2]).validate(example["value"])
        answer = RESPONSES.get(path, Answer).model_validate(example["value"])
        assert json.loads(answer.model_dump_json()) == example["value"]


def test_the_examples_of_problems_are_those_of_their_status() -> None:
    """Each response that is shared has problem details; only 429 and 503 can be tried again."""
    search = CONTRACT["paths"]["/search"]["post"]
    declared = search["responses"]
    assert {str(status) for status, _ in STATUSES.values()} | {"200"} <= set(declared)
    for status in set(declared) - {"200", "202"}:
        given = contract.response(search, status)
        [(media, content)] = given["content"].items()
        assert media == "application/problem+json"
        assert ("Retry-After" in given.get("headers", {})) == (status in {"429", "503"})
        for example in content["examples"].values():
            as_written("Problem").validate(example["value"])
            assert example["value"]["status"] == int(status)


def test_a_response_of_the_library_keeps_the_contract() -> None:
    """An answer with and without its section, an empty one, and problem details are valid."""
    empty = Answer(query="x", mode="balanced", answered_at=NOW)
    for answer in (EXAMPLE, EXAMPLE.model_copy(update={"sections": {}}), empty):
        as_written("Answer").validate(json.loads(answer.to_json()))
    error = SourcesLimited("later", NOW)
    found = {"repositories": (Preview(title="a/b"),)}
    error.known = Known(interpretation=EXAMPLE.interpretation, sources=EXAMPLE.sources, candidates=found)
    details = json.loads(problem(error, NOW).body)
    as_written("Problem").validate(details)
    assert set(details) == set(SCHEMAS["Problem"]["properties"])


def test_a_schema_describes_its_fields() -> None:
    """By their docstrings and defaults, none of which a generated client would require; a response has every field."""
    assert CONTRACT["info"]["version"] == goldpan.__version__
    request, section = SCHEMAS["SearchRequest"], SCHEMAS["PaperCollection"]
    assert request["required"] == ["query"]
    assert request["properties"]["max_results"]["description"] == "The results of a page, of each kind. Default 10."
    assert '"default"' not in json.dumps(SCHEMAS)
    assert section["required"] == list(section["properties"])
    assert section["properties"]["dropped"]["description"].startswith("How many candidates each rule")
    assert SCHEMAS["Answer"]["properties"].keys() - SCHEMAS["Answer"]["required"] == {"repositories", "papers"}


def test_the_generated_files_are_up_to_date_and_can_be_included() -> None:
    """`make api` changes neither; for CloudFormation there is no null, and functions are long, below x-amazon-*."""
    for path, text in generate().items():
        assert path.read_text("utf-8") == text, "run `make api`"
    validate(CONTRACT)
    validate(IMPORTED)
    assert [path for path, value in _walk(IMPORTED) if value is None] == []
    functions = [path for path, _ in _walk(IMPORTED) if path and path[-1] in {"Fn::Sub", "Fn::If", "Ref"}]
    assert {path[-1] for path in functions} == {"Fn::Sub", "Fn::If", "Ref"}
    paths = [path for path, value in _walk(IMPORTED) if isinstance(value, str) and "${" in value]
    assert all("Fn::Sub" in path[-2:] for path in paths)
    assert all(any(part.startswith("x-amazon-") for part in path) for path in (*functions, *paths))


def _walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _walk(inner, (*path, str(key)))


def test_api_gateway_can_import_it() -> None:
    """Only declared responses and overrides have effect."""
    [api] = resources("AWS::Serverless::Api").values()
    assert api["FailOnWarnings"] is True
    for operation in SERVED.values():
        integration = operation["x-amazon-apigateway-integration"]
        assert {each["statusCode"] for each in integration["responses"].values()} <= set(operation["responses"])
        overrides = set(re.findall(r"\$context\.responseOverride\.([\w.-]*)", json.dumps(integration)))
        overrides -= {f"header.Access-Control-{name}" for name in ("Allow-Origin", "Expose-Headers")}
        own = ("Cache-Control", "Content-Type", "Location", "Preference-Applied", "Retry-After", "x-request-id")
        assert overrides <= {"status", *(f"header.{name}" for name in own)}


def test_every_operation_but_health_needs_a_key_and_a_valid_json_body() -> None:
    """The key is required at the operation, the body is validated before anything starts, health is open."""
    assert SERVED.keys() == CONTRACT["paths"].keys()
    for path, operation in SERVED.items():
        is_open = path == "/health"
        authorization = {"type": "NONE" if is_open else {"Fn::Sub": "${ApiAuthorization}"}}
        assert operation["security"] == ([] if is_open else [{"api_key": []}])
        assert operation["x-amazon-apigateway-auth"] == authorization
        integration = operation["x-amazon-apigateway-integration"]
        assert integration["passthroughBehavior"] == "never"
        if "requestBody" in CONTRACT["paths"][path].get("post", {}):
            name = operation["x-amazon-apigateway-request-validator"]
            assert IMPORTED["x-amazon-apigateway-request-validators"][name]["validateRequestBody"] is True
            assert integration["uri"] == INTEGRATION["uri"], "all shift together"
