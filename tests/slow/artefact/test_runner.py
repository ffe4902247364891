"""The runner behaves as Lambda does, with a function that does what its event says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.stack.documents import ROOT
from tests.slow.artefact.world import PATIENT
from tests.support.loopback.lambda_process import LambdaProcess, StartError
from tests.support.loopback.lambda_template import BuiltFunction, built_functions
from tests.support.loopback.runtime_api import MAX_RESPONSE

pytestmark = [pytest.mark.enable_socket, pytest.mark.usefixtures("runtime")]
TEMPLATE = """
Parameters:
  Address: {Type: String, Default: "https://api.example.org"}
Globals:
  Function:
    Handler: app.handler
    MemorySize: 256
    Layers: [{Ref: Layer}]
    Environment: {Variables: {COMMON: "yes"}}
Resources:
  Layer: {Type: "AWS::Serverless::LayerVersion", Properties: {ContentUri: Layer}}
  EchoFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: EchoFunction
      Timeout: 2
      Environment: {Variables: {ADDRESS: !Sub "${Address}/v1"}}
"""
HANDLER = '''
import os, sys, time
from snapshot_restore_py import register_after_restore, register_before_snapshot
from layered import HOOKS

register_before_snapshot(HOOKS.append, "before")
register_after_restore(HOOKS.append, "after")
if os.environ.get("BROKEN"):
    raise ValueError("broken at import")


class Odd(Exception):
    """Raised on request."""


def handler(event, context):
    print("called")
    match event:
        case {"raise": message}:
            raise Odd(message)
        case {"exit": code}:
            os._exit(code)
        case {"sleep": seconds}:
            time.sleep(seconds)
        case {"bytes": size}:
            return "x" * (size - 2)
    path = [entry for entry in sys.path if "site-packages" in entry]
    return {"event": event, "hooks": HOOKS, "path": path, "environment": dict(os.environ)}
'''


@pytest.fixture
def echo(tmp_path: Path) -> BuiltFunction:
    """Write a function, its layer and its template, as a build does."""
    (tmp_path / "template.yaml").write_text(TEMPLATE)
    for file, source in {"EchoFunction/app.py": HANDLER, "Layer/python/layered.py": "HOOKS = []\n"}.items():
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text(source)
    return built_functions(tmp_path)["echo"]


def test_a_function_has_the_environment_of_its_template_only(echo: BuiltFunction) -> None:
    """Nothing of this machine is in its environment or on its path; text of any script is unchanged."""
    with LambdaProcess(echo, {"ADDED": "too"}) as process:
        answer = process.invoke({"query": "анимация 動畫"}, PATIENT)
    assert (answer.result["event"], answer.result["path"]) == ({"query": "анимация 動畫"}, [])
    environment = answer.result["environment"]
    assert (environment["COMMON"], environment["ADDED"]) == ("yes", "too")
    assert environment["ADDRESS"] == "https://api.example.org/v1"
    assert not {"HOME", "VIRTUAL_ENV"} & set(environment)
    assert answer.lines.stdout == ("called",)


def test_failures_are_reported_as_lambda_does(echo: BuiltFunction) -> None:
    """An error has its class and message, a large result and a dead or late process Lambda's own names."""
    with LambdaProcess(echo) as process:
        error = process.invoke({"raise": 'a "quoted" word'}, PATIENT).error or {}
        assert (error["errorType"], error["errorMessage"]) == ("Odd", 'a "quoted" word')
        assert process.invoke({"bytes": MAX_RESPONSE}, PATIENT).error is None
        error = process.invoke({"bytes": MAX_RESPONSE + 1}, PATIENT).error or {}
        assert error["errorType"] == "Function.ResponseSizeTooLarge"
    with LambdaProcess(echo) as process:
        assert (process.invoke({"exit": 3}, PATIENT).error or {})["errorType"] == "Runtime.ExitError"
    with LambdaProcess(echo) as process:
        assert (process.invoke({"sleep": 600}, 0.3).error or {})["errorType"] == "Sandbox.Timedout"
        with pytest.raises(StartError, match="has ended"):
            process.invoke({})


def test_hooks_run_with_snapstart_only(echo: BuiltFunction) -> None:
    """One hook runs before the snapshot and one after the restore; a failing import stops the start."""
    for snap_start, hooks in ((False, []), (True, ["before", "after"])):
        with LambdaProcess(echo, snap_start=snap_start) as process:
            assert process.invoke({}, PATIENT).result["hooks"] == hooks
    with pytest.raises(StartError, match="broken at import"), LambdaProcess(echo, {"BROKEN": "1"}):
        pass


def test_make_invoke_prints_the_result_and_names_what_exists(echo: BuiltFunction, tmp_path: Path) -> None:
    """The result goes to stdout, logs and times to stderr; the exit code tells an error from wrong arguments."""
    event, built = tmp_path / "event.json", ("--built", str(echo.folder.parent))
    event.write_text('{"query": "React"}')
    answered = _invoke("echo", str(event), *built, "--set", "ADDED=1")
    assert answered.returncode == 0, answered.stderr
    assert json.loads(answered.stdout)["event"] == {"query": "React"}
    assert "called" in answered.stderr
    event.write_text('{"raise": "no"}')
    failed = _invoke("echo", str(event), *built)
    assert (failed.returncode, json.loads(failed.stdout)["errorType"]) == (1, "Odd")
    for arguments, message in (
        (("other", str(event), *built), "there are: echo"),
        (("echo", str(tmp_path / "none.json"), *built), "none.json"),
        (("echo", str(event), "--built", str(tmp_path / "empty")), "make build"),
    ):
        wrong = _invoke(*arguments)
        assert (wrong.returncode, wrong.stdout) == (2, "")
        assert message in wrong.stderr


def _invoke(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.support.loopback.invoke", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
