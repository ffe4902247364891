"""An upstream that never answers is cut, and leaves nothing in the way of the next event."""

from __future__ import annotations

import time

import pytest

from tests.slow.artefact.stages import event_of
from tests.slow.artefact.world import World
from tests.support.loopback import Fault, LLMFault
from tests.support.loopback.fault import LoopbackFault
from tests.support.loopback.lambda_process import LambdaProcess
from tests.support.loopback.lambda_template import BuiltFunction

pytestmark = pytest.mark.enable_socket

SECONDS = 5
"""What the asker allows in all; each stage gets its share."""
FROZEN = 0.5

Functions = dict[str, BuiltFunction]


def test_a_github_that_hangs_is_cut_at_the_deadline(functions: Functions, world: World) -> None:
    """The source is told as timed out within the search's time, and the next search finds it well."""
    world.github.inject(Fault.hang(times=None))
    with LambdaProcess(functions["scout"], world.without_secrets()) as process:
        cut = process.invoke(event_of("scout", max_seconds=SECONDS))
        assert cut.error is None
        assert {row["status"] for row in _rows(cut.result)} == {"timeout"}
        assert cut.seconds < SECONDS
        time.sleep(FROZEN)  # the environment is frozen meanwhile, with the thread that still waits in it
        world.github.clear_faults()
        again = process.invoke(event_of("scout"))
        assert {row.get("status", "ok") for row in _rows(again.result)} <= {"ok", "empty", "truncated"}
        assert again.seconds < SECONDS


def test_a_model_that_hangs_is_cut_at_the_deadline(functions: Functions, world: World) -> None:
    """The question is read by rules, with a warning; the next one is read by the model."""
    with LambdaProcess(functions["query_translator"], world.resolve_secrets()) as process:
        assert process.invoke(event_of("translate")).error is None  # so that the time is the model's alone
        world.llm.inject(LLMFault.hang(times=None))
        cut = process.invoke(event_of("translate", max_seconds=SECONDS))
        assert cut.error is None
        assert "did not answer in time" in str(cut.result["translation"]["warnings"])
        assert cut.seconds < SECONDS
        time.sleep(FROZEN)
        world.llm.clear_faults()
        again = process.invoke(event_of("translate"))
        assert not again.result["translation"].get("warnings")
        assert again.seconds < SECONDS


def test_an_ssm_that_hangs_is_named(functions: Functions, world: World) -> None:
    """Where secrets cannot be read in time, the operator reads which, before the function is killed."""
    world.parameters.inject(LoopbackFault.hang(times=None))
    with LambdaProcess(functions["scout"], world.resolve_secrets()) as process:
        error = process.invoke(event_of("scout")).error or {}
    assert error["errorType"] == "Misconfigured"
    assert "GITHUB_TOKEN_PARAMETER" in error["errorMessage"]


def _rows(batch: dict[str, object]) -> list[dict[str, str]]:
    status = batch["status"]
    return status if isinstance(status, list) else [status]  # type: ignore[list-item]
