"""No state ever holds more than Step Functions carries: an overflow ends the execution beyond every Catch (fault 30).

The real doors run along the state machine's own definition, over a source, a model and a request that are as large as
they can be; what every state holds is measured as JSON with a space after each comma and colon.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from goldpan.aws.answering import MAX_TEXT, answer_recorder
from goldpan.aws.assemble_messages import AssembleAsked
from goldpan.contracts import Answer, parse_request
from goldpan.kinds.repositories.ports import Dependencies

from tests.support.factories import NOW, StillClock
from tests.unit.aws.doors import Door
from tests.unit.aws.hostile import (
    HostileModel,
    HostileSource,
    filled,
)
from tests.unit.aws.large import CASES, Case, largest, run, too_large
from tests.unit.aws.remembering import Tables

KEY = "answer:1"
pytestmark = pytest.mark.usefixtures("unobserved")


@pytest.mark.parametrize("name", CASES)
def test_no_state_holds_more_than_is_carried(name: str) -> None:
    """However large a question, its sources and its model are, every state of the flow can be carried."""
    ended, held = run(CASES[name])
    assert too_large(held) == []
    assert ended["statusCode"] in {200, 400}


@pytest.mark.parametrize("name", CASES)
def test_what_is_remembered_can_be_carried(name: str) -> None:
    """However large an answer is, who asks the same again is told the same, and every state can be carried."""
    tables = Tables()
    first, _ = run(CASES[name], tables=tables)
    again, held = run(CASES[name], tables=tables)
    assert too_large(held) == []
    assert _told(again) == _told(first)


def _told(ended: Mapping[str, Any]) -> Any:
    times = dict.fromkeys(("cached", "answered_at", "execution_time_ms"))
    return {**ended, "body": {**json.loads(ended["body"]), **times}}


def test_the_largest_request_that_has_a_key_is_remembered() -> None:
    """The case that is named so has a key: it is counted when it is asked again."""
    tables = Tables()
    for _ in range(2):
        run(CASES["a request that is as large as a key takes"], tables=tables)
    [counted] = tables.counted
    assert len(counted["ExpressionAttributeValues"][":request"]["S"]) > 9500


@pytest.mark.parametrize("unit", ["a", '"', "\\", "水", "\x7f"])
def test_the_largest_answer_that_is_remembered_can_be_carried(unit: str) -> None:
    """The largest answer that a door keeps fits into a state beside the largest request, whatever it is written in."""
    case, tables = CASES["a request that is as large as a key takes"], Tables()
    request = parse_request(case.request)
    text = ""
    for length in range(1000, MAX_TEXT, 1000):
        answer = Answer(query=request.query, mode="focused", warnings=(filled(unit, length),), answered_at=NOW)
        _keep(answer, tables)
        known = tables.answers.fresh(KEY)
        if known is None or known.warnings != answer.warnings:
            break
        text = known.to_json()
    assert len(json.dumps(text, ensure_ascii=False).encode()) > MAX_TEXT - 10_000
    ended, held = run(case, tables=Tables(text))
    assert ended["body"] == text
    assert too_large(held) == []


def _keep(answer: Answer, tables: Tables) -> None:
    asked = AssembleAsked(stage="assemble", request=None, lines=(), key=KEY, refresh=True)
    with answer_recorder(asked, lambda: Dependencies(StillClock(), answers=tables.answers)) as kept:
        kept.keep(answer)


@pytest.mark.parametrize("name", ["a usual question", "prices of many models", "long facts"])
def test_what_is_cut_is_still_answered(name: str) -> None:
    """Cutting to what may travel costs bytes, not the answer: it has results, and each of them its reason."""
    ended, _ = run(CASES[name])
    assert ended["statusCode"] == 200
    assert ended["body"].count('"reasoning":') >= 10


@pytest.mark.parametrize("stage", ["translate", "scout", "shortlist", "score", "rank"])
def test_a_stage_that_breaks_leaves_its_state_small_enough(stage: str) -> None:
    """The words and the stack trace of a failure stand beside all that its state holds, and still fit."""

    def wrap(_function: str, call: Door) -> Door:
        def broken(event: Mapping[str, Any]) -> Any:
            if event["stage"] == stage:
                raise RuntimeError(filled("𠮷", 2000))
            return call(event)

        return broken

    ended, held = run(Case(largest(), HostileSource(unit="水"), HostileModel("水")), wrap)
    assert too_large(held) == []
    assert (ended["statusCode"], "𠮷" in ended["body"]) == (500, False)
