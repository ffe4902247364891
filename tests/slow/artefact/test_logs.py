"""What a function writes: structured lines alone, and nothing of what was asked (fault 32)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import unquote_plus

import pytest

from tests.slow.artefact.stages import DOORS, asking_event, event_of
from tests.slow.artefact.world import World
from tests.support.loopback.lambda_output import Lines
from tests.support.loopback.lambda_process import LambdaProcess
from tests.support.loopback.lambda_template import BuiltFunction

pytestmark = pytest.mark.enable_socket

QUESTION = "Rust web framework"
SUBJECT = "web framework"

Functions = dict[str, BuiltFunction]


@pytest.mark.parametrize("level", ["INFO", "DEBUG"])
@pytest.mark.parametrize("stage", DOORS)
def test_logs_are_structured_and_tell_nothing_of_the_question(
    stage: str, level: str, functions: Functions, world: World
) -> None:
    """Who reads the logs, at any level, finds neither a question nor a key in them, also where something failed."""
    assert event_of(stage)["request"]["query"] == QUESTION
    lines = [*_written(functions[DOORS[stage]], stage, level, world)]
    assert [line for written in lines for line in written.stdout if not _is_structured(line)] == []
    assert [line for written in lines for line in written.stderr] == []
    for private in (SUBJECT, *world.parameters.values.values()):
        assert [line for written in lines for line in written.stdout if private in unquote_plus(line).lower()] == []


@pytest.mark.parametrize("stage", DOORS)
def test_every_answer_is_measured(stage: str, functions: Functions, world: World) -> None:
    """Each answer leaves one metric of how long its stage took, by the name of the stage."""
    with LambdaProcess(functions[DOORS[stage]], world.without_secrets()) as process:
        written = [process.invoke(event_of(stage)).lines.stdout for _ in range(2)]
    for lines in written:
        rows = [row for row in map(json.loads, lines) if "Duration" in row]
        assert [row["stage"] for row in rows] == [stage]


def _written(function: BuiltFunction, stage: str, level: str, world: World) -> Iterator[Lines]:
    """Ask well and badly, with secrets and without, and give all that is written."""
    events = asking_event(stage), asking_event(stage, mode="low"), asking_event(stage, query=50 * QUESTION)
    for given in (world.without_secrets(), world.resolve_secrets()):
        with LambdaProcess(function, given | {"AWS_LAMBDA_LOG_LEVEL": level}) as process:
            yield process.started
            for event in events:
                yield process.invoke(event).lines


def _is_structured(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False
