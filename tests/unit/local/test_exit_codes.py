"""A script can tell from the exit code what became of the search."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from goldpan import __version__
from goldpan.errors import CredentialRejected, RateLimited, Unavailable

from tests.unit.local.conftest import Run
from tests.unit.local.made import FailingSource, catalogue, use_runtime


def test_an_answer_ends_with_0(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that found something ends with 0."""
    use_runtime(monkeypatch, catalogue())
    assert run("search", "React animation library").exit_code == 0


def test_nothing_found_ends_with_1_and_prints_the_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that found nothing says so on stdout and ends with 1."""
    use_runtime(monkeypatch, catalogue())
    result = run("search", "quantum chemistry")
    assert result.exit_code == 1
    assert "Nothing found" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("search", "x", "--mode", "medium"), "mode: Input should be 'focused', 'balanced' or 'exploratory'"),
        (("search", "x", "--max-results", "26"), "max_results: Input should be less than or equal to 25"),
        (("search", "x", "--max-seconds", "soon"), "max_seconds: Input should be a valid integer"),
        (("search", "   "), "at least 1 "),
        (("search", "x" * 501), "at most 500 "),
        (("search", "a\x07b"), "query: control characters are not allowed"),
        (("search", "x", "--source", "gitlab"), "Input should be 'github', 'catalogue'"),
        (("search", "x", "--kind", "videos"), "kinds.0: Input should be 'repositories' or 'papers'"),
        (("search", "x", "--format", "xml"), "'table', 'json', 'markdown'"),
        (("search", "x", "--catalogue", "missing.sqlite"), "no catalogue at missing.sqlite"),
        (("search", "x", "--max-resluts", "3"), "No such option"),
        (("search",), "QUESTION"),
    ],
)
def test_bad_input_ends_with_2_and_names_it(run: Run, arguments: tuple[str, ...], said: str) -> None:
    """What the asker got wrong is named on stderr with what is allowed; nothing goes to stdout."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_half_set_language_model_ends_with_2(run: Run) -> None:
    """A setting that is missing beside another one is named."""
    result = run("search", "x", "--source", "catalogue", env={"LLM_API_KEY": "k"})
    assert result.exit_code == 2
    assert "goldpan: LLM_BASE_URL is not set" in result.stderr


def test_a_rejected_credential_ends_with_2(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A credential that the source rejects is for the operator to mend."""
    use_runtime(monkeypatch, FailingSource(CredentialRejected("GITHUB_TOKEN was rejected")))
    result = run("search", "React animation library", "-q")
    assert (result.exit_code, result.stderr) == (2, "goldpan: GITHUB_TOKEN was rejected\n")


def test_failed_sources_end_with_3_and_say_when_to_come_back(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every source failed the line tells why, and the time at which to try again."""
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    use_runtime(monkeypatch, FailingSource(RateLimited("no searches left", moment)))
    result = run("search", "React animation library", "-q")
    assert result.exit_code == 3
    assert result.stderr == "goldpan: catalogue: rate_limited (no searches left); try again at 2026-01-02T03:04:05Z\n"
    assert result.stdout == ""


def test_an_unavailable_source_ends_with_3(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that cannot be reached never looks like an empty answer."""
    use_runtime(monkeypatch, FailingSource(Unavailable("connection refused")))
    result = run("search", "React animation library", "-q", "--format", "json")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "connection refused" in result.stderr


def test_ctrl_c_ends_with_130_and_gives_the_search_up(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is told in one line, and what still waits is cancelled."""
    clock = use_runtime(monkeypatch, FailingSource(KeyboardInterrupt()))
    result = run("search", "React animation library", "-q")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "goldpan: stopped\n")
    assert clock.cancelled


def test_a_defect_ends_with_70(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect of the command never ends with the code of "nothing found"."""
    use_runtime(monkeypatch, FailingSource(ZeroDivisionError("division by zero")))
    result = run("search", "React animation library", "-q")
    assert result.exit_code == 70
    assert "ZeroDivisionError" in result.stderr
    assert result.stderr.endswith("goldpan: this is a defect of goldpan, please report it with the lines above\n")


def test_without_arguments_it_helps(run: Run) -> None:
    """The bare command shows its help, with an example."""
    result = run()
    assert result.exit_code == 0
    assert 'Example: goldpan search "React animation library"' in result.stdout
    assert "Usage: goldpan catalogue" in run("catalogue").stdout


@pytest.mark.parametrize("command", [("search",), ("catalogue", "build"), ("catalogue", "info")])
def test_every_command_helps_with_an_example(run: Run, command: tuple[str, ...]) -> None:
    """The help of each command ends with an example of it."""
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert f"Example: goldpan {' '.join(command)}" in result.stdout


def test_the_version_is_told(run: Run) -> None:
    """The version is one line."""
    assert run("--version").stdout == f"goldpan {__version__}\n"
