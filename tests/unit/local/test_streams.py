"""stdout holds the answer and nothing else; what is told on the way goes to stderr."""

from __future__ import annotations

import json
import os
import re
import sys

import pytest
from goldpan.contracts import Answer, SearchRequest
from goldpan_local.endings import write_out

from tests.unit.local.conftest import Run
from tests.unit.local.made import catalogue, use_runtime

QUESTION = "React animation library"
MESSAGES = ("Query translated", "Found 2 candidates", "Shortlisted 2", "Scored 2", "Ranked 2", "Answered")


@pytest.fixture(autouse=True)
def _small_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    use_runtime(monkeypatch, catalogue())


@pytest.mark.parametrize("form", ["table", "json", "markdown"])
def test_progress_is_one_plain_line_a_stage_on_stderr(run: Run, form: str) -> None:
    """Where stderr is no terminal each stage is a line with its time, without colour codes."""
    result = run("search", QUESTION, "--format", form)
    lines = result.stderr.splitlines()
    assert len(lines) == len(MESSAGES)
    assert all(line.startswith(message) for line, message in zip(lines, MESSAGES, strict=True))
    assert all(re.search(r" \(\d+ ms\)$", line) for line in lines)
    assert "\x1b" not in result.stdout + result.stderr
    assert "Query translated" not in result.stdout


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet_silences_the_progress(run: Run, option: str) -> None:
    """With --quiet nothing goes to stderr."""
    assert run("search", QUESTION, option).stderr == ""


def test_json_is_the_whole_answer(run: Run) -> None:
    """The JSON on stdout is the answer of the contract, unknown scores as null, with a newline at its end."""
    result = run("search", QUESTION, "--format", "json")
    answer = Answer.model_validate_json(result.stdout)
    assert answer.repositories is not None
    assert answer.repositories.results[0].repo == "motion/react-motion"
    first = json.loads(result.stdout)["repositories"]["results"][0]
    assert first["scores"]["documentation"] is None
    assert result.stdout.endswith("}\n")


def test_json_is_the_same_twice_but_for_the_times(run: Run) -> None:
    """Two runs differ in nothing but execution_time_ms and answered_at."""

    def timeless(text: str) -> str:
        text = re.sub(r'"answered_at": "[^"]*"', "", text)
        return re.sub(r'"execution_time_ms": \{[^}]*\}', "", text)

    first, second = (run("search", QUESTION, "--format", "json").stdout for _ in range(2))
    assert timeless(first) == timeless(second)


def test_a_section_that_was_not_asked_for_is_absent_from_json() -> None:
    """`repositories` is left out where it is None; other nulls stay."""
    answer = Answer.model_validate({"query": "x", "mode": "balanced", "answered_at": "2026-01-02T03:04:05Z"})
    assert "repositories" not in json.loads(answer.to_json())


def test_json_is_utf_8_whatever_the_terminal(run: Run) -> None:
    """A question in another script comes back as it was asked."""
    result = run("search", "анимация для React 動畫 🎉", "--format", "json")
    assert json.loads(result.stdout_bytes.decode())["query"] == "анимация для React 動畫 🎉"
    assert "анимация" in result.stdout


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_a_question_in_another_script_is_shown(run: Run, form: str) -> None:
    """Unicode questions are answered in every format."""
    result = run("search", "анимация для React 動畫 🎉", "--format", form)
    assert result.exit_code in (0, 1)
    assert "анимация для React 動畫 🎉" in result.stdout


def test_options_not_given_are_not_passed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The contract's defaults hold, since the command passes on only what was given."""
    passed: list[object] = []

    def remember(fields: dict[str, object]) -> SearchRequest:
        passed.append(fields)
        return SearchRequest.model_validate(fields)

    monkeypatch.setattr("goldpan_local.search_command.parse_request", remember)
    run("search", QUESTION)
    run("search", QUESTION, "--kind", "repositories", "--mode", "focused", "--max-results", "1", "--max-llm-calls", "0")
    few = {"query": QUESTION, "kinds": ["repositories"], "mode": "focused", "max_results": "1", "max_llm_calls": "0"}
    assert passed == [{"query": QUESTION}, few]


def test_a_reader_that_has_seen_enough_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing into a closed pipe raises nothing, then or when the interpreter ends."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        write_out("an answer\n" * 20_000)
        closed.write("more")
        closed.flush()
