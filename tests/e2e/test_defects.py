"""Each stage and each task raises `KeyError`, on one machine and on AWS: the answer is partial and says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from goldpan.engine import answers
from goldpan.kind_table import KINDS
from goldpan.kinds.repositories import stages

from tests.e2e.comparison import Stack
from tests.support import toy_kind
from tests.support.search_fakes import Fakes, FakeSource
from tests.support.toy_kind import ToyBox

PRIVATE = "sk-a-secret-in-a-stack-trace"
NAMES = [f"example-org/motion-{number:02}" for number in range(5)]
BOTH = ["repositories", toy_kind.NAME]
Fail = Callable[..., None]


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Fail:
    """Let a stage of the repositories raise, or those of its tasks whose id is given."""

    def fail(stage: str, task_id: str | None = None) -> None:
        work = getattr(stages.STAGES, stage)

        def stage_or_error(first: Any, *others: Any) -> Any:
            if task_id in {None, getattr(first, "id", "")}:
                raise KeyError(PRIVATE)
            return work(first, *others)

        changed: dict[str, Any] = {stage: stage_or_error}
        monkeypatch.setattr(stages, "STAGES", replace(stages.STAGES, **changed))

    return fail


def test_a_defect_of_one_scout(stack: Stack, fail: Fail, caplog: pytest.LogCaptureFixture) -> None:
    """Its strategy is a row `unavailable` and an error; the others have their results, and the log the stack trace."""
    fail("scout", "recency:github")
    searched = stack.same()
    assert searched.statuses == {"stars": "ok", "recency": "unavailable", "expanded": "ok"}
    [error] = searched.answer.errors
    assert (error.stage, error.error) == ("scout", "recency:github failed unexpectedly; the log has the cause")
    assert len(searched.results) == 5
    assert "in stage_or_error" in caplog.text
    assert PRIVATE not in caplog.text + searched.response.body


def test_a_defect_of_one_scoring(stack: Stack, fail: Fail, caplog: pytest.LogCaptureFixture) -> None:
    """Its repository keeps the verdict by rules; a warning counts it, and an error says why."""
    fail("score", NAMES[3])
    searched = stack.same()
    assert [name for name, result in searched.results.items() if result.basis == "rules"] == ["motion-03"]
    [error] = searched.answer.errors
    assert (error.stage, error.error) == ("score", "the scoring failed unexpectedly; the log has the cause")
    assert searched.answer.warnings[0].startswith("1 of 5 repositories were ordered by rules")
    assert "in stage_or_error" in caplog.text
    assert PRIVATE not in caplog.text + searched.response.body


@pytest.mark.parametrize(
    ("stage", "known"),
    [("translate", 0), ("shortlist", 3), ("rank", 3)],
)
def test_a_defect_of_a_stage(stack: Stack, fail: Fail, stage: str, known: int) -> None:
    """The search ends with status 500 and a fixed text, and with what the finished stages found."""
    fail(stage)
    problem = stack.same().problem
    assert (problem["status"], problem["type"]) == (500, "urn:goldpan:problem:defect")
    assert problem["detail"] == "The log of the functions has the cause."
    assert [row["status"] for row in problem.get("sources", ())] == ["ok"] * known
    assert len(problem.get("interpretation", ())) == known
    titles = [each["title"] for each in problem.get("candidates", {}).get("repositories", ())]
    assert sorted(titles) == (NAMES if known else [])
    assert PRIVATE not in str(problem)


def test_a_defect_of_assemble(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known then are the results."""

    def fail(**_: object) -> None:
        raise KeyError(PRIVATE)

    monkeypatch.setattr(answers, "Answer", fail)
    problem = stack.same().problem
    assert problem["type"] == "urn:goldpan:problem:defect"
    assert sorted(each["title"] for each in problem["candidates"]["repositories"]) == NAMES
    assert [row["status"] for row in problem["sources"]] == ["ok"] * 3


@pytest.mark.parametrize("stage", ["translate", "shortlist", "rank"])
def test_a_defect_of_one_kind(stack: Stack, fail: Fail, monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    """The other kind is answered, with a warning and an error about the missing one."""
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)
    fail(stage)
    searched = stack.same(lambda: Fakes({"github": FakeSource(), "toy_box": ToyBox()}), kinds=BOTH)
    assert list(searched.answer.sections) == [toy_kind.NAME]
    [error] = searched.answer.errors
    assert (error.stage, error.error) == ("repositories", "a stage failed unexpectedly; the log has the cause")
    assert searched.answer.warnings == (f"No repositories in this answer: {error.error}.",)
