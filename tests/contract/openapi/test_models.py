"""The contract is that of the library, and CloudFormation and API Gateway can read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import goldpan
import pytest
import yaml
from goldpan.contracts import Answer, SearchRequest, parse_request
from goldpan.engine.problem_details import STATUSES, problem
from goldpan.errors import InvalidRequest, SourcesLimited
from goldpan.kinds import registry
from goldpan.kinds.papers.sources.library.requests import OPERATIONS, ChunksAnswer, LibraryAnswer
from goldpan.kinds.repositories.analysis.analyze import parse_analyze_request
from goldpan.kinds.repositories.analysis.models import Analysis, AnalyzeRequest
from openapi_spec_validator import validate
from pydantic import BaseModel

from api.generate import GATEWAY, KEYWORDS, generate, model
from tests.contract.openapi.contract import (
    ANALYZE,
    CONTRACT,
    HEALTH,
    MODELS,
    ROOT,
    SCHEMAS,
    SEARCH,
    TEXT,
    as_imported,
    as_written,
    plain,
)
from tests.contract.stack.documents import resources
from tests.support.factories import NOW

RESPONSES: dict[str, Any] = SEARCH["responses"]
WRITTEN, IMPORTED = as_written("SearchRequest"), as_imported("SearchRequest")
LOOSE = ("required", "default", "additionalProperties")
"""Not compared in a response: every field is always present, and clients ignore further ones."""


def _valid(request: object) -> tuple[bool, bool, bool]:
    """Return whether a request is valid as imported, as written, and for the library."""
    try:
        parse_request(request)
    except InvalidRequest:
        return IMPORTED.is_valid(request), WRITTEN.is_valid(request), False
    return IMPORTED.is_valid(request), WRITTEN.is_valid(request), True


def test_the_request_is_that_of_the_library() -> None:
    """Fields, bounds, defaults and names are equal; the query is a pattern, kinds and sources are those registered."""
    model = SearchRequest.model_json_schema()
    written, library = plain(SCHEMAS["SearchRequest"], CONTRACT)["properties"], plain(model, model)["properties"]
    assert {"minLength": 1, "maxLength": 500}.items() <= library.pop("query").items()
    assert set(written.pop("query")) == {"type", "minLength", "pattern"}
    assert tuple(written["kinds"]["items"].pop("enum")) == registry.kind_names()
    assert tuple(written["sources"]["items"].pop("enum")) == registry.source_names()
    assert written["sources"].pop("minItems") == 1
    kinds = registry.all_kinds()
    assert set(written["sort"].pop("enum")) == {sort for kind in kinds for sort in kind.sorts}
    models = [kind.filters.model_json_schema() for kind in kinds]
    of_kinds = {name: form for each in models for name, form in plain(each, each)["properties"].items()}
    assert written.pop("filters")["properties"] == of_kinds
    del library["filters"]
    assert written == library
    assert SCHEMAS["SearchRequest"]["additionalProperties"] is False


def test_the_answer_is_that_of_the_library() -> None:
    """Fields and bounds are equal, every field is required, and the section of each kind is a field."""
    model = Answer.model_json_schema(mode="validation")
    library = plain(model, model, *LOOSE)["properties"]
    del library["sections"]
    for kind in registry.all_kinds():
        section = kind.models.section.model_json_schema(mode="serialization")
        library[kind.name] = plain(section, section, *LOOSE)
    assert plain(SCHEMAS["Answer"], CONTRACT, *LOOSE)["properties"] == library
    requested = set(SearchRequest.model_json_schema()["$defs"])
    requested |= {"SearchRequest", "CompareRequest", "LikeRequest", "AnalyzeRequest", "Filters", "Problem"}
    requested |= {"LibrarySearchRequest", "LibraryFilters", "LibraryChunksRequest"}
    for name in set(SCHEMAS) - requested:
        optional = set(registry.kind_names()) if name == "Answer" else set()
        assert set(SCHEMAS[name]["required"]) == set(SCHEMAS[name]["properties"]) - optional, name


@pytest.mark.parametrize(("path", "answer"), [("/library/search", LibraryAnswer), ("/library/chunks", ChunksAnswer)])
def test_the_operations_of_a_library_are_those_of_the_library(path: str, answer: type[BaseModel]) -> None:
    """Requests and answers have the same fields and bounds, and the examples are valid."""
    written, model = CONTRACT["paths"][path]["post"], OPERATIONS[path].model
    [body] = written["requestBody"]["content"].values()
    [given] = written["responses"]["200"]["content"].values()
    name = body["schema"]["$ref"].rpartition("/")[2]
    schema = model.model_json_schema()
    form, library = plain(body["schema"], CONTRACT), plain(schema, schema)
    assert set(form["properties"].pop("query")) == {"type", "minLength", "pattern"}
    library["properties"].pop("query")
    for each in (form, library):
        each["properties"].get("filters", {}).pop("default", None)
    assert form == library
    schema = answer.model_json_schema(mode="serialization")
    assert plain(given["schema"], CONTRACT, *LOOSE) == plain(schema, schema, *LOOSE)
    for example in body["examples"].values():
        as_written(name).validate(example["value"])
        assert OPERATIONS[path].parse(example["value"])
    for example in given["examples"].values():
        assert answer.model_validate(example["value"]).model_dump(mode="json") == example["value"]


def test_the_analysis_is_that_of_the_library() -> None:
    """Fields and bounds of request and analysis are equal; the library alone checks the form of the name."""
    request, analysis = AnalyzeRequest.model_json_schema(), Analysis.model_json_schema(mode="serialization")
    assert plain(SCHEMAS["AnalyzeRequest"], CONTRACT) == plain(request, request)
    assert plain(SCHEMAS["Analysis"], CONTRACT, *LOOSE) == plain(analysis, analysis, *LOOSE)
    [content] = ANALYZE["requestBody"]["content"].values()
    for example in content["examples"].values():
        assert parse_analyze_request(example["value"]).repo == "pallets/flask"
    [content] = ANALYZE["responses"]["200"]["content"].values()
    for example in content["examples"].values():
        assert json.loads(Analysis.model_validate(example["value"]).to_json()) == example["value"]


@pytest.mark.parametrize("blank", ["", "\n\t", "\u3000\u2028"])
@pytest.mark.parametrize("text", ["x", "x" * 500, "a b", "\U0001f600" * 500])
def test_a_query_is_measured_after_trimming(text: str, blank: str) -> None:
    """The contract, its import and the library agree; a character outside of the basic plane counts as one."""
    assert _valid({"query": blank + text + blank}) == (True, True, True)
    for invalid in ("", "a\nb", "a\x85b", text[0] * 501):
        assert _valid({"query": blank + invalid + blank}) == (False, False, False)
    assert _valid({"query": blank + "\ud83d" + blank}) == (True, True, False)  # half a character is no text at all


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"max_results": 3, "sources": None}, (True, True, True)),  # null passes the gateway
        ({"config": {"coarse_filter": {"min_stars": None}}}, (True, True, True)),
        ({"max_results": 26}, (False, False, False)),
        ({"filters": {"language": "C++", "license": None, "topics": ["Web App"]}}, (True, True, True)),
        ({"filters": {"min_stars": -1}}, (False, False, False)),
        ({"filters": {"license": "unheard-of"}}, (True, True, False)),
        ({"filters": {"min_stars": 9, "max_stars": 8}}, (True, True, False)),
        ({"kinds": ["papers"], "filters": {"types": ["review"]}, "sort": "year"}, (True, True, True)),
        ({"kinds": ["papers"], "filters": {"open_access": None, "exclude": ["x" * 50]}}, (True, True, True)),
        ({"filters": {"year_from": 999}}, (False, False, False)),
        ({"filters": {"year_from": 2020}}, (True, True, False)),  # of a kind that is not requested
        ({"kinds": ["papers"], "filters": {"year_from": 2020, "year_to": 2019}}, (True, True, False)),
        ({"unknown": 1}, (False, False, False)),
        ({"config": {"llm_prices": {"m": {"input": 1, "output": 1, "unknown": 1}}}}, (False, False, False)),
        ({"sources": []}, (True, False, False)),  # the gateway does not know minItems
        ({"config": {"llm_timeout_seconds": 0}}, (True, False, False)),  # nor exclusiveMinimum
        ({"config": {"dimension_weights": {"maturity": 0.9}}}, (True, True, False)),  # a sum, which no schema expresses
        ({"config": {"strategy_weights": {"stars": 0, "recency": 0, "expanded": 0}}}, (True, True, False)),
        ({"max_results": "10"}, (False, False, True)),  # the library converts types for callers in Python
        ({"config": {"coarse_filter": {"require_readme": "yes"}}}, (True, False, True)),  # it has no types beside null
        ({"filters": {"min_stars": {}, "language": 1}}, (True, False, False)),
        ({"sources": ["unheard-of"]}, (False, False, False)),
    ],
)  # fmt: skip
def test_the_gateway_is_never_stricter_than_the_contract(fields: dict[str, Any], expected: tuple[bool, ...]) -> None:
    """What the gateway cannot check, the library refuses: valid as imported, as written, and for the library."""
    request = {"query": "x", **fields}
    assert _valid(request) == expected


def test_the_examples_are_valid() -> None:
    """What the contract shows can be sent, and is what the library returns."""
    for example in SEARCH["requestBody"]["content"]["application/json"]["examples"].values():
        WRITTEN.validate(example["value"])
        assert parse_request(example["value"]).query == "Rust web framework"
    for status, response in RESPONSES.items():
        [(media, content)] = response["content"].items()
        assert media == ("application/json" if status == "200" else "application/problem+json")
        for example in content["examples"].values():
            as_written(content["schema"]["$ref"].rpartition("/")[2]).validate(example["value"])
            assert status == "200" or example["value"]["status"] == int(status)
    for example in RESPONSES["200"]["content"]["application/json"]["examples"].values():
        assert json.loads(Answer.model_validate(example["value"]).to_json()) == example["value"]


def test_a_response_of_the_library_keeps_the_contract() -> None:
    """An answer with and without its section, an empty one, and problem details are valid; each status is declared."""
    example = Answer.model_validate_json((ROOT / "docs" / "example-answer.json").read_text("utf-8"))
    empty = Answer(query="x", mode="balanced", answered_at=NOW)
    for answer in (example, example.model_copy(update={"sections": {}}), empty):
        as_written("Answer").validate(json.loads(answer.to_json()))
    details = json.loads(problem(SourcesLimited("later", NOW), NOW).body)
    as_written("Problem").validate(details)
    assert set(details) == set(SCHEMAS["Problem"]["properties"])
    assert {str(status) for status, _ in STATUSES.values()} | {"200"} <= set(RESPONSES)
    assert {status for status, each in RESPONSES.items() if "Retry-After" in each.get("headers", {})} == {"429", "503"}


def _walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _walk(inner, (*path, str(key)))


def test_cloudformation_can_include_it() -> None:
    """It is valid OpenAPI without null and alias; intrinsic functions are long, and under x-amazon-* only."""
    validate(CONTRACT)
    assert CONTRACT["info"]["version"] == goldpan.__version__
    assert [path for path, value in _walk(CONTRACT) if value is None] == []
    assert not [event for event in yaml.parse(TEXT) if isinstance(event, yaml.AliasEvent)]
    functions = [path for path, _ in _walk(CONTRACT) if path and path[-1].startswith(("Fn::", "Ref"))]
    assert {path[-1] for path in functions} == {"Fn::Sub", "Fn::If", "Ref"}
    paths = [path for path, value in _walk(CONTRACT) if isinstance(value, str) and "${" in value]
    assert all("Fn::Sub" in path[-2:] for path in paths)
    assert all(any(part.startswith("x-amazon-") for part in path) for path in (*functions, *paths))


def test_api_gateway_imports_the_contract_as_it_is() -> None:
    """`make api` changes nothing, and each operation that has an integration is served."""
    assert GATEWAY.read_text("utf-8") == generate(TEXT), "run `make api`"
    document = json.loads(GATEWAY.read_text("utf-8"))
    for path, verb, operation in (
        ("/search", "post", SEARCH),
        ("/analyze-repo", "post", ANALYZE),
        ("/health", "get", HEALTH),
    ):
        served = document["paths"][path][verb]
        assert {name: served[name] for name in served if name.startswith("x-")} == {
            name: operation[name] for name in operation if name.startswith("x-")
        }


def test_a_model_has_documented_keywords_only() -> None:
    """Alternatives that are not null are an error; a value that may be null has no type, in either form."""
    named = {
        key for name in MODELS for path, _ in _walk(MODELS[name]) for key in path[-1:] if "properties" not in path[-2:]
    }
    assert {key for key in named if not key.isdigit()} <= set(KEYWORDS)
    null = {"not": {"anyOf": [{"type": "string"}]}}
    assert model({"anyOf": [{"type": "integer", "minimum": 1}, null], "default": 2}) == {"minimum": 1}
    assert model({"type": "integer", "minimum": 1, "nullable": True}) == {"minimum": 1}
    with pytest.raises(ValueError, match="no alternatives but null"):
        model({"anyOf": [{"type": "integer"}, {"type": "boolean"}]})


def test_api_gateway_can_import_it() -> None:
    """Model names are alphanumeric; a warning fails the import; only declared responses and overrides have effect."""
    assert all(name.isalnum() for name in MODELS)
    [api] = resources("AWS::Serverless::Api").values()
    assert api["FailOnWarnings"] is True
    for operation in (SEARCH, ANALYZE, HEALTH):
        integration = operation["x-amazon-apigateway-integration"]
        assert {each["statusCode"] for each in integration["responses"].values()} <= set(operation["responses"])
        names = set(re.findall(r"\$context\.responseOverride\.([\w.-]*)", json.dumps(integration)))
        assert names <= {"status", "header.Content-Type", "header.Retry-After"}


def test_a_search_needs_a_key_and_a_valid_json_body() -> None:
    """The key is required at the operation, the body is validated before anything starts, health is open."""
    assert (SEARCH["security"], HEALTH["security"]) == ([{"api_key": []}], [])
    guards = ("security", "x-amazon-apigateway-auth", "x-amazon-apigateway-request-validator")
    assert [ANALYZE[guard] for guard in guards] == [SEARCH[guard] for guard in guards]
    scheme = {"type": "apiKey", "name": "x-api-key", "in": "header"}
    assert CONTRACT["components"]["securitySchemes"] == {"api_key": scheme}
    assert SEARCH["x-amazon-apigateway-auth"] == {"type": {"Fn::Sub": "${ApiAuthorization}"}}
    assert HEALTH["x-amazon-apigateway-auth"] == {"type": "NONE"}
    name = SEARCH["x-amazon-apigateway-request-validator"]
    assert CONTRACT["x-amazon-apigateway-request-validators"][name]["validateRequestBody"] is True
    assert SEARCH["x-amazon-apigateway-integration"]["passthroughBehavior"] == "never"
    assert (
        set(SEARCH["x-amazon-apigateway-integration"]["requestTemplates"])
        == set(SEARCH["requestBody"]["content"])
        == {"application/json"}
    )
    assert SEARCH["x-amazon-apigateway-integration"]["timeoutInMillis"] == 29_000
