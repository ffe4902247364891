"""The runner itself, with a function that does whatever it is asked: it must behave as Lambda does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slow.artefact.stand_in import build_stand_in
from tests.support.loopback.lambda_answer import StartError
from tests.support.loopback.lambda_process import LambdaProcess
from tests.support.loopback.lambda_template import ROOT, BuiltFunction
from tests.support.loopback.runtime_api import MAX_RESPONSE

pytestmark = [pytest.mark.enable_socket, pytest.mark.usefixtures("runtime")]


@pytest.fixture
def stand_in(tmp_path: Path) -> BuiltFunction:
    """Give a function that was built by hand."""
    return build_stand_in(tmp_path)


def test_a_result_comes_back_whatever_script_it_is_written_in(stand_in: BuiltFunction) -> None:
    """Who asks in any script gets the answer, with the environment of the template and nothing of this machine's."""
    with LambdaProcess(stand_in, {"ADDED": "too"}) as process:
        answer = process.invoke({"query": "анимация 動畫"})
        assert process.peak_megabytes() is None or process.peak_megabytes() > 1  # type: ignore[operator]
    told = answer.result
    assert told["event"] == {"query": "анимация 動畫"}
    environment = told["environment"]
    assert (environment["COMMON"], environment["ADDED"]) == ("yes", "too")
    assert environment["ADDRESS"] == "https://api.example.org/v1"
    assert not {"HOME", "VIRTUAL_ENV"} & set(environment)
    assert told["path"] == []
    assert 0 < told["left"] <= 2000
    assert answer.lines.stdout == ("asked",)


def test_an_error_is_reported_and_the_next_event_is_answered(stand_in: BuiltFunction) -> None:
    """The state machine is told the class and the words of an error, and the function lives on."""
    with LambdaProcess(stand_in) as process:
        error = process.invoke({"raise": 'a "quoted" word'}).error or {}
        assert (error["errorType"], error["errorMessage"]) == ("Odd", 'a "quoted" word')
        assert "app.py" in error["stackTrace"][-1]
        assert process.invoke({}).error is None


def test_a_function_that_takes_too_long_is_cut(stand_in: BuiltFunction) -> None:
    """A function that passes its own timeout is killed, and reported as Lambda reports it."""
    with LambdaProcess(stand_in) as process:
        cut = process.invoke({"sleep": 60}, seconds=0.3)
        assert (cut.error or {})["errorType"] == "Sandbox.Timedout"
        assert cut.seconds < 2
        with pytest.raises(StartError, match="has ended"):
            process.invoke({})


def test_a_function_that_dies_is_reported(stand_in: BuiltFunction) -> None:
    """A process that ends in the midst of its work is told as such, at once."""
    with LambdaProcess(stand_in) as process:
        assert (process.invoke({"exit": 3}).error or {})["errorType"] == "Runtime.ExitError"


def test_a_result_has_at_most_six_megabytes(stand_in: BuiltFunction) -> None:
    """What Lambda would refuse is refused here: one byte more than the limit."""
    with LambdaProcess(stand_in) as process:
        assert process.invoke({"bytes": MAX_RESPONSE}).error is None
        refused = process.invoke({"bytes": MAX_RESPONSE + 1}).error or {}
    assert refused["errorType"] == "Function.ResponseSizeTooLarge"


def test_hooks_run_before_the_snapshot_and_after_the_restore(stand_in: BuiltFunction) -> None:
    """A function with SnapStart is primed once and renewed after each restore."""
    with LambdaProcess(stand_in) as process:
        assert process.invoke({}).result["hooks"] == []
    with LambdaProcess(stand_in, snap_start=True) as process:
        assert process.invoke({}).result["hooks"] == ["before", "after"]


def test_a_function_that_cannot_start_says_why(stand_in: BuiltFunction) -> None:
    """What breaks at import is told in its own words."""
    with pytest.raises(StartError, match="broken at import"), LambdaProcess(stand_in, {"BROKEN": "1"}):
        pass


def test_the_command_asks_a_door(stand_in: BuiltFunction, tmp_path: Path) -> None:
    """One command gives the answer on stdout alone, logs and times on stderr."""
    event = tmp_path / "event.json"
    event.write_text('{"query": "React"}')
    answered = _command("stand_in", str(event), "--built", str(stand_in.folder.parent), "--set", "ADDED=1")
    assert answered.returncode == 0
    assert json.loads(answered.stdout)["event"] == {"query": "React"}
    assert "asked" in answered.stderr
    assert "answered in" in answered.stderr
    event.write_text('{"raise": "no"}')
    failed = _command("stand_in", str(event), "--built", str(stand_in.folder.parent))
    assert (failed.returncode, json.loads(failed.stdout)["errorType"]) == (1, "Odd")


def test_the_command_says_what_there_is(stand_in: BuiltFunction, tmp_path: Path) -> None:
    """Whoever asks for a door, an event or an artefact that does not exist reads what does."""
    built, event = str(stand_in.folder.parent), tmp_path / "event.json"
    event.write_text("{}")
    for arguments, said in {
        ("other", str(event), "--built", built): "there are: stand_in",
        ("stand_in", str(tmp_path / "none.json"), "--built", built): "events/scout.json",
        ("stand_in", str(event), "--built", str(tmp_path / "empty")): "make build",
        ("stand_in", str(event), "--built", built, "--set", "ADDED"): "NAME=VALUE",
    }.items():
        ended = _command(*arguments)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert said in ended.stderr


def _command(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.support.loopback.invoke", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
