"""How a search ends over HTTP: the documented status, details that parse, and nothing that is not the asker's."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from goldpan.contracts import Answer
from goldpan.engine.problem_details import STATUSES, Response, problem, respond
from goldpan.errors import (
    CredentialRejected,
    Defect,
    GoldpanError,
    InvalidRequest,
    Misconfigured,
    OutOfTime,
    SourcesFailed,
    SourcesLimited,
    TerminalError,
    Unavailable,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.support.factories import NOW

SOON = NOW + timedelta(seconds=90)
MEMBERS = {"type", "title", "status", "detail"}
HOSTILE = st.text(st.characters()) | st.sampled_from(
    ['"}', "a\nb\r\n", "</script><script>alert(1)</script>", "\u2028\u2029", "\\u0000\x00\x1b[31m", "𠮷野家", "{a=b}"]
)
ENDINGS: list[type[GoldpanError]] = [*STATUSES, CredentialRejected]


def _body(response: Response) -> dict[str, Any]:
    """Read the body: one JSON object that UTF-8 can carry."""
    response.body.encode()
    read: dict[str, Any] = json.loads(response.body)
    return read


@pytest.mark.parametrize(
    ("ending", "status", "kind", "retry_after"),
    [
        (InvalidRequest("query: Field required"), 400, "invalid-request", ""),
        (SourcesLimited("github: rate_limited (slow down)", SOON), 429, "sources-limited", "90"),
        (SourcesLimited("github: rate_limited (slow down)"), 429, "sources-limited", ""),
        (Misconfigured("LLM_MODEL is not set"), 500, "misconfigured", ""),
        (CredentialRejected("GITHUB_TOKEN: GitHub rejected it"), 500, "credential-rejected", ""),
        (SourcesFailed("github: unavailable (down)"), 503, "sources-failed", ""),
        (SourcesFailed("github: unavailable (down)", SOON), 503, "sources-failed", "90"),
        (OutOfTime("max_seconds: 5 seconds were not enough"), 504, "out-of-time", ""),
    ],
)
def test_each_ending_has_its_status_and_says_why(
    ending: TerminalError, status: int, kind: str, retry_after: str
) -> None:
    """The asker learns from the status who has to mend what, and from the detail what exactly."""
    response = problem(ending, NOW)
    assert (response.statusCode, response.contentType) == (status, "application/problem+json")
    assert response.retryAfter == retry_after
    body = _body(response)
    assert (body["type"], body["status"], body["detail"]) == (f"urn:goldpan:problem:{kind}", status, str(ending))


def test_a_defect_tells_the_asker_nothing_of_itself() -> None:
    """The text of a defect is for the log; the asker reads a fixed sentence."""
    response = problem(Defect("KeyError: 'hush' in /var/task/app.py"), NOW)
    assert (response.statusCode, response.retryAfter) == (500, "")
    assert "hush" not in response.body
    assert "app.py" not in response.body
    assert _body(response)["detail"]


@given(st.sampled_from(ENDINGS), HOSTILE)
def test_every_text_makes_problem_details_that_parse(cls: type[GoldpanError], text: str) -> None:
    """Quotes, line ends, markup and any script come through as they were, in the members of RFC 9457."""
    ending = cls(text)
    body = _body(problem(ending, NOW))
    assert {*body} == MEMBERS
    assert [type(body[member]) for member in ("type", "title", "detail")] == [str, str, str]
    assert body["status"] == problem(ending, NOW).statusCode
    assert body["detail"] == (str(ending) if cls is not Defect else problem_of_a_defect())


def problem_of_a_defect() -> str:
    """Give the sentence that every defect has."""
    detail: str = _body(problem(Defect(""), NOW))["detail"]
    return detail


@pytest.mark.parametrize("text", ["half \ud83d", "\udc00"])
def test_half_a_character_does_not_break_a_body(text: str) -> None:
    """A text with half of a surrogate pair, as broken JSON of a provider may hold it, still ends in a body."""
    assert _body(problem(SourcesFailed(f"github: unavailable ({text})"), NOW))["status"] == 503


@pytest.mark.parametrize("cls", [TerminalError, Unavailable, GoldpanError])
def test_an_error_that_should_not_come_here_is_a_defect(cls: type[GoldpanError]) -> None:
    """A class without a row of its own in the table ends as an internal error, not as a crash, and tells nothing."""
    response = problem(cls("hush"), NOW)
    assert response.statusCode == 500
    assert "hush" not in response.body


@given(st.floats(-10_000, 10_000))
def test_the_time_to_come_back_is_a_second_at_least(seconds: float) -> None:
    """`Retry-After` is a whole number of seconds that is never too early, and never 0."""
    moment = NOW + timedelta(seconds=seconds)
    told = int(problem(SourcesLimited("limited", moment), NOW).retryAfter)
    assert told >= 1
    assert told >= (moment - NOW).total_seconds() or told == 1
    assert told <= max(1, (moment - NOW).total_seconds() + 1)


def test_an_answer_is_the_body() -> None:
    """A search that ends well answers 200 with the answer as the contract has it, in any script."""
    answer = Answer(query='React "アニメ" </script>', mode="balanced", answered_at=NOW)
    response = respond(lambda: answer, lambda: NOW)
    assert (response.statusCode, response.contentType, response.retryAfter) == (200, "application/json", "")
    assert Answer.model_validate_json(response.body) == answer
    assert "repositories" not in _body(response)


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_ends_a_search_is_answered_and_not_raised(ending: type[GoldpanError]) -> None:
    """An ending becomes a response, with the time at which it is told."""

    def raising() -> Answer:
        raise ending("text")

    assert respond(raising, lambda: datetime.now(UTC)).statusCode >= 400


def test_a_bug_is_not_answered_as_if_it_were_an_ending() -> None:
    """What nobody foresaw leaves the function, so that Lambda counts it as an error."""

    def raising() -> Answer:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        respond(raising, lambda: NOW)


def test_every_member_of_a_response_is_always_there() -> None:
    """The mapping template of the gateway reads four members; none is left out, also where it is empty."""
    for ending in ENDINGS:
        assert {*problem(ending("text"), NOW).model_dump(mode="json", exclude_defaults=True)} == {
            "statusCode", "contentType", "retryAfter", "body",
        }  # fmt: skip
