"""A function that starts from a snapshot is loaded before it, and reads its secrets after the restore."""

from __future__ import annotations

import sys

import pytest

from tests.integration.conftest import TOKEN
from tests.slow.artefact.world import GITHUB_SECRET, PATIENT, Functions, World, event_of
from tests.support.handlers import HANDLERS
from tests.support.loopback.lambda_process import LambdaProcess, Lines, StartError

pytestmark = pytest.mark.enable_socket


@pytest.mark.parametrize(
    "stage", [pytest.param(stage, marks=[pytest.mark.short] * (stage == "score")) for stage in HANDLERS]
)
def test_nothing_is_imported_after_a_restore(stage: str, functions: Functions, world: World) -> None:
    """The first search after a restore waits for no import: the snapshot holds all code of its stage."""
    environment = world.with_secrets(snap_start=True) | {"PYTHONPROFILEIMPORTTIME": "1"}
    with LambdaProcess(functions[HANDLERS[stage]], environment, snap_start=True) as process:
        answer = process.invoke(event_of(stage), PATIENT)
    assert answer.error is None
    assert "boto3" in _imported(process.started)
    assert ("openai" in _imported(process.started)) == (stage != "scout")
    assert {name for name in _imported(answer.lines) if name.partition(".")[0] not in sys.stdlib_module_names} == set()


def _imported(lines: Lines) -> set[str]:
    rows = [line.rpartition("|")[2].strip() for line in lines.stderr if line.startswith("import time:")]
    return set(rows) - {"imported package"}


def test_a_secret_that_changed_after_the_snapshot_is_used(functions: Functions, world: World) -> None:
    """GitHub is called with today's token, even if the snapshot was taken with an older one."""
    world.parameters.values[GITHUB_SECRET] = "an-older-token"
    environment = world.with_secrets(snap_start=True)
    new = {GITHUB_SECRET: TOKEN}
    with LambdaProcess(
        functions["scout"], environment, snap_start=True, at_snapshot=lambda: world.parameters.values.update(new)
    ) as process:
        assert process.invoke(event_of("scout"), PATIENT).error is None
    assert {request.headers["authorization"] for request in world.github.requests} == {f"Bearer {TOKEN}"}


def test_a_wrong_setting_stops_the_deployment(functions: Functions) -> None:
    """A version with an incomplete setting never becomes active, and the error names the setting."""
    environment = {"LLM_BASE_URL": "http://127.0.0.1:9/v1"}
    with (
        pytest.raises(StartError, match="LLM_API_KEY is not set"),
        LambdaProcess(functions["query_translator"], environment, snap_start=True),
    ):
        pass
