"""Each built function runs its stages, uses its secrets, tables and upstreams, and reports what went wrong by name."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote_plus

import pytest

from tests.slow.artefact.world import (
    GITHUB_SECRET,
    MODEL_SECRET,
    PATIENT,
    Functions,
    World,
    event_of,
    without_times,
)
from tests.support.handlers import HANDLERS
from tests.support.loopback import Fault
from tests.support.loopback.dynamodb_fault import operation
from tests.support.loopback.lambda_process import LambdaProcess

pytestmark = pytest.mark.enable_socket
MAX_MEGABYTES = 256
STORED = {"key": "answer:1", "owner": "arn:aws:states:execution", "request_text": '{"query":"Rust web framework"}'}
ONE_A_HANDLER = [pytest.param(name, marks=pytest.mark.short) for name in ("translate", "scout", "assemble")]
BY_STAGE = pytest.mark.parametrize("stage", [*ONE_A_HANDLER, "begin", "shortlist", "score", "rank"])


@BY_STAGE
def test_a_stage_repeats_its_result_and_is_measured(stage: str, functions: Functions, world: World) -> None:
    """Without secrets, and with or without its tables, an event has one result; each call writes one `Duration`."""
    event = event_of(stage) | (STORED if stage == "assemble" else {})
    closed = {"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:9"}
    results = []
    for environment in (world.without_secrets(), world.without_secrets() | closed):
        with LambdaProcess(functions[HANDLERS[stage]], environment) as process:
            answers = [process.invoke(event, PATIENT) for _ in range(2)]
            peak = process.peak_megabytes()
        assert [answer.error for answer in answers] == [None, None]
        results += [without_times(answer.result) for answer in answers]
        for answer in answers:
            rows = [row for row in map(json.loads, answer.lines.stdout) if "Duration" in row]
            assert [row["stage"] for row in rows] == [stage]
        assert peak is None or peak < MAX_MEGABYTES
    assert results == [results[0]] * 4


@pytest.mark.parametrize("stage", ["translate", "scout", "shortlist", "score"])
def test_secrets_are_read_and_used(stage: str, functions: Functions, world: World) -> None:
    """GitHub and the model are called with the secrets in SSM; query_translator reads the model's key only."""
    environment = world.with_secrets(snap_start=True)  # so that no call has to import the client of the model
    with LambdaProcess(functions[HANDLERS[stage]], environment, snap_start=True) as process:
        assert process.invoke(event_of(stage), PATIENT).error is None
        peak = process.peak_megabytes()
    calls = world.llm.requests if stage in {"translate", "score"} else world.github.requests
    assert calls
    assert {request.status for request in calls} == {200}
    assert all(request.headers["authorization"].startswith("Bearer good-") for request in calls)
    secrets = {request.body["Name"] for request in world.parameters.requests if request.body}
    expected = {"translate": {MODEL_SECRET}, "scout": {GITHUB_SECRET}}
    assert secrets == expected.get(stage, {MODEL_SECRET, GITHUB_SECRET})
    assert peak is None or peak < MAX_MEGABYTES


@pytest.mark.parametrize(
    ("secrets", "kind", "named"),
    [({GITHUB_SECRET: "an-old-token"}, "CredentialRejected", "GITHUB_TOKEN"), ({}, "Misconfigured", "/goldpan/")],
)
def test_a_wrong_secret_is_reported_by_its_name(
    secrets: dict[str, str], kind: str, named: str, functions: Functions, world: World
) -> None:
    """The error names a rejected token or a missing parameter, and no line of the log holds the token."""
    world.parameters.values = secrets
    with LambdaProcess(functions["scout"], world.with_secrets()) as process:
        answer = process.invoke(event_of("scout"), PATIENT)
    assert answer.error is not None, answer.result
    assert answer.error["errorType"] == kind
    assert named in answer.error["errorMessage"]
    assert "an-old-token" not in "\n".join([str(answer.error), *answer.lines.stdout, *answer.lines.stderr])


def test_a_hanging_upstream_ends_at_the_deadline(functions: Functions, world: World) -> None:
    """GitHub that hangs is a status row, before Lambda stops the function; the next call works."""
    world.github.inject(Fault.hang(times=None))
    with LambdaProcess(functions["scout"], world.without_secrets()) as process:
        stopped = process.invoke(event_of("scout"), PATIENT)
        assert stopped.error is None
        assert stopped.result["status"]["status"] == "timeout"
        world.github.clear_faults()
        again = process.invoke(event_of("scout"), PATIENT)
        assert again.result["status"].get("status", "ok") in {"ok", "empty", "truncated"}


def test_the_lock_and_the_answer_are_written_to_the_tables(functions: Functions, world: World) -> None:
    """The stage begin writes the lock; assemble caches the answer for the state machine, counts, and unlocks."""
    with LambdaProcess(functions["query_translator"], world.without_secrets()) as process:
        assert process.invoke(event_of("begin") | {"key": "answer:1"}, PATIENT).result["decision"] == "search"
    [lock] = _writes(world)["PutItem"]
    assert lock["TableName"] == functions["query_translator"].environment["BUDGET_TABLE"]
    with LambdaProcess(functions["screener"], world.without_secrets()) as process:
        body = process.invoke(event_of("assemble") | STORED, PATIENT).result["body"]
    writes = _writes(world)
    [[put]] = writes["BatchWriteItem"][0]["RequestItems"].values()
    assert json.loads(put["PutRequest"]["Item"]["text"]["S"]) == json.loads(body) | {"cached": True}
    assert STORED["request_text"] in str(writes["UpdateItem"][0]["ExpressionAttributeValues"])
    assert STORED["owner"] in str(writes["DeleteItem"][0])


def _writes(world: World) -> dict[str, list[Any]]:
    found = dict[str, list[Any]]()
    for request in world.tables.requests:
        found.setdefault(operation(request), []).append(request.body)
    return found


@BY_STAGE
def test_logs_are_json_without_questions_and_secrets(stage: str, functions: Functions, world: World) -> None:
    """At any log level, also where something fails, a line is JSON and holds neither a question nor a key."""
    events = event_of(stage), event_of(stage, mode="low"), event_of(stage, query=50 * "Rust web framework")
    for environment in (world.without_secrets(), world.with_secrets()):
        with LambdaProcess(functions[HANDLERS[stage]], environment | {"AWS_LAMBDA_LOG_LEVEL": "DEBUG"}) as process:
            written = [process.started, *(process.invoke(event, PATIENT).lines for event in events)]
        assert [line for lines in written for line in lines.stderr] == []
        lines = [line for each in written for line in each.stdout]
        assert all(isinstance(json.loads(line), dict) for line in lines)
        for private in ("web framework", *world.parameters.values.values()):
            assert [line for line in lines if private in unquote_plus(line).lower()] == []
