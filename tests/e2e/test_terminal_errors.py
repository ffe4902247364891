"""Searches without an answer: the state machine ends with the problem that the pipeline raises."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from goldpan.errors import CredentialRejected, Misconfigured, RateLimited, Unavailable

from tests.e2e.comparison import Stack
from tests.support.search_fakes import QUESTION, Fakes, FakeSource, JudgingModel

LATER = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
STRATEGIES = ("stars", "recency", "expanded")
DOWN = dict.fromkeys(STRATEGIES, Unavailable("github answered 502"))
REJECTED = CredentialRejected("LLM_API_KEY: https://api.example.org rejected it (401)")


@pytest.mark.parametrize(
    "parts",
    [
        {"llm": JudgingModel(translation=REJECTED)},
        {"llm": JudgingModel(judge=lambda _: REJECTED)},
        {"sources": {"github": FakeSource(failures={"stars": REJECTED})}},
        {"sources": {"github": FakeSource(failures={"enrich": REJECTED})}},
        {"llm": JudgingModel(translation=Misconfigured(str(REJECTED)))},
    ],
    ids=["translate", "score", "scout", "shortlist", "missing"],
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


def test_a_question_without_a_word(stack: Stack) -> None:
    """Status 400, because neither the rules nor the model find a word to search for."""
    searched = stack.same(lambda: Fakes(llm=None), query="?!")
    assert searched.response.statusCode == 400
    assert searched.problem["detail"].startswith("query: holds no word to search for")
    assert set(searched.calls) == {"begin", "translate", "assemble"}


BAD_FIELDS: list[dict[str, Any]] = [
    {"query": "React\u0000animation"},   {"max_results": 26}, {"config": None},
    {"kinds": "papers"},   {"kinds": {"0": "repositories"}}, {"kinds": None},
]  # fmt: skip


@pytest.mark.parametrize("fields", BAD_FIELDS, ids=lambda fields: str(fields)[:40])
def test_an_invalid_field(stack: Stack, fields: dict[str, Any]) -> None:
    """Status 400 with the name of the field, before any kind is searched."""
    searched = stack.same(**fields)
    assert searched.response.statusCode == 400
    assert next(iter(fields)) in searched.problem["detail"]
    assert set(searched.calls) == {"begin", "assemble"}


@pytest.mark.parametrize("value", [None, {"query": QUESTION}], ids=str)
def test_an_input_without_a_request(stack: Stack, value: Any) -> None:
    """Status 400, and nothing is searched."""
    searched = stack.execute(Fakes(), value)
    assert searched.response.statusCode == 400
    assert searched.calls == {"assemble": 1}
