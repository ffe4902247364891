"""A function that starts from a snapshot: primed before it, fresh after the restore."""

from __future__ import annotations

import sys

import pytest

from tests.integration.conftest import TOKEN
from tests.slow.artefact.stages import DOORS, asking_event
from tests.slow.artefact.world import GITHUB_SECRET, World
from tests.support.loopback.lambda_answer import StartError
from tests.support.loopback.lambda_output import Lines
from tests.support.loopback.lambda_process import LambdaProcess
from tests.support.loopback.lambda_template import BuiltFunction

pytestmark = pytest.mark.enable_socket

TELL_IMPORTS = {"PYTHONPROFILEIMPORTTIME": "1"}

Functions = dict[str, BuiltFunction]


@pytest.mark.parametrize("stage", DOORS)
def test_after_a_restore_nothing_is_left_to_be_imported(stage: str, functions: Functions, world: World) -> None:
    """The first search after a restore pays for no import: all that an answer needs is in the snapshot."""
    given = world.resolve_secrets(snap_start=True) | TELL_IMPORTS
    with LambdaProcess(functions[DOORS[stage]], given, snap_start=True) as process:
        first, second = process.invoke(asking_event(stage)), process.invoke(asking_event(stage))
    assert first.error is second.error is None
    assert "boto3" in _imported(process.started)
    assert ("openai" in _imported(process.started)) == (stage != "scout")
    late = {name: own for name, own in _imported(first.lines).items() if not _is_standard(name)}
    packages = sorted({name.partition(".")[0] for name in late})
    assert not packages, f"{len(late)} modules in {sum(late.values()) / 1000:.0f} ms"


def test_a_secret_that_was_renewed_since_the_snapshot_is_the_one_that_is_used(
    functions: Functions, world: World
) -> None:
    """A search after a restore goes to GitHub with today's token, though the snapshot was taken with an older one."""

    def renew() -> None:
        world.parameters.values[GITHUB_SECRET] = TOKEN

    world.parameters.values[GITHUB_SECRET] = "an-older-token"
    given = world.resolve_secrets(snap_start=True)
    with LambdaProcess(functions["scout"], given, snap_start=True, at_snapshot=renew) as process:
        assert process.invoke(asking_event("scout")).error is None
    assert {request.headers["authorization"] for request in world.github.requests} == {f"Bearer {TOKEN}"}


def test_a_secret_that_is_gone_since_the_snapshot_is_named(functions: Functions, world: World) -> None:
    """An operator who removed a parameter reads its name in the answer: the restore itself never fails."""
    given, forget = world.resolve_secrets(snap_start=True), world.parameters.values.clear
    with LambdaProcess(functions["scout"], given, snap_start=True, at_snapshot=forget) as process:
        error = process.invoke(asking_event("scout")).error or {}
    assert error["errorType"] == "Misconfigured"
    assert GITHUB_SECRET in error["errorMessage"]


def test_a_wrong_setting_stops_the_deployment(functions: Functions) -> None:
    """A version with half a setting never becomes active: the operator reads the name before anyone searches."""
    given = {"LLM_BASE_URL": "http://127.0.0.1:9/v1"}
    with (
        pytest.raises(StartError, match="LLM_API_KEY is not set"),
        LambdaProcess(functions["query_translator"], given, snap_start=True),
    ):
        pass


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _imported(lines: Lines) -> dict[str, int]:
    """Read what was imported, with the microseconds of each module alone."""
    rows = [line.removeprefix("import time:").split("|") for line in lines.stderr if line.startswith("import time:")]
    return {name.strip(): int(own) for own, _, name in rows if own.strip().isdigit()}
