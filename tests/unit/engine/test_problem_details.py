"""How a search ends over HTTP: the documented status, a body that parses, and no internals of a defect."""

import json
from datetime import timedelta
from typing import Any

import pytest
from goldpan import errors
from goldpan.engine.problem_details import STATUSES, Response, problem
from goldpan.known import Known
from hypothesis import given
from hypothesis import strategies as st

from tests.support.factories import NOW

IN_90_SECONDS = NOW + timedelta(seconds=90)
HOSTILE = st.text(st.characters()) | st.sampled_from(
    ['"}', "a\nb\r\n", "</script><script>alert(1)</script>", "\u2028\u2029", "\\u0000\x00\x1b[31m", "𠮷野家", "\ud83d"]
)


def _body(response: Response) -> dict[str, Any]:
    response.body.encode()
    read: dict[str, Any] = json.loads(response.body)
    return read


@pytest.mark.parametrize(
    ("error", "status", "slug", "retry_after"),
    [
        (errors.InvalidRequest("query: is required"), 400, "invalid-request", ""),
        (errors.SourcesLimited("github: rate_limited", IN_90_SECONDS), 429, "sources-limited", "90"),
        (errors.SourcesLimited("github: rate_limited", NOW + timedelta(seconds=89.1)), 429, "sources-limited", "90"),
        (errors.SourcesLimited("github: rate_limited", NOW - timedelta(hours=1)), 429, "sources-limited", "1"),
        (errors.SourcesLimited("github: rate_limited"), 429, "sources-limited", "60"),
        (errors.Misconfigured("LLM_MODEL is not set"), 500, "misconfigured", ""),
        (errors.CredentialRejected("GITHUB_TOKEN: GitHub rejected it"), 500, "credential-rejected", ""),
        (errors.SourcesFailed("github: unavailable (down)", IN_90_SECONDS), 503, "sources-failed", "90"),
        (errors.SourcesFailed("github: unavailable (down)"), 503, "sources-failed", "5"),
        (errors.Overloaded("too many"), 503, "overloaded", "5"),
        (errors.OutOfTime("max_seconds: 5 seconds were not enough"), 504, "out-of-time", ""),
    ],
)
def test_each_error_has_its_status(error: errors.TerminalError, status: int, slug: str, retry_after: str) -> None:
    """The status says who must act, the detail what is wrong, Retry-After when to try again."""
    response = problem(error, NOW)
    assert (response.statusCode, response.contentType) == (status, "application/problem+json")
    assert response.retryAfter == retry_after
    body = _body(response)
    assert (body["type"], body["status"], body["detail"]) == (f"urn:goldpan:problem:{slug}", status, str(error))
    assert body["title"]
    members = {"statusCode", "contentType", "retryAfter", "body"}
    assert {*response.model_dump(exclude_defaults=True)} == members  # the gateway reads four, also an empty one


@pytest.mark.parametrize("cls", [errors.Defect, errors.TerminalError, errors.Unavailable, errors.GoldpanError])
def test_a_defect_reveals_nothing(cls: type[errors.GoldpanError]) -> None:
    """The text of a defect, or of an error that should not come here, stays in the log."""
    response = problem(cls("KeyError: 'secret' in /var/task/app.py"), NOW)
    assert response.statusCode == 500
    assert "secret" not in response.body
    assert _body(response)["detail"]


def test_every_terminal_error_has_a_status() -> None:
    """A new one is not taken for a defect, whose text is withheld from the caller."""
    assert {*errors.terminal_errors()} - {errors.TerminalError} <= STATUSES.keys()


@given(HOSTILE)
def test_any_text_gives_problem_details_that_parse(text: str) -> None:
    """Quotes, markup, lone surrogates and any script survive in the members of RFC 9457; what is not known has none."""
    error = errors.InvalidRequest(text)
    error.known = Known()
    body = _body(problem(error, NOW))
    assert {*body} == {"type", "title", "status", "detail"}
    assert body["detail"] == text
