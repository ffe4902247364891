"""Each committed event is what its door is really asked, and what a door answers is what the next one reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from goldpan.aws.assemble_messages import AssembleAsked, Line
from goldpan.aws.scout_messages import ScoutAsked
from goldpan.aws.screener_messages import RankAsked, ScoreAsked, ShortlistAsked, Shortlisted
from goldpan.aws.translator_messages import BeginAsked, Begun, TranslateAsked, Translated
from goldpan.contracts import Answer
from goldpan.engine.problem_details import Response
from goldpan.kinds.repositories.models import Batch, Verdict
from pydantic import BaseModel

from tests.support.factories import QueuedModel
from tests.unit.aws.doors import ROOT, Door, door, event, sample_ports

ASKED: dict[str, tuple[str, type[BaseModel], type[BaseModel]]] = {
    "begin": ("query_translator", BeginAsked, Begun),
    "translate": ("query_translator", TranslateAsked, Translated),
    "scout": ("scout", ScoutAsked, Batch),
    "shortlist": ("screener", ShortlistAsked, Shortlisted),
    "score": ("screener", ScoreAsked, Verdict),
    "rank": ("screener", RankAsked, Line),
    "assemble": ("screener", AssembleAsked, Response),
}
LOST = "the function that scores did not answer"


@pytest.fixture
def doors() -> dict[str, Door]:
    """Open all doors, with the sample catalogue in the place of GitHub."""
    dependencies = sample_ports()
    return {name: door(name, dependencies) for name in ("query_translator", "scout", "screener")}


def _keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys(inner)


@pytest.mark.parametrize("stage", ASKED)
def test_an_event_is_what_its_door_reads_and_answers(stage: str, doors: dict[str, Door]) -> None:
    """Every committed event passes its message model, and its door answers it with a value of the next contract."""
    function, asked, answered = ASKED[stage]
    given = event(stage)
    assert given["stage"] == stage
    assert asked.model_validate(given)
    assert answered.model_validate(doors[function](given))


def test_there_is_an_event_for_every_stage_and_one_for_the_machine() -> None:
    """The folder holds one event a stage, and the input of a whole execution, whose request the first door takes."""
    assert {path.stem for path in (ROOT / "events").glob("*.json")} == {*ASKED, "search"}
    assert [*event("search")] == ["request"]
    assert TranslateAsked.model_validate({"stage": "translate", "kind": "repositories", **event("search")})


@pytest.mark.parametrize("name", [*ASKED, "search"])
def test_no_event_says_when_it_began(name: str) -> None:
    """An event that named an old moment would be out of time whenever it is tried."""
    assert not {"begun_at", "asked_at"} & {*_keys(event(name))}


def _line(doors: dict[str, Door], request: dict[str, Any], lost: Sequence[int] = ()) -> dict[str, Any]:
    """Run one kind door by door, as the state machine does; the verdicts at these places are lost."""
    kind = {"kind": "repositories", "request": request, "begun_at": datetime.now(UTC).isoformat()}
    translated = doors["query_translator"]({"stage": "translate", **kind})
    kind["request"] = translated["request"]
    tasks = translated["translation"]["tasks"]
    batches = [doors["scout"]({"stage": "scout", "task": task, **kind}) for task in tasks]
    told = {"translation": translated["translation"]}
    shortlisted = doors["screener"]({"stage": "shortlist", "batches": batches, **told, **kind})
    verdicts = [
        {"full_name": task["repository"]["full_name"], "failure": LOST}
        if place in lost
        else doors["screener"]({"stage": "score", "task": task, **kind})
        for place, task in enumerate(shortlisted["shortlist"]["tasks"])
    ]
    times = {"translated_at": translated["ended_at"], "scouted_at": shortlisted["scouted_at"]}
    ranked = {"stage": "rank", "shortlist": shortlisted["shortlist"], "verdicts": verdicts, **times, **told, **kind}
    line: dict[str, Any] = doors["screener"](ranked)
    return line


def _answer(response: dict[str, Any]) -> Answer:
    assert (response["statusCode"], response["contentType"], response["retryAfter"]) == (200, "application/json", "")
    return Answer.model_validate_json(response["body"])


@pytest.mark.parametrize("model", [None, QueuedModel()], ids=["by rules", "by a model"])
def test_what_one_door_answers_the_next_one_reads(model: QueuedModel | None) -> None:
    """From the question to the body, each door takes the JSON of the one before it, and the body is the answer."""
    dependencies = sample_ports(model)
    doors = {name: door(name, dependencies) for name in ("query_translator", "scout", "screener")}
    request = event("search")["request"]
    line = _line(doors, request)
    answer = _answer(doors["screener"]({"stage": "assemble", "lines": [line], "request": request}))
    assert answer.query == request["query"]
    assert answer.repositories is not None
    assert len(answer.repositories.results) == request["max_results"]
    assert {item.basis for item in answer.repositories.results} == {"llm" if model else "rules"}
    assert (answer.usage.llm_calls > 0) == bool(model)


def test_a_lost_verdict_is_ordered_by_rules_and_told(doors: dict[str, Door]) -> None:
    """What the platform lost keeps its place by rules, and the answer says how many and why."""
    request = event("search")["request"]
    line = _line(doors, request, lost=(0, 2))
    answer = _answer(doors["screener"]({"stage": "assemble", "lines": [line], "request": request}))
    assert answer.repositories is not None
    assert len(answer.repositories.results) == request["max_results"]
    assert [error.error for error in answer.errors] == [f"{LOST} (2 times)"]


def test_the_times_of_an_answer_are_those_of_its_functions(doors: dict[str, Door]) -> None:
    """Each function's share is told, and together they are the whole."""
    request = event("search")["request"]
    began = datetime.now(UTC).isoformat()
    told = {"stage": "assemble", "lines": [_line(doors, request)], "request": request, "begun_at": began}
    times = _answer(doors["screener"](told)).execution_time_ms
    assert abs(times.total - (times.query_translator + times.scout + times.screener)) <= 2
    assert times.total < 30_000
