"""The contract and the library give the same answers and problems."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from goldpan.contracts import Answer, SearchRequest
from goldpan.engine.problem_details import STATUSES, problem
from goldpan.errors import Defect, InvalidRequest, OutOfTime, SourcesLimited

from tests.contract.openapi.contract import CONTRACT, ROOT, SCHEMAS, SEARCH, as_written
from tests.contract.openapi.models import plain, without
from tests.support.factories import NOW

RESPONSES: dict[str, Any] = SEARCH["responses"]
EXAMPLES = [
    pytest.param(status, media["schema"]["$ref"].rpartition("/")[2], shown["value"], id=f"{status} {name}")
    for status, response in RESPONSES.items()
    for media in response["content"].values()
    for name, shown in media["examples"].items()
]


def test_every_field_of_an_answer_is_the_library_s() -> None:
    """The two schemas are equal; the contract leaves room for fields to come, and a section may be absent."""
    written = without(plain(SCHEMAS["Answer"], CONTRACT), "required")
    model = Answer.model_json_schema(mode="serialization")
    library = without(plain(model, model), "required", "default", "additionalProperties")
    library["properties"]["repositories"].pop("null")
    assert written == library


def test_every_field_of_an_answer_is_always_there() -> None:
    """A reader need not ask whether a field is there, but for the section of a kind that was not asked for."""
    asked = set(SearchRequest.model_json_schema()["$defs"]) | {"SearchRequest", "Problem"}
    for name in set(SCHEMAS) - asked:
        optional = {"repositories"} if name == "Answer" else set()
        assert set(SCHEMAS[name]["required"]) == set(SCHEMAS[name]["properties"]) - optional, name


@pytest.mark.parametrize("asked", [True, False])
def test_a_written_answer_keeps_the_contract(asked: bool) -> None:  # noqa: FBT001
    """The example of the documents is valid as it is written, with its section and without."""
    answer = Answer.model_validate_json((ROOT / "docs" / "example-answer.json").read_text("utf-8"))
    written = json.loads(answer.model_copy(update={} if asked else {"repositories": None}).to_json())
    as_written("Answer").validate(written)
    assert ("repositories" in written) == asked


def test_an_answer_with_nothing_in_it_keeps_the_contract() -> None:
    """Defaults alone are an answer, too."""
    as_written("Answer").validate(json.loads(Answer(query="x", mode="balanced", answered_at=NOW).to_json()))


@pytest.mark.parametrize("ending", [InvalidRequest("a"), SourcesLimited("b", NOW), OutOfTime("c"), Defect("d")])
def test_a_problem_of_the_library_keeps_the_contract(ending: Any) -> None:
    """What ends a search is told as the contract has it, with nothing that it does not name."""
    details = json.loads(problem(ending, NOW - timedelta(seconds=3)).body)
    as_written("Problem").validate(details)
    assert set(details) == set(SCHEMAS["Problem"]["properties"])


@pytest.mark.parametrize(("status", "schema", "value"), EXAMPLES)
def test_the_examples_keep_their_schema(status: str, schema: str, value: dict[str, Any]) -> None:
    """What the contract shows is what it promises."""
    as_written(schema).validate(value)
    assert schema != "Problem" or value["status"] == int(status)


def test_the_shown_answer_is_an_answer() -> None:
    """The library reads the shown answer as its own."""
    shown = RESPONSES["200"]["content"]["application/json"]["examples"]["shortened"]["value"]
    assert json.loads(Answer.model_validate(shown).to_json()) == shown


def test_every_status_of_the_library_is_in_the_contract() -> None:
    """No ending has a status that the contract does not name, and each is told as problem details."""
    assert {str(status) for status, _ in STATUSES.values()} | {"200"} <= set(RESPONSES)
    for status, response in RESPONSES.items():
        expected = "application/json" if status == "200" else "application/problem+json"
        assert list(response["content"]) == [expected]


def test_where_to_expect_a_time_to_come_back() -> None:
    """Retry-After is declared for the two statuses that can have one."""
    assert {status for status, response in RESPONSES.items() if "Retry-After" in response.get("headers", {})} == {
        "429",
        "503",
    }
