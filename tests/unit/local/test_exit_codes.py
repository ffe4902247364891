"""Scripts can tell from the exit code how a search ended."""

import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest
from goldpan.errors import CredentialRejected, RateLimited, Unavailable
from goldpan.kinds.repositories import stages
from goldpan_local.exit_codes import write_stdout

from tests.support.factories import ListedSource
from tests.support.local import catalogue, use_runtime
from tests.unit.local.conftest import Run

LINUX_ONLY = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
RETRY_AT, RETRY = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05Z"


def run_in_shell(command: str, folder: Path | None = None, **variables: str) -> tuple[int, str, str]:
    """Run the command in a process of its own; returns its exit code, stdout and stderr."""
    shell = ["sh", "-c", f'"$0" -m goldpan_local {command}', sys.executable]
    own = {"PYTHONPATH": os.pathsep.join(sys.path), "GOLDPAN_CACHE": "off", **variables}
    ended = subprocess.run(shell, env=os.environ | own, cwd=folder, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(
    ("failure", "code", "message"),
    [
        (CredentialRejected("GITHUB_TOKEN was rejected"), 2, "GITHUB_TOKEN was rejected"),
        (RateLimited("no \x1b[31mmore", RETRY_AT), 3, f"catalogue: rate_limited (no more); try again at {RETRY}"),
        (Unavailable("connection refused"), 3, "catalogue: unavailable (connection refused)"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ZeroDivisionError("by zero"), 70, "internal error, please report it with the lines above"),
    ],
)
def test_a_failure_is_one_line_and_an_exit_code(
    run: Run, monkeypatch: pytest.MonkeyPatch, failure: BaseException, code: int, message: str
) -> None:
    """The line on stderr is the message, below what was logged; stdout is empty."""
    clock = use_runtime(monkeypatch, ListedSource(failure=failure))
    result = run("search", "React animation library", "-q", "--format", "json")
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr == f"goldpan: {message}\n"
    assert clock.cancelled == (code == 130)


def test_a_failure_has_lines_of_what_was_known(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """How the question was read, what each source gave, and the candidates."""
    monkeypatch.setattr(stages, "STAGES", replace(stages.STAGES, rank=Mock(side_effect=KeyError("sk-secret"))))
    use_runtime(monkeypatch, catalogue())
    result = run("search", "React animation library", "-q")
    error, read, source, heading, *_, last = [line.removeprefix("goldpan: ") for line in result.stderr.splitlines()]
    assert (error, result.exit_code) == ("internal error, please report it with the lines above", 70)
    assert (read, source[:13]) == ("read as: animation library · React", "catalogue: ok")
    assert (heading, " https://github.com/" in last) == ("found, not in order:", True)


def test_a_package_that_is_not_installed_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an environment that is older than the code: it takes an installation, not a look at a traceback."""
    monkeypatch.setitem(sys.modules, "goldpan_local.search_command", None)
    result = run("search", "React animation library")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "goldpan_local.search_command is not installed: install goldpan again, with `make run`" in result.stderr


def test_a_reader_that_closes_its_end_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing to a closed pipe raises nothing, neither at once nor when the interpreter flushes stdout at exit."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        write_stdout("an answer\n" * 20_000)
        closed.write("more")
        closed.flush()


@LINUX_ONLY
@pytest.mark.parametrize("lost", ["2> /dev/full", "2>&-"])
@pytest.mark.parametrize(("command", "code", "printed"), [("catalogue build in.jsonl out", 0, 1), ("search", 2, 0)])
def test_a_stderr_that_takes_nothing_costs_neither_output_nor_exit_code(
    tmp_path: Path, command: str, code: int, printed: int, lost: str
) -> None:
    """A note about an unknown field, or the message of a failure, is lost, and nothing else."""
    (tmp_path / "in.jsonl").write_text('{"full_name": "rq/rq", "unheard_of": 1}\n')
    ended, stdout, _ = run_in_shell(f"{command} {lost}", tmp_path)
    assert (ended, stdout.count("out: 1 repository")) == (code, printed)


@LINUX_ONLY
@pytest.mark.parametrize(
    ("command", "unbuffered", "message"),
    [
        ("--help > /dev/full", "", "stdout: No space left on device"),
        ("catalogue info > /dev/full", "", "stdout: No space left on device"),
        ("search --source catalogue date library > /dev/full", "1", "stdout: No space left on device"),
        ("catalogue info >&-", "", "stdout: Bad file descriptor"),
        ("search --source catalogue date library >&-", "", "stdout: Bad file descriptor"),
        ("search - <&-", "", "QUESTION: must have at least 1 character (given 0 characters)"),
    ],
)
def test_a_stdout_that_takes_nothing_is_one_line_and_exit_code_2(command: str, unbuffered: str, message: str) -> None:
    """Also when the interpreter flushes stdout at exit, or at once; a closed stdin is an empty one."""
    assert run_in_shell(command, PYTHONUNBUFFERED=unbuffered) == (2, "", f"goldpan: {message}\n")


def test_a_cache_that_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    """The cache, the locks and the limits share the file; the answer is there, and the line says what to do."""
    file = tmp_path / "cache.sqlite"
    file.write_text("addresses of my friends")
    code, _, stderr = run_in_shell("search --source catalogue date library", GOLDPAN_CACHE=str(file))
    lines = [line for line in stderr.splitlines() if "searches continue" in line]
    assert (code, [line.endswith("remove it or name another") for line in lines]) == (0, [True])


INTERRUPT = """
import os, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores it

class Interrupt:
    def find_spec(self, name, *_):
        if name == os.environ["INTERRUPTED_AT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""


@pytest.mark.parametrize(
    "module", ["goldpan_local.command", "typer", "goldpan_local.search_command", "pydantic", "goldpan.engine.search"]
)
def test_ctrl_c_while_modules_are_imported_is_no_traceback(tmp_path: Path, module: str) -> None:
    """Whichever is being imported: nothing is printed, and a shell says 130."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPT)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    code, stdout, stderr = run_in_shell("search React --source catalogue", PYTHONPATH=path, INTERRUPTED_AT=module)
    assert (code, stdout, "Traceback" in stderr) in {(-2, "", False), (130, "", False)}
