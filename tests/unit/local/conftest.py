"""What the tests of the command share: no sockets, no keys, a plain environment."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from goldpan_local.command import app
from typer.testing import CliRunner, Result

Run = Callable[..., Result]
REMOVED = (
    *("GITHUB_TOKEN", "GITHUB_API_URL", "LLM_API_KEY", "LLM_BASE_URL", "LLM_MODEL", "DEEPSEEK_API_KEY"),
    *("OPENAI_API_KEY", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE"),
    *("GH_TOKEN", "GOLDPAN_PAGER", "PAGER", "LESS"),
)


@pytest.fixture(autouse=True)
def _no_handlers_of_a_function() -> None:
    """Remove the log handlers of a Lambda function that another test in this process called."""
    logger = logging.getLogger("goldpan")
    logger.handlers.clear()
    logger.setLevel(logging.NOTSET)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, socket_disabled: None, tmp_path: Path) -> None:  # noqa: ARG001 - a fixture
    for name in REMOVED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


@pytest.fixture
def user_file(tmp_path: Path) -> Path:
    """Return the path of the user's file, in a folder that exists."""
    path = tmp_path / "settings" / "goldpan" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def refused(result: Result) -> str:
    """Return what stderr says of invalid input; nothing was printed, and the exit code is 2."""
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


@pytest.fixture
def run() -> Run:
    """Run the command in this process with arguments as they would be typed."""

    def invoke(*arguments: str, env: dict[str, str] | None = None, stdin: str | None = None) -> Result:
        return CliRunner().invoke(app, list(arguments), input=stdin, env=env, prog_name="goldpan")

    return invoke
