"""Searches that end early: the state machine ends with the problem that the pipeline raises, also for a defect."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from goldpan.engine import answers
from goldpan.errors import CredentialRejected, Misconfigured, RateLimited, Unavailable
from goldpan.kinds.repositories import stages

from tests.e2e.comparison import Stack
from tests.support.search_fakes import QUESTION, Fakes, FakeSource, JudgingModel

LATER = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=10)
STRATEGIES = ("stars", "recency", "expanded")
DOWN = dict.fromkeys(STRATEGIES, Unavailable("github answered 502"))
REJECTED = CredentialRejected("LLM_API_KEY: https://api.example.org rejected it (401)")


@pytest.mark.parametrize(
    "parts",
    [
        {"llm": JudgingModel(translation=REJECTED)},
        {"llm": JudgingModel(judge=lambda _: REJECTED)},
        {"sources": {"github": FakeSource(failures={"stars": REJECTED})}},
        {"sources": {"github": FakeSource(failures={"enrich": Misconfigured(str(REJECTED))})}},
    ],
    ids=["translate", "score", "scout", "shortlist"],
)
def test_a_wrong_setting(stack: Stack, parts: dict[str, Any]) -> None:
    """The search ends with status 500 and the name of the setting, at the stage that used it."""
    searched = stack.same(lambda: Fakes(**parts))
    assert (searched.response.statusCode, searched.problem["detail"]) == (500, str(REJECTED))
    assert searched.problem["type"].endswith((":credential-rejected", ":misconfigured"))
    assert "rank" not in searched.calls


@pytest.mark.parametrize(
    ("failures", "status", "retry_after"),
    [
        (DOWN, 503, "5"),
        (DOWN | {"stars": RateLimited("over its limit", LATER)}, 503, "3"),
        (dict.fromkeys(STRATEGIES, RateLimited("over its limit", LATER.replace(microsecond=654321))), 429, "3"),
    ],
    ids=["down", "one limited", "all limited"],
)
def test_every_strategy_fails(stack: Stack, failures: dict[str, Any], status: int, retry_after: str) -> None:
    """The search ends with the reasons, each once, and with seconds to wait, which a source may have named."""
    searched = stack.same(lambda: Fakes({"github": FakeSource(failures=failures)}))
    assert searched.response.statusCode == status
    assert searched.problem["detail"].startswith("github: ")
    assert [row["strategy"] for row in searched.problem["sources"]] == [*STRATEGIES]
    assert searched.response.retryAfter[:1] == retry_after
    assert "score" not in searched.calls


@pytest.mark.parametrize(
    ("fields", "detail", "stages"),
    [
        ({"query": "?!"}, "query: holds no word to search for", {"translate"}),
        ({"max_results": 26}, "max_results: ", set()),
        ({"kinds": {"0": "repositories"}}, "kinds", set()),
    ],
    ids=str,
)
def test_an_invalid_request(stack: Stack, fields: dict[str, Any], detail: str, stages: set[str]) -> None:
    """Status 400 with the name of the field, before any kind is searched; no rule finds a word in signs alone."""
    searched = stack.same(lambda: Fakes(llm=None), **fields)
    assert searched.response.statusCode == 400
    assert searched.problem["detail"].startswith(detail)
    assert set(searched.calls) == {"begin", "assemble"} | stages


@pytest.mark.parametrize("value", [None, {"query": QUESTION}], ids=str)
def test_an_input_without_a_request(stack: Stack, value: Any) -> None:
    """Status 400, and nothing is searched."""
    searched = stack.execute(Fakes(), value)
    assert searched.response.statusCode == 400
    assert searched.calls == {"assemble": 1}


PRIVATE = "sk-a-secret-in-a-stack-trace"
NAMES = [f"example-org/motion-{number:02}" for number in range(5)]
TASKS = {"scout": "recency:github", "score": NAMES[3]}
Fail = Callable[[str], None]


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Fail:
    """Let a stage of the repositories raise, or one task of it."""

    def fail(stage: str) -> None:
        def stage_or_error(first: Any, *others: Any) -> Any:
            if stage not in TASKS or first.id == TASKS[stage]:
                raise KeyError(PRIVATE)
            return work(first, *others)

        work, changed = getattr(stages.STAGES, stage), {stage: stage_or_error}
        monkeypatch.setattr(stages, "STAGES", replace(stages.STAGES, **changed))  # type: ignore[arg-type] # any stage

    return fail


@pytest.mark.parametrize(
    ("stage", "status", "by_rules", "text"),
    [
        ("scout", "unavailable", [], "recency:github failed unexpectedly; the log has the cause"),
        ("score", "ok", ["motion-03"], "the scoring failed unexpectedly; the log has the cause"),
    ],
)
def test_a_defect_of_one_task(  # noqa: PLR0913, PLR0917 - fixtures and columns
    stack: Stack, fail: Fail, caplog: pytest.LogCaptureFixture, stage: str, status: str, by_rules: list[str], text: str
) -> None:
    """It is a row or a verdict by rules, and an error; the log has the stack trace, without the secret in it."""
    fail(stage)
    searched = stack.same()
    assert searched.statuses == {"stars": "ok", "recency": status, "expanded": "ok"}
    assert len(searched.results) == 5
    assert [name for name, result in searched.results.items() if result.basis == "rules"] == by_rules
    assert [(error.stage, error.error) for error in searched.answer.errors] == [(stage, text)]
    assert "in stage_or_error" in caplog.text
    assert PRIVATE not in caplog.text + searched.response.body


@pytest.mark.parametrize(("stage", "known"), [("translate", 0), ("shortlist", 3), ("rank", 3), ("assemble", 3)])
def test_a_defect_of_a_stage(stack: Stack, fail: Fail, monkeypatch: pytest.MonkeyPatch, stage: str, known: int) -> None:
    """The search ends with status 500 and a fixed text, and with what the finished stages found."""
    if stage == "assemble":
        monkeypatch.setattr(answers, "Answer", None)
    else:
        fail(stage)
    problem = stack.same().problem
    assert (problem["status"], problem["type"]) == (500, "urn:goldpan:problem:defect")
    assert problem["detail"] == "The log of the functions has the cause."
    assert [row["status"] for row in problem.get("sources", ())] == ["ok"] * known
    assert len(problem.get("interpretation", ())) == known
    titles = [each["title"] for each in problem.get("candidates", {}).get("repositories", ())]
    assert sorted(titles) == (NAMES if known else [])
    assert PRIVATE not in str(problem)
