"""Each built function answers the events of its stages."""

from __future__ import annotations

import pytest

from tests.slow.artefact.stages import DOORS, asking_event, event_of, timeless
from tests.slow.artefact.world import MODEL_SECRET, World
from tests.support.loopback.lambda_process import LambdaProcess
from tests.support.loopback.lambda_template import BuiltFunction

pytestmark = pytest.mark.enable_socket

MEGABYTES = 256

Functions = dict[str, BuiltFunction]


@pytest.mark.parametrize("stage", DOORS)
def test_a_function_answers_its_event_again_and_again(stage: str, functions: Functions, world: World) -> None:
    """Without any secret each stage answers; the same event gives the same answer each time."""
    with LambdaProcess(functions[DOORS[stage]], world.without_secrets()) as process:
        answers = [process.invoke(event_of(stage)) for _ in range(3)]
        peak = process.peak_megabytes()
    assert [answer.error for answer in answers] == [None, None, None]
    first, second, third = (timeless(answer.result) for answer in answers)
    assert first == second == third
    assert peak is None or peak < MEGABYTES, f"{stage} held {peak:.0f} MB"


@pytest.mark.parametrize("stage", ["translate", "scout", "shortlist", "score"])
def test_a_function_reads_its_secrets_and_uses_them(stage: str, functions: Functions, world: World) -> None:
    """With a token and a key in SSM, GitHub and the model are asked with them, and memory stays small."""
    with LambdaProcess(functions[DOORS[stage]], world.resolve_secrets()) as process:
        answers = [process.invoke(asking_event(stage)) for _ in range(2)]
        peak = process.peak_megabytes()
    assert [answer.error for answer in answers] == [None, None]
    asked = world.llm.requests if stage in ("translate", "score") else world.github.requests
    assert {request.status for request in asked} == {200}
    assert all(request.headers["authorization"].startswith("Bearer good-") for request in asked)
    assert peak is None or peak < MEGABYTES, f"{stage} held {peak:.0f} MB"


def test_the_permission_to_read_a_secret_is_asked_of_no_stage_that_has_no_use_for_it(
    functions: Functions, world: World
) -> None:
    """query_translator plans by whether there is a token, and never reads it."""
    with LambdaProcess(functions["query_translator"], world.resolve_secrets()) as process:
        assert process.invoke(event_of("translate")).error is None
    assert set(world.secrets_read()) == {MODEL_SECRET}
