"""A built function reaches its tables with the SDK of the runtime, and works without them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.slow.artefact.stages import DOORS, event_of, timeless
from tests.slow.artefact.world import World
from tests.support.loopback.dynamodb_fault import operation
from tests.support.loopback.lambda_process import LambdaProcess
from tests.support.loopback.lambda_template import BuiltFunction

pytestmark = pytest.mark.enable_socket

KEY, OWNER = "answer:1", "arn:aws:states:execution"
ASKED = json.dumps({"query": "Rust web framework"})

Functions = dict[str, BuiltFunction]


def _written(world: World) -> list[tuple[str, Any]]:
    return [(operation(request), request.body) for request in world.tables.requests]


def test_a_search_is_marked_as_one_that_goes_on(functions: Functions, world: World) -> None:
    """The first who asks is told to search, and the table of the template has the mark."""
    function = functions["query_translator"]
    with LambdaProcess(function, world.without_secrets()) as process:
        assert process.invoke(event_of("begin")).result == {"turn": "search"}
    [marked] = [body for name, body in _written(world) if name == "PutItem"]
    assert marked["TableName"] == function.environment["BUDGET_TABLE"]
    assert marked["Item"]["owner"]["S"] == event_of("begin")["owner"]


def test_an_answer_is_remembered_counted_and_its_mark_taken_away(functions: Functions, world: World) -> None:
    """What assemble gives is what the table of answers gets, in the form that the state machine reads."""
    event = event_of("assemble") | {"key": KEY, "owner": OWNER, "asked": ASKED}
    with LambdaProcess(functions["screener"], world.without_secrets()) as process:
        body = process.invoke(event).result["body"]
    told = dict(_written(world))
    assert told.keys() == {"BatchWriteItem", "UpdateItem", "DeleteItem"}
    [[put]] = told["BatchWriteItem"]["RequestItems"].values()
    assert json.loads(put["PutRequest"]["Item"]["text"]["S"]) == json.loads(body) | {"cached": True}
    assert told["UpdateItem"]["ExpressionAttributeValues"][":request"]["S"] == ASKED
    assert told["DeleteItem"]["ExpressionAttributeValues"][":owner"]["S"] == OWNER


@pytest.mark.parametrize("stage", DOORS)
def test_tables_that_are_out_of_reach_cost_no_answer(stage: str, functions: Functions, world: World) -> None:
    """Each stage answers the same without its tables; what failed is said once."""
    gone = world.without_secrets() | {"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:9"}
    event = event_of(stage) | ({"key": KEY, "owner": OWNER, "asked": ASKED} if stage == "assemble" else {})
    with LambdaProcess(functions[DOORS[stage]], world.without_secrets()) as process:
        expected = timeless(process.invoke(event).result)
    with LambdaProcess(functions[DOORS[stage]], gone) as process:
        answers = [process.invoke(event) for _ in range(2)]
    assert [timeless(answer.result) for answer in answers] == [expected, expected]
    assert not [line for line in answers[1].lines.stdout if "without it" in line]
