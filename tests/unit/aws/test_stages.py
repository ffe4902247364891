"""The stages as the handlers call them, with a small kind: what they refuse, and the problems that they describe."""

import json
from typing import Any

import pytest
from goldpan.aws import stages
from goldpan.aws.assembly import assemble
from goldpan.aws.events import AssembleEvent, ScoreEvent, TranslateEvent, dump
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest, OutOfTime
from goldpan.kind_table import KINDS

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


def translated(**changes: Any) -> dict[str, Any]:
    """Translate, and return the fields for the next stages."""
    event = TranslateEvent.model_validate({"stage": "translate", **COMMON, **changes})
    result = json.loads(json.dumps(dump(stages.translate(event, dependencies()))))
    return {**COMMON, "translation": result["translation"], "request": result["request"]}


def assembled(*outcomes: Any, request: Any = "") -> dict[str, Any]:
    """Assemble outcomes; returns the response with its body parsed."""
    event = {"stage": "assemble", "request": request, "started_at": START, "outcomes": outcomes}
    response = assemble(AssembleEvent.model_validate(event), dependencies)
    return {**response.model_dump(), "body": json.loads(response.body)}


def test_a_kind_or_a_source_that_does_not_exist() -> None:
    """The request is refused with what is allowed."""
    with pytest.raises(InvalidRequest, match=r"^kinds: 'people' is unknown; allowed: repositories, papers, toys"):
        translated(kind="people")
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


def test_assemble_without_outcomes() -> None:
    """An invalid request is refused field by field; that a valid one reaches assemble so is a defect."""
    refused = assembled(request={"query": "", "mode": "high"})
    assert refused["statusCode"] == 400
    assert "query: " in refused["body"]["detail"]
    assert "mode: " in refused["body"]["detail"]
    assert assembled(request={"query": "React"})["statusCode"] == 500
