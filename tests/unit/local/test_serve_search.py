"""A search over HTTP: the answer of the library, or the problem that ended it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.engine import library
from goldpan.engine.runtime import Runtime
from goldpan.errors import CredentialRejected, RateLimited, Unavailable

from tests.contract.openapi.contract import SEARCH, as_written
from tests.unit.local.made import FailingSource, catalogue
from tests.unit.local.serving import QUESTION, problem_of, runtime, serving

FULL = {
    **QUESTION,
    "mode": "exploratory",
    "max_results": 1,
    "kinds": ["repositories"],
    "sources": ["github"],
    "config": {"coarse_filter": {"min_stars": None}, "relevance_weight": 1},
}

COME_BACK = datetime.now(UTC) + timedelta(hours=1)


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    """Leave out what differs between two runs."""
    return {name: part for name, part in answer.items() if name not in {"answered_at", "execution_time_ms"}}


@pytest.mark.parametrize("asked", [QUESTION, FULL, {"query": "quantum chemistry"}, {"query": "анимация React 動畫 🎉"}])
def test_the_answer_is_that_of_the_library(asked: dict[str, Any]) -> None:
    """The same question gives the same answer, but for its times, and it keeps the contract."""
    response = serving().post("/search", json=asked)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    as_written("Answer").validate(response.json())
    there = json.loads(library.search(parse_request(asked), runtime=runtime()).to_json())
    assert timeless(response.json()) == timeless(there)


def test_the_fallback_answers_where_no_source_was_named() -> None:
    """Where GitHub fails the catalogue answers, and the answer says so; who names GitHub gets its failure."""
    client = serving(runtime(FailingSource(Unavailable("connection refused")), fallback=catalogue()))
    answer = client.post("/search", json=QUESTION)
    assert answer.status_code == 200
    assert "asked the catalogue instead" in " ".join(answer.json()["warnings"])
    assert client.post("/search", json={**QUESTION, "sources": ["github"]}).status_code == 503


@pytest.mark.parametrize(
    ("failure", "status", "slug", "again"),
    [
        (RateLimited("no searches left", COME_BACK), 429, "sources-limited", True),
        (CredentialRejected("GITHUB_TOKEN was rejected"), 500, "credential-rejected", False),
        (Unavailable("connection refused"), 503, "sources-failed", False),
    ],
)
def test_what_ends_a_search_is_told_as_a_problem(
    failure: BaseException,
    status: int,
    slug: str,
    again: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """Each ending has its status, its name and its text; a limit tells when to come back."""
    response = serving(runtime(FailingSource(failure))).post("/search", json=QUESTION)
    assert response.status_code == status
    assert str(status) in SEARCH["responses"]
    assert problem_of(response)["type"] == f"urn:goldpan:problem:{slug}"
    assert ("retry-after" in response.headers) == again
    if again:
        left = (COME_BACK - datetime.now(UTC)).total_seconds()
        assert -1 <= int(response.headers["retry-after"]) - left < 60


def test_a_defect_is_told_to_the_log_alone(caplog: pytest.LogCaptureFixture) -> None:
    """A defect answers with a fixed text; what it was stands in the log."""
    response = serving(runtime(FailingSource(ZeroDivisionError("secret detail")))).post("/search", json=QUESTION)
    assert response.status_code == 500
    assert problem_of(response)["type"] == "urn:goldpan:problem:defect"
    assert "secret detail" not in response.text
    assert "ZeroDivisionError: secret detail" in caplog.text


def test_a_defect_of_the_server_itself_is_a_problem_too(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever breaks, the answer has the form of the contract and the id of its request."""

    def broken(*_: object) -> Runtime:
        raise LookupError("secret detail")

    monkeypatch.setattr("goldpan_local.serve.application.read_request", broken)
    response = serving().post("/search", json=QUESTION)
    assert response.status_code == 500
    assert "secret detail" not in response.text + str(problem_of(response))
    assert response.headers["x-request-id"]
    assert "LookupError: secret detail" in caplog.text


def test_one_search_does_not_end_the_next() -> None:
    """The clock of a search is its own: the one after it is answered as well."""
    client = serving(at_once=1)
    assert [client.post("/search", json=QUESTION).status_code for _ in range(3)] == [200, 200, 200]
