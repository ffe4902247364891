"""The whole search on one machine, with a working GitHub and language model on loopback."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import get_or_search
from goldpan.kinds.answer import Answer

from tests.integration.conftest import QUESTION, ROOMY, Clients, judged, many_repositories
from tests.support.loopback import LoopbackGitHub, LoopbackLLM


def ask(runtime: Runtime, question: str = QUESTION, **more: Any) -> Answer:
    """Answer a question as the command does."""
    return get_or_search(SearchRequest.model_validate({"query": question, **more}), runtime)


def repos(answer: Answer) -> list[str]:
    """List the names of the results."""
    return [result.name for result in answer.repositories.results]


def test_without_token_and_key(github: LoopbackGitHub, clients: Clients) -> None:
    """Without an account the rules answer from at most five searches, and the answer says so."""
    answer = ask(clients.runtime(github, token=""))
    assert repos(answer)[0] == "motion-kit"
    assert github.searches <= 5
    assert {row.status for row in answer.sources} == {"ok"}
    assert {result.basis for result in answer.repositories.results} == {"rules"}
    about = [re.split(" is |: ", warning)[0] for warning in answer.warnings]
    assert about == ["No language model", "GITHUB_TOKEN"]
    assert (answer.errors, answer.usage.llm_calls) == ((), 0)


def test_with_token_and_key(github: LoopbackGitHub, llm: LoopbackLLM, clients: Clients) -> None:
    """Each result has its verdict and reason, the usage counts each call, and a second run gives the same results."""
    answer = ask(clients.runtime(github, llm))
    for result in answer.repositories.results:
        assert result.basis == "llm"
        assert (result.scores.documentation, result.scores.ease_of_use) == (7, 6)
        assert result.relevance == pytest.approx(0.9 - len(result.repo) / 100)
        assert result.reasoning.startswith(f"It is {result.repo}.")
    assert answer.usage.llm_calls == len(llm.requests) == 1 + answer.repositories.shortlisted
    assert answer.usage.input_tokens > answer.usage.output_tokens > 0
    assert 0 < answer.usage.cost_usd < 0.03
    assert (answer.warnings, answer.errors) == ((), ())
    assert answer.execution_time_ms.total > 0
    assert ask(clients.runtime(github, llm)).repositories == answer.repositories


@pytest.fixture
def crowded() -> Iterator[LoopbackGitHub]:
    """Serve forty repositories that all match."""
    with LoopbackGitHub(many_repositories(), searches_a_minute=ROOMY) as server:
        yield server


@pytest.mark.parametrize(("allowed", "asked"), [(0, 0), (5, 5), (40, 26)])
def test_the_maximum_of_calls(
    crowded: LoopbackGitHub, llm: LoopbackLLM, clients: Clients, allowed: int, asked: int
) -> None:
    """No more calls are made than allowed, translation included, for the most relevant first, and each is counted."""
    answer = ask(clients.runtime(crowded, llm), max_llm_calls=allowed, max_results=25)
    assert len(llm.requests) == answer.usage.llm_calls == asked
    assert answer.repositories.shortlisted == 25
    assert sum(result.basis == "llm" for result in answer.repositories.results) == max(0, asked - 1)
    asked_about = [warning for warning in answer.warnings if "rules order" in warning]
    assert [warning.partition(";")[0].split()[-2] for warning in asked_about] == {5: ["4"], 40: ["25"]}.get(allowed, [])


def test_concurrent_calls(crowded: LoopbackGitHub, clients: Clients) -> None:
    """No more calls are in flight than configured."""
    with LoopbackLLM(judged, latency=0.03) as llm:
        ask(clients.runtime(crowded, llm), config={"llm_concurrency": 3})
        assert len(llm.requests) == 26
        assert 1 < llm.in_flight_peak <= 3
