"""The end of a search that others wait for: its lock is released, and what fails there hides nothing."""

import json
import logging
from typing import Any

import pytest
from goldpan.aws.assembly import assemble, combine
from goldpan.aws.container import Container
from goldpan.aws.events import AssembleEvent, BeginEvent, CombineEvent
from goldpan.aws.stages import begin, keep
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.problem_details import answered, problem
from goldpan.errors import Forbidden, Misconfigured, Overloaded
from goldpan.kind_table import KINDS

from tests.support import toy_kind
from tests.support.factories import ListedSource, QueuedModel, answer, repository
from tests.support.fakes import START, FakeClock
from tests.support.memory_stores import MemoryCache, MemoryLocks

REQUEST = {"query": "kite", "kinds": ["toys"]}
SECTION = {"total_candidates": 0, "shortlisted": 0, "results": []}
FOUND = {"kind": "toys", "request": REQUEST, "result": {"kind": "toys", "section": SECTION}}
FAILED = {"kind": "toys", "failure": {"Error": "SourcesFailed", "Cause": "toy_box: down"}}


@pytest.fixture(autouse=True)
def _small_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)


def assembled(shared: Dependencies, outcome: object = FOUND) -> Any:
    """Assemble the outcome of the execution `one`."""
    event = {"stage": "assemble", "request": "", "outcomes": [outcome], "key": "search:1", "owner": "one"}
    return assemble(AssembleEvent.model_validate(event), shared)


def test_a_defect_releases_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next execution searches at once; one that is too large for a key waits for no other."""
    clock = FakeClock()
    shared = Dependencies(clock, cache=MemoryCache(clock), locks=MemoryLocks(clock))

    def decision(owner: str, key: str = "search:1") -> str:
        event = {"stage": "begin", "key": key, "owner": owner, "request": REQUEST, "requested_at": clock.now()}
        return begin(BeginEvent.model_validate(event), shared).decision

    assert [decision("one"), decision("two")] == ["search", "wait"]
    monkeypatch.setattr(shared.cache, "write", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        assembled(shared)
    assert decision("two") == "search"
    assert [decision("one", key=""), decision("two", key="")] == ["search", "search"]


def test_a_round_that_the_machine_refuses_has_its_response(capsys: pytest.CaptureFixture[str]) -> None:
    """Such as that of a key which is bound to other projects: it is not lost; one that is not started is counted."""
    refused = problem(Forbidden("project_id: another one"), START)
    event = {"stage": "combine", "request": REQUEST, "round": {"Output": refused.model_dump_json()}}
    assert combine(CombineEvent.model_validate(event), Dependencies(FakeClock())).response == refused
    assert "Responses" not in capsys.readouterr().out
    event["round"] = {"Error": "Sfn.ThrottlingException"}
    combine(CombineEvent.model_validate(event), Dependencies(FakeClock()))
    assert '"status":"503"' in capsys.readouterr().out


def test_the_page_of_all_rounds_fits_beside_the_request() -> None:
    """A state has both; what does not fit is left out, with a warning."""
    found = answer(ListedSource([repository()]), QueuedModel(), max_llm_calls=1)
    long = found.sections["repositories"].results[0].model_copy(update={"reasoning": "x" * 40_000})
    section = found.sections["repositories"].model_copy(update={"results": (long,) * 5, "total": 5})
    shared = Dependencies(FakeClock(), cache=MemoryCache(FakeClock()))
    key = keep(found.model_copy(update={"sections": {"repositories": section}}).to_json(), shared)
    ended = {"Output": answered(key).model_dump_json()}
    for blanks, count in ((0, 5), (60_000, 2)):
        event = {"stage": "combine", "request": {"query": "react" + " " * blanks, "max_llm_calls": 1}, "round": ended}
        response = combine(CombineEvent.model_validate(event), shared).response
        assert response is not None
        assert len(json.loads(response.body)["repositories"]["results"]) == count


@pytest.mark.parametrize("error", [Misconfigured("LLM_MODEL is not set"), Overloaded("LLM_MODEL: SSM is throttled")])
def test_dependencies_that_fail_hide_neither_the_answer_nor_the_error(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """Without stores nothing is cached, and the log says why."""

    def misconfigured(_environment: object) -> Dependencies:
        raise error

    with caplog.at_level(logging.WARNING):
        shared = Container(misconfigured).try_dependencies()
    assert assembled(shared).statusCode == 200
    assert "toy_box: down" in assembled(shared, FAILED).body
    assert str(error) in caplog.text
