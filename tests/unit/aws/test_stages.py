"""The stages as the handlers call them, with a kind of their own: values in, values out, and what is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goldpan.aws import stages
from goldpan.aws.events import (
    AssembleEvent,
    RankEvent,
    ScoreEvent,
    ScoutEvent,
    ShortlistEvent,
    TranslateEvent,
    dump,
)
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import CredentialRejected, InvalidRequest, Misconfigured, OutOfTime, SourcesFailed
from goldpan.kinds.registry import KINDS

from tests.support import toy_kind
from tests.support.fakes import START, FakeClock
from tests.support.toy_kind import ToyBox

COMMON: dict[str, Any] = {"kind": "toys", "request": {"query": "kite robot", "kinds": ["toys"]}, "started_at": START}


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)


def dependencies(box: ToyBox | None = None, late: float = 0) -> Dependencies:
    """Make a box of toys, and a clock that is that many seconds late."""
    clock = FakeClock()
    clock.wait(late)
    return Dependencies(clock, {"toy_box": box or ToyBox()})


def as_json(value: Any) -> Any:
    """Pass a value as the state machine does."""
    return json.loads(json.dumps(dump(value)))


def translated(**changes: Any) -> dict[str, Any]:
    """Translate, and return the fields for the next stages."""
    event = TranslateEvent.model_validate({"stage": "translate", **COMMON, **changes})
    result = as_json(stages.translate(event, dependencies()))
    return {**COMMON, "translation": result["translation"], "request": result["request"]}


def batches(tasks: list[Any]) -> list[Any]:
    """Run the scout tasks."""
    events = [ScoutEvent.model_validate({"stage": "scout", **COMMON, "task": task}) for task in tasks]
    return [as_json(stages.scout(event, dependencies())) for event in events]


def ranked(*, lost_batch: str = "", lost_verdict: str = "") -> Any:
    """Run all stages of the kind, and lose the results of the tasks with these ids."""
    common = translated()
    tasks = common["translation"]["tasks"]
    found = [_or_lost(task, batch, lost_batch) for task, batch in zip(tasks, batches(tasks), strict=True)]
    shortlist = ShortlistEvent.model_validate({"stage": "shortlist", **common, "batches": found})
    shortlisted = as_json(stages.shortlist(shortlist, dependencies()))["shortlist"]
    scores = [ScoreEvent.model_validate({"stage": "score", **COMMON, "task": task}) for task in shortlisted["tasks"]]
    verdicts = [_or_lost(e.task, as_json(stages.score(e, dependencies())), lost_verdict) for e in scores]
    rank = RankEvent.model_validate({"stage": "rank", **common, "shortlist": shortlisted, "verdicts": verdicts})
    return as_json(stages.rank(rank))


def _or_lost(task: Any, result: Any, lost: str) -> Any:
    return {"task_id": task["id"], "failure": "lost"} if task["id"] == lost else result


def assembled(*outcomes: Any, request: Any = "") -> dict[str, Any]:
    """Assemble outcomes; returns the response with its body parsed."""
    event = {"stage": "assemble", "request": request, "started_at": START, "outcomes": outcomes}
    response = stages.assemble(AssembleEvent.model_validate(event), dependencies)
    return {**response.model_dump(), "body": json.loads(response.body)}


def test_what_one_stage_returns_the_next_one_reads() -> None:
    """From the question to the body of the response, by the models of the kind alone."""
    response = assembled(ranked())
    assert response["statusCode"] == 200
    assert [toy["name"] for toy in response["body"]["toys"]["results"]] == ["robot", "kite"]
    assert "repositories" not in response["body"]


def test_lost_tasks_become_rows_of_the_kind() -> None:
    """A lost batch is a status row, a lost verdict is scored by the kind's rules."""
    outcome = ranked(lost_batch="word-kite", lost_verdict="robot")
    assert [(row["strategy"], row["status"]) for row in outcome["result"]["sources"]] == [
        ("kite", "unavailable"), ("robot", "ok"),
    ]  # fmt: skip
    [toy] = outcome["result"]["section"]["results"]
    assert toy["reasoning"] == "It was not scored: lost."


def test_a_terminal_error_keeps_its_class() -> None:
    """Lambda reports the class, and the state machine catches it by name."""
    event = ScoutEvent.model_validate({"stage": "scout", **COMMON, "task": {"id": "a", "word": "kite"}})
    for error in (CredentialRejected("TOY_KEY: rejected"), Misconfigured("TOY_URL is not set")):
        with pytest.raises(type(error), match=str(error)):
            stages.scout(event, dependencies(ToyBox(failure=error)))
    failed = {"task_id": "word-kite", "failure": "timeout"}, {"task_id": "word-robot", "failure": "timeout"}
    with pytest.raises(SourcesFailed, match="toy_box: timeout"):
        stages.shortlist(
            ShortlistEvent.model_validate({"stage": "shortlist", **translated(), "batches": failed}), dependencies()
        )


def test_a_kind_or_a_source_that_does_not_exist() -> None:
    """The request is refused with what is allowed."""
    with pytest.raises(InvalidRequest, match=r"^kinds: 'papers' is unknown; allowed: repositories, toys"):
        translated(kind="papers")
    other = COMMON["request"] | {"sources": ["github"]}
    with pytest.raises(InvalidRequest, match=r"^sources: toys needs one of toy_box"):
        translated(request=other)


def test_a_search_that_is_late() -> None:
    """Translate ends it; a scoring that comes late has its verdict all the same."""
    event = TranslateEvent.model_validate({"stage": "translate", **COMMON})
    with pytest.raises(OutOfTime, match=r"^max_seconds: 25 seconds were not enough"):
        stages.translate(event, dependencies(late=26))
    task = {"id": "robot", "toy": {"name": "robot", "age": 3}}
    score = ScoreEvent.model_validate({"stage": "score", **COMMON, "task": task})
    assert stages.score(score, dependencies(late=26))


@pytest.mark.parametrize(
    ("error", "status", "problem"),
    [
        ("InvalidRequest", 400, "invalid-request"),
        ("CredentialRejected", 500, "credential-rejected"),
        ("Misconfigured", 500, "misconfigured"),
        ("SourcesFailed", 503, "sources-failed"),
        ("SourcesLimited", 429, "sources-limited"),
        ("OutOfTime", 504, "out-of-time"),
        ("Overloaded", 503, "overloaded"),
        ("KeyError", 500, "defect"),
    ],
)
def test_assemble_describes_a_terminal_error(error: str, status: int, problem: str) -> None:
    """Every class has its status and type; another error is a defect, whose text stays in the log."""
    cause = json.dumps({"errorMessage": "the message", "errorType": error})
    response = assembled({"kind": "toys", "failure": {"Error": error, "Cause": cause}})
    assert response["statusCode"] == status
    assert response["body"]["type"] == f"urn:goldpan:problem:{problem}"
    assert (response["body"]["detail"] == "the message") == (problem != "defect")


def test_assemble_without_outcomes() -> None:
    """An invalid request is refused field by field; that a valid one reaches assemble so is a defect."""
    refused = assembled(request={"query": "", "mode": "high"})
    assert refused["statusCode"] == 400
    assert "query: " in refused["body"]["detail"]
    assert "mode: " in refused["body"]["detail"]
    assert assembled(request={"query": "React"})["statusCode"] == 500
