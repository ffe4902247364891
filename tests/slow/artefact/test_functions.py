"""Each built function runs its stages with its secrets, and starts from a snapshot."""

import json

import pytest

from tests.slow.artefact.world import GITHUB_SECRET, MODEL_SECRET, PATIENT, Functions, World, event_of, without_times
from tests.support.handlers import HANDLERS
from tests.support.loopback.lambda_process import LambdaProcess

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
    """GitHub and the model are called with the secrets in SSM; a stage that calls no source reads the model's key."""
    environment = world.with_secrets(snap_start=True)  # so that no call has to import the client of the model
    with LambdaProcess(functions[HANDLERS[stage]], environment, snap_start=True) as process:
        assert process.invoke(event_of(stage), PATIENT).error is None
        peak = process.peak_megabytes()
    calls = world.llm.requests if stage in {"translate", "score"} else world.github.requests
    assert calls
    assert {request.status for request in calls} == {200}
    assert all(request.headers["authorization"].startswith("Bearer good-") for request in calls)
    secrets = {request.body["Name"] for request in world.parameters.requests if request.body}
    expected = {"scout": {GITHUB_SECRET}, "shortlist": {MODEL_SECRET, GITHUB_SECRET}}
    assert secrets == expected.get(stage, {MODEL_SECRET})
    assert peak is None or peak < MAX_MEGABYTES


@pytest.mark.parametrize(
    "stage", [pytest.param(stage, marks=[pytest.mark.short] * (stage == "score")) for stage in HANDLERS]
)
def test_nothing_is_imported_after_a_restore(stage: str, functions: Functions, world: World) -> None:
    """The first search after a restore waits for no import: the snapshot holds all code of its stage."""
    environment = world.with_secrets(snap_start=True) | {"PYTHONPROFILEIMPORTTIME": "1"}
    with LambdaProcess(functions[HANDLERS[stage]], environment, snap_start=True) as process:
        answer = process.invoke(event_of(stage), PATIENT)
    assert answer.error is None
    assert "boto3" in process.started.imported()
    assert ("openai" in process.started.imported()) == (stage != "scout")
    assert answer.lines.imported() == set()
