"""The command `goldpan serve`: what it costs others, what it says of itself, and when it does not start."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.contract.openapi.contract import ROOT
from tests.unit.local.conftest import Run


def test_other_commands_do_not_pay_for_the_server() -> None:
    """A search from the command line imports nothing of the server."""
    program = "import sys, goldpan_local.command; print(sorted({'uvicorn', 'starlette', 'yaml'} & set(sys.modules)))"
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'layers' / 'goldpan'}{os.pathsep}{ROOT / 'local'}"}
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout == "[]\n"


def test_the_command_helps_with_an_example(run: Run) -> None:
    """The help names the paths, the setting of the keys, and an example."""
    result = run("serve", "--help")
    assert result.exit_code == 0
    for part in ("POST /search", "GET /health", "GOLDPAN_API_KEYS", "Example: goldpan serve --port 8080"):
        assert part in result.stdout


@pytest.mark.parametrize(
    ("options", "environment", "said"),
    [
        (("--catalogue", "missing.sqlite"), {}, "no catalogue at missing.sqlite"),
        ((), {"LLM_API_KEY": "k"}, "LLM_BASE_URL is not set"),
        ((), {"GITHUB_API_URL": "nowhere"}, "GITHUB_API_URL"),
        (("--port", "70000"), {}, "--port"),
        (("--at-once", "0"), {}, "--at-once"),
    ],
)
def test_what_is_wrong_is_named_before_it_listens(
    run: Run, options: tuple[str, ...], environment: dict[str, str], said: str
) -> None:
    """A wrong option or setting ends it with 2 and its name, at the start and not at the first search."""
    result = run("serve", *options, env=environment)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
