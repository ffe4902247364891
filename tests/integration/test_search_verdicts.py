"""The whole search with a model that is well: what it is asked, and what its judgement may change."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.integration.conftest import ROOMY, Clients, fresh_repositories, judged, many_repositories
from tests.integration.test_search import ask
from tests.support.loopback import LoopbackGitHub, LoopbackLLM

pytestmark = pytest.mark.enable_socket


@pytest.fixture
def crowded() -> Iterator[LoopbackGitHub]:
    """Serve forty repositories that all fit."""
    with LoopbackGitHub(many_repositories(), limits=ROOMY) as server:
        yield server


@pytest.mark.parametrize(("allowed", "asked"), [(0, 0), (1, 1), (5, 5), (40, 26)])
def test_the_allowance_of_calls(
    crowded: LoopbackGitHub, llm: LoopbackLLM, clients: Clients, allowed: int, asked: int
) -> None:
    """The model is asked as often as allowed, translation included, the most relevant first, and each call counts."""
    answer = ask(clients.runtime(crowded, llm), max_llm_calls=allowed, max_results=25)
    assert len(llm.requests) == answer.usage.llm_calls == asked
    assert answer.repositories is not None
    assert answer.repositories.shortlisted == 25
    assert sum(result.basis == "llm" for result in answer.repositories.results) == max(0, asked - 1)
    left = [warning for warning in answer.warnings if "ordered by rules" in warning]
    assert [warning.partition(" of ")[0] for warning in left] == (["21"] if allowed == 5 else [])


@pytest.mark.parametrize("at_once", [3, 10])
def test_calls_at_once(crowded: LoopbackGitHub, clients: Clients, at_once: int) -> None:
    """No more calls are in flight than configured."""
    with LoopbackLLM(judged, latency=lambda: 0.03) as llm:
        ask(clients.runtime(crowded, llm), config={"llm_concurrency": at_once})
        assert len(llm.requests) == 26
        assert 1 < llm.in_flight_peak <= at_once


def test_numbers_out_of_range_are_clamped(github: LoopbackGitHub, clients: Clients) -> None:
    """A model that exaggerates gets no more than the best mark."""
    scores = {"relevance": 55, "documentation": -3, "ease_of_use": 1e9, "reasoning": "It is the best."}
    with LoopbackLLM(_read_or(scores)) as llm:
        answer = ask(clients.runtime(github, llm))
    assert answer.repositories is not None
    told = {(row.relevance, row.scores.documentation, row.scores.ease_of_use) for row in answer.repositories.results}
    assert told == {(1, 0, 10)}


def test_an_invented_quote_is_removed(clients: Clients) -> None:
    """A quote that the repository's text does not hold leaves the reason, and is a caveat."""
    scores = {"relevance": 0.8, "reasoning": "It is “used by everyone”, it says.", "quote": "used by everyone"}
    with LoopbackGitHub(fresh_repositories()) as github, LoopbackLLM(_read_or(scores)) as llm:
        answer = ask(clients.runtime(github, llm))
    assert answer.repositories is not None
    for result in answer.repositories.results:
        assert result.reasoning == "It is “…”, it says."
        assert sum("quote" in caveat and "removed" in caveat for caveat in result.caveats) == 1


def _read_or(scores: Mapping[str, object]) -> Any:
    def answers(body: Mapping[str, Any]) -> str:
        said = judged(body)
        return json.dumps(scores) if "relevance" in said else said

    return answers
