"""What ends a search is reported by its class name, which the state machine catches."""

from __future__ import annotations

import pytest

from tests.slow.artefact.stages import DOORS, event_of
from tests.slow.artefact.world import GITHUB_SECRET, World
from tests.support.loopback.lambda_process import LambdaProcess
from tests.support.loopback.lambda_template import BuiltFunction

pytestmark = pytest.mark.enable_socket

Functions = dict[str, BuiltFunction]


@pytest.mark.parametrize("stage", [stage for stage in DOORS if stage != "assemble"])
def test_a_bad_request_is_refused_by_the_name_of_its_field(stage: str, functions: Functions) -> None:
    """Who asks for too many results reads which field to mend, and the function goes on working."""
    with LambdaProcess(functions[DOORS[stage]]) as process:
        error = process.invoke(event_of(stage, max_results=99)).error or {}
        assert error["errorType"] == "InvalidRequest"
        assert "max_results" in error["errorMessage"]
        assert (process.invoke(event_of(stage, mode="low")).error or {})["errorType"] == "InvalidRequest"


@pytest.mark.parametrize("stage", ["translate", "score"])
def test_half_a_setting_is_named(stage: str, functions: Functions) -> None:
    """An operator who set an address without its key reads the name of what is missing."""
    with LambdaProcess(functions[DOORS[stage]], {"LLM_BASE_URL": "http://127.0.0.1:9/v1"}) as process:
        error = process.invoke(event_of(stage)).error or {}
    assert error["errorType"] == "Misconfigured"
    assert "LLM_API_KEY" in error["errorMessage"]


@pytest.mark.parametrize("stage", ["translate", "scout", "shortlist", "score"])
def test_a_secret_that_is_not_there_is_named(stage: str, functions: Functions, world: World) -> None:
    """An operator who named a parameter that does not exist reads both names, of the setting and of the parameter."""
    world.parameters.values.clear()
    with LambdaProcess(functions[DOORS[stage]], world.resolve_secrets()) as process:
        error = process.invoke(event_of(stage)).error or {}
    assert error["errorType"] == "Misconfigured"
    assert "_PARAMETER" in error["errorMessage"]
    assert "/goldpan/" in error["errorMessage"]


def test_a_rejected_token_is_named(functions: Functions, world: World) -> None:
    """An operator whose token ran out reads its name, and its value is nowhere."""
    world.parameters.values[GITHUB_SECRET] = "an-old-token"
    with LambdaProcess(functions["scout"], world.resolve_secrets()) as process:
        answer = process.invoke(event_of("scout"))
    error = answer.error or {}
    assert error["errorType"] == "CredentialRejected"
    assert "GITHUB_TOKEN" in error["errorMessage"]
    assert "an-old-token" not in "\n".join([str(error), *answer.lines.stdout, *answer.lines.stderr])


def test_a_search_without_time_left_is_told_so(functions: Functions, world: World) -> None:
    """Who allows too little time reads so, instead of an answer from nothing."""
    late = event_of("translate") | {"begun_at": "2020-01-01T00:00:00Z"}
    with LambdaProcess(functions["query_translator"], world.without_secrets()) as process:
        error = process.invoke(late).error or {}
    assert error["errorType"] == "OutOfTime"
    assert "max_seconds" in error["errorMessage"]
