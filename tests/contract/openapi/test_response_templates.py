"""What the asker receives is what the machine ended with; where it ended otherwise, a fixed text that tells nothing."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import yaml
from goldpan.contracts import Answer
from goldpan.engine.problem_details import ANSWER_TYPE, PROBLEM_TYPE, STATUSES, problem, respond
from goldpan.errors import (
    CredentialRejected,
    Defect,
    GoldpanError,
    InvalidRequest,
    Misconfigured,
    OutOfTime,
    Overloaded,
    SourcesFailed,
    SourcesLimited,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.openapi.contract import ROOT, as_written
from tests.contract.openapi.gateway import SECRET, ended, reply, run
from tests.contract.openapi.hostile import HOSTILE
from tests.support.factories import NOW

EXAMPLE = (ROOT / "docs" / "example-answer.json").read_text("utf-8")
LATER = NOW + timedelta(seconds=41, milliseconds=200)
ENDINGS: list[tuple[type[GoldpanError], int]] = [
    (InvalidRequest, 400), (Misconfigured, 500), (CredentialRejected, 500), (SourcesFailed, 503), (SourcesLimited, 429),
    (OutOfTime, 504), (Overloaded, 503), (Defect, 500),
]  # fmt: skip


def test_every_ending_of_the_library_is_among_them() -> None:
    """No ending that has a status is left out below."""
    assert set(STATUSES) <= {cls for cls, _ in ENDINGS}


@pytest.mark.parametrize("text", HOSTILE)
def test_an_answer_arrives_byte_by_byte(text: str) -> None:
    """Whatever stands in a question or a result, the body is the one that the machine wrote."""
    example = Answer.model_validate_json(EXAMPLE)
    made = respond(lambda: example.model_copy(update={"query": text, "warnings": (text,)}), lambda: NOW)
    received = reply(ended(made.model_dump()))
    assert (received.status, received.headers) == (200, {"Content-Type": ANSWER_TYPE})
    assert received.body.encode() == made.body.encode()


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(("cls", "status"), ENDINGS)
def test_a_problem_arrives_with_its_status(cls: type[GoldpanError], status: int, text: str) -> None:
    """Each ending of a search has its real status, its type and its words."""
    made = problem(cls(text), NOW)
    received = reply(ended(made.model_dump()))
    again = {"Retry-After": "5"} if cls is Overloaded else {}
    assert (received.status, received.headers) == (status, {"Content-Type": PROBLEM_TYPE, **again})
    assert received.body.encode() == made.body.encode()
    as_written("Problem").validate(received.problem)


@pytest.mark.parametrize(("cls", "status"), [(SourcesFailed, 503), (SourcesLimited, 429)])
def test_when_to_come_back_is_told(cls: type[SourcesFailed], status: int) -> None:
    """A source that named a time makes a Retry-After of it, in whole seconds, never too early."""
    received = reply(ended(problem(cls("github: later", LATER), NOW).model_dump()))
    assert (received.status, received.headers["Retry-After"]) == (status, "42")


@given(st.text(), st.text())
@settings(max_examples=100, deadline=None)
def test_any_text_arrives_byte_by_byte(question: str, detail: str) -> None:
    """No text at all changes the body on its way."""
    body = json.dumps({"query": question, detail: detail}, ensure_ascii=False)
    received = reply(ended({"statusCode": 200, "contentType": ANSWER_TYPE, "retryAfter": "", "body": body}))
    assert (received.status, received.body) == (200, body)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(("ending", "status", "name"), [("FAILED", 500, "defect"), ("TIMED_OUT", 504, "out-of-time")])
def test_a_run_that_broke_tells_nothing_of_its_cause(ending: str, status: int, name: str, text: str) -> None:
    """A failed run is a 500 and one that was cut a 504, always in the same words, whatever the cause holds."""
    received = reply(run(ending, error=text + SECRET, cause=f"Traceback: {text} {SECRET}"))
    assert received.status == status
    assert received.problem["type"] == f"urn:goldpan:problem:{name}"
    assert received == reply(run(ending))
    assert SECRET not in received.body


@pytest.mark.parametrize(
    "output",
    [
        None, "", "null", "{}", "[]", '"text"', "3",
        {"contentType": ANSWER_TYPE, "retryAfter": "", "body": "{}"},
        {"statusCode": 200, "retryAfter": "", "body": "{}"},
        {"statusCode": 200, "contentType": ANSWER_TYPE, "retryAfter": ""},
        {"statusCode": 200, "contentType": ANSWER_TYPE, "retryAfter": "", "body": ""},
        {"statusCode": 200, "contentType": ANSWER_TYPE, "retryAfter": "", "body": SECRET},
        {"statusCode": 200, "contentType": ANSWER_TYPE, "retryAfter": "", "body": {"a": SECRET}},
        {"statusCode": 200, "contentType": ANSWER_TYPE, "retryAfter": "", "body": [SECRET]},
        {"statusCode": None, "contentType": None, "retryAfter": None, "body": None},
        {"statusCode": 302, "contentType": ANSWER_TYPE, "retryAfter": "", "body": "{}"},
        {"statusCode": "200 OK", "contentType": ANSWER_TYPE, "retryAfter": "", "body": "{}"},
        {"Error": SECRET, "Cause": SECRET},
    ],
)  # fmt: skip
def test_an_end_that_is_none_is_a_defect(output: Any) -> None:
    """An empty, partial or foreign output is never a 200 with an empty body, nor an object printed as {a=b}."""
    received = reply(run("SUCCEEDED", json.dumps(output) if isinstance(output, dict) else output))
    assert received == reply(run("FAILED"))


@pytest.mark.parametrize("status", ["RUNNING", "ABORTED", "", SECRET])
def test_a_run_in_an_unknown_state_is_a_defect(status: str) -> None:
    """Only a run that succeeded is believed."""
    output = json.dumps({"statusCode": 200, "contentType": ANSWER_TYPE, "retryAfter": "", "body": "{}"})
    assert reply(run(status, output)) == reply(run("FAILED"))


def test_nonsense_for_a_time_is_no_header() -> None:
    """A Retry-After that is no number of seconds is left out; it could break the headers apart."""
    ending = {"statusCode": 429, "contentType": PROBLEM_TYPE, "retryAfter": "1\r\nSet-Cookie: x", "body": "{}"}
    assert reply(ended(ending)).headers == {"Content-Type": PROBLEM_TYPE}


def test_the_machine_s_own_endings_arrive() -> None:
    """What the state machine says by itself, with no function left to say it, keeps the contract too."""
    machine = yaml.safe_load((ROOT / "statemachine" / "search.asl.yaml").read_text("utf-8"))
    endings = [state["Parameters"] for state in machine["States"].values() if "body" in state.get("Parameters", {})]
    assert endings
    for ending in endings:
        received = reply(ended(ending))
        assert (received.status, received.body) == (ending["statusCode"], ending["body"])
        as_written("Problem").validate(received.problem)


@pytest.mark.parametrize("http", [400, 403, 404, 429, 500, 502, 503])
@pytest.mark.parametrize("fault", ["AccessDeniedException", "StateMachineDoesNotExist", "InvalidArn", None])
def test_a_search_that_cannot_be_started_is_a_defect(fault: str | None, http: int) -> None:
    """A right that is missing or a machine that is gone is told by the log, not by the asker's response."""
    told = {"message": SECRET} if fault is None else {"__type": f"com.amazonaws.swf#{fault}", "message": SECRET}
    received = reply(told, http)
    assert (received.status, received.problem["type"]) == (500, "urn:goldpan:problem:defect")
    assert "could not be started" in received.problem["detail"]
    assert SECRET not in received.body


@pytest.mark.parametrize("fault", ["com.amazon.coral.availability#ThrottlingException", "TooManyRequestsException"])
def test_too_many_searches_at_once_may_be_tried_again(fault: str) -> None:
    """Where Step Functions takes no further run, the asker is told to come back in a moment."""
    received = reply({"__type": fault, "message": "Rate exceeded"}, 400)
    assert (received.status, received.headers["Retry-After"]) == (503, "1")
    assert received.problem["type"] == "urn:goldpan:problem:busy"


@pytest.mark.parametrize("fault", ["InvalidExecutionInput", "com.amazon.coral.validate#ValidationException"])
def test_a_request_that_is_too_large_is_the_asker_s(fault: str) -> None:
    """Step Functions takes 256 KiB; more than that the asker has to mend."""
    received = reply({"__type": fault, "message": SECRET}, 400)
    assert (received.status, received.problem["type"]) == (400, "urn:goldpan:problem:invalid-request")
    assert SECRET not in received.body
