"""Searches that end without an answer: the state machine ends with the problem that `pipeline.search` raises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from goldpan.errors import CredentialRejected, Misconfigured, RateLimited, Unavailable

from tests.e2e.comparison import Stack
from tests.e2e.fakes import Fakes, Judge, LeapingClock, Said, Shelf, repositories

LATER = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
STRATEGIES = ("stars", "recency", "expanded")
SECRET = "what only a stack trace tells"


def rejected() -> CredentialRejected:
    """Make the ending of a key that is not accepted."""
    return CredentialRejected("LLM_API_KEY: https://api.example.org rejected it (401)")


def broken(_name: str) -> Said:
    """Break as nobody foresaw."""
    raise KeyError(SECRET)


def test_the_model_rejects_its_key_when_it_is_first_asked(stack: Stack) -> None:
    """A rejected key ends the search with status 500 and the name of the key, after one call."""
    searched = stack.same(lambda: Fakes(llm=Judge(reads=rejected())))
    assert searched.problem["type"] == "urn:goldpan:problem:credential-rejected"
    assert "LLM_API_KEY" in searched.problem["detail"]
    assert searched.calls == {"begin": 1, "translate": 1, "assemble": 1}


def test_the_model_rejects_its_key_later(stack: Stack) -> None:
    """A key that is rejected while scoring ends the search just as well, without a call made twice."""
    searched = stack.same(lambda: Fakes(llm=Judge(judges=lambda _: rejected())), max_llm_calls=40)
    assert searched.problem["type"] == "urn:goldpan:problem:credential-rejected"
    assert "rank" not in searched.calls


@pytest.mark.parametrize("where", ["stars", "enrich"])
def test_github_rejects_its_token(stack: Stack, where: str) -> None:
    """A rejected token ends the search with status 500 and the name of the token, whoever was told."""
    ending = CredentialRejected("GITHUB_TOKEN: GitHub rejected it (401 Bad credentials)")
    searched = stack.same(lambda: Fakes({"github": Shelf(fails={where: ending})}))
    assert searched.problem["detail"] == str(ending)
    assert searched.response.statusCode == 500


def test_a_setting_is_missing(stack: Stack) -> None:
    """A missing setting ends the search with status 500 and its name."""
    searched = stack.same(lambda: Fakes(llm=Judge(reads=Misconfigured("LLM_MODEL is not set"))))
    assert searched.problem["detail"] == "LLM_MODEL is not set"


def test_all_sources_are_down(stack: Stack) -> None:
    """Where every strategy fails, the search ends with status 503 and the reasons, each once."""
    fails = dict.fromkeys(STRATEGIES, Unavailable("github answered 502"))
    searched = stack.same(lambda: Fakes({"github": Shelf(fails=fails)}))
    assert searched.response.statusCode == 503
    assert searched.problem["detail"] == "github: unavailable (github answered 502)"


def test_one_is_limited_and_the_others_are_down(stack: Stack) -> None:
    """Where one of the failures names a time, status 503 comes with that time."""
    down = dict.fromkeys(STRATEGIES, Unavailable("github answered 502"))
    fails = down | {"stars": RateLimited("over its limit", LATER)}
    searched = stack.same(lambda: Fakes({"github": Shelf(fails=fails)}))
    assert searched.response.statusCode == 503
    assert 3000 < int(searched.response.retryAfter) <= 3600


@pytest.mark.parametrize("microsecond", [0, 654321])
def test_all_sources_are_limited(stack: Stack, microsecond: int) -> None:
    """Where every strategy is over its limit, status 429 comes with the seconds to wait."""
    limit = RateLimited("github is over its limit", LATER.replace(microsecond=microsecond))
    searched = stack.same(lambda: Fakes({"github": Shelf(fails=dict.fromkeys(STRATEGIES, limit))}))
    assert searched.response.statusCode == 429
    assert 3000 < int(searched.response.retryAfter) <= 3601


def test_no_named_source_is_configured(stack: Stack) -> None:
    """Where none of the named sources is configured, the search ends with status 400 and says which."""
    searched = stack.same(sources=["openalex", "arxiv"])
    assert searched.response.statusCode == 400
    assert searched.problem["detail"].startswith("sources: openalex, arxiv cannot be asked here")


def test_a_question_without_a_word(stack: Stack) -> None:
    """Where neither rules nor model find a word to search for, the search ends with status 400."""
    searched = stack.same(lambda: Fakes(llm=None), query="?!")
    assert searched.response.statusCode == 400
    assert searched.calls == {"begin": 1, "translate": 1, "assemble": 1}


def test_no_time_is_left_to_begin(stack: Stack) -> None:
    """Where no time is left even to translate, the search ends with status 504 and names `max_seconds`."""
    searched = stack.same(lambda: Fakes(clock=LeapingClock(at_first=28)), max_seconds=20)
    assert searched.response.statusCode == 504
    assert searched.problem["detail"].startswith("max_seconds: 20 seconds were not enough")


def test_no_time_is_left_after_the_translation(stack: Stack) -> None:
    """Where the translation took all the time, no source can answer before its deadline, and status 503 says so."""

    def fakes() -> Fakes:
        clock = LeapingClock()
        return Fakes(clock=clock, llm=Judge(waits=lambda _: clock.leap(28)))

    searched = stack.same(fakes, max_seconds=20)
    assert searched.response.statusCode == 503
    assert searched.problem["detail"] == "github: timeout (no answer before the deadline of the stage)"


def test_slow_sources_in_little_time(stack: Stack) -> None:
    """With six seconds allowed, a source that takes nine is cut in time, and the search ends with status 503."""
    waits = dict.fromkeys(STRATEGIES, 9.0)
    searched = stack.same(lambda: Fakes({"github": Shelf(waits=waits)}), max_seconds=6)
    assert searched.response.statusCode == 503
    assert searched.ended.seconds < 8


def test_one_slow_source_in_little_time(stack: Stack) -> None:
    """With six seconds allowed, a strategy that takes nine becomes a row, and the others are answered."""
    searched = stack.same(lambda: Fakes({"github": Shelf(waits={"stars": 9.0})}), max_seconds=6)
    assert [row.status for row in searched.answer.sources] == ["timeout", "ok", "ok"]
    assert searched.ended.seconds < 8


@pytest.mark.parametrize(
    "parts",
    [
        {"llm": Judge(judges=broken)},
        {"sources": {"github": Shelf(fails={"recency": KeyError(SECRET)})}},
        {"sources": {"github": Shelf(repositories(2), enriched=lambda known: broken(known.full_name))}},  # type: ignore[arg-type,return-value]
        {"llm": Judge(reads=ZeroDivisionError(SECRET))},
    ],
)
def test_a_stage_that_breaks(stack: Stack, parts: dict[str, Any]) -> None:
    """A defect ends the search with status 500 and a fixed text; nothing of the stack trace reaches the asker."""
    searched = stack.same(lambda: Fakes(**parts))
    assert searched.response.statusCode == 500
    assert searched.problem["type"] == "urn:goldpan:problem:defect"
    assert SECRET not in searched.response.body
    assert "Error" not in searched.response.body
