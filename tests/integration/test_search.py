"""The whole search on one machine, with a working GitHub and language model on loopback."""

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import get_or_search
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.sources.catalogue.build import Record

from tests.integration.conftest import QUESTION, ROOMY, Clients, judged, many_repositories
from tests.integration.test_rounds import CONVERSATIONS, opened
from tests.support.loopback import Fault, LLMFault, LoopbackGitHub, LoopbackLLM
from tests.support.sample import catalogue_in_memory


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


def test_with_a_token(github: LoopbackGitHub, clients: Clients) -> None:
    """With a token more is found and each result is enriched, in at most fifteen searches."""
    answer = ask(clients.runtime(github))
    assert len(repos(answer)) + len(answer.repositories.weaker) == 10
    assert 5 < github.searches <= 15
    assert len(github.requests) <= 3 + 4
    assert all(request.path == "/graphql" for request in github.requests)
    assert all(result.scores.documentation is not None for result in answer.repositories.results)
    assert len(answer.warnings) == 1


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


@pytest.mark.parametrize(
    ("question", "first"),
    [("React 动画库", "dongxiao"), ("Машинное обучение на Python", "mashinnoe-obuchenie"), ("C++ JSON", "cpp-json")],
)
def test_questions_in_any_script(github: LoopbackGitHub, clients: Clients, question: str, first: str) -> None:
    """A question in any script finds repositories described in it, above the line or below."""
    answer = ask(clients.runtime(github), question, config={"coarse_filter": {"min_stars": 10}})
    assert first in [*repos(answer), *(one.name for one in answer.repositories.weaker)]


@pytest.fixture
def crowded() -> Iterator[LoopbackGitHub]:
    """Serve forty repositories that all match."""
    with LoopbackGitHub(many_repositories(), searches_a_minute=ROOMY) as server:
        yield server


def test_the_catalogue_answers_instead(github: LoopbackGitHub, clients: Clients) -> None:
    """The catalogue answers in time; one warning says why, another describes it, and GitHub's rows stay."""
    described = "An animation library for React"
    records = [Record(full_name=f"o/kept-{n}", description=described, stars=900 - n) for n in range(3)]
    catalogue = clients.enter_context(closing(catalogue_in_memory(records, "the small catalogue")))
    github.inject(Fault.hang(times=None))
    answer = ask(clients.runtime(github, catalogue=catalogue), max_seconds=5)
    assert {*repos(answer)} == {"kept-0", "kept-1", "kept-2"}
    (reason,) = [warning for warning in answer.warnings if warning.startswith("github: ")]
    assert reason.endswith("; asked the catalogue instead.")
    assert any("the small catalogue of 3 repositories" in warning for warning in answer.warnings)
    assert {(row.source, row.status) for row in answer.sources} == {("github", "timeout"), ("catalogue", "ok")}


def test_one_slow_call_keeps_the_others(crowded: LoopbackGitHub, llm: LoopbackLLM, clients: Clients) -> None:
    """One of 25 calls that hangs costs one verdict: the other 24 are the model's."""
    llm.inject(LLMFault.hang(contains="react-animation-05", times=None))
    answer = ask(clients.runtime(crowded, llm), max_results=25, config={"llm_timeout_seconds": 1})
    assert [row.name for row in answer.repositories.results if row.basis == "rules"] == ["react-animation-05"]
    assert len(answer.repositories.results) == 25
    assert answer.warnings[0] == "1 of 25 repositories were ordered by rules: the language model did not judge them."
    assert [error.error for error in answer.errors] == ["the language model did not answer in time"]


@pytest.mark.parametrize(("allowed", "asked"), [(0, 0), (5, 5), (40, 26)])
def test_the_maximum_of_calls(
    crowded: LoopbackGitHub, llm: LoopbackLLM, clients: Clients, allowed: int, asked: int
) -> None:
    """No more calls are made than allowed, translation included, for the most relevant first, and each is counted."""
    answer = ask(clients.runtime(crowded, llm), max_llm_calls=allowed, max_results=25)
    assert len(llm.requests) == answer.usage.llm_calls == asked
    assert answer.repositories.shortlisted == 25
    assert sum(result.basis == "llm" for result in answer.repositories.results) == max(0, asked - 1)
    left = [warning for warning in answer.warnings if "ordered by rules" in warning]
    assert [warning.partition(" of ")[0] for warning in left] == (["21"] if allowed == 5 else [])


def test_concurrent_calls(crowded: LoopbackGitHub, clients: Clients) -> None:
    """No more calls are in flight than configured."""
    with LoopbackLLM(judged, latency=0.03) as llm:
        ask(clients.runtime(crowded, llm), config={"llm_concurrency": 3})
        assert len(llm.requests) == 26
        assert 1 < llm.in_flight_peak <= 3


@pytest.mark.parametrize("kind", CONVERSATIONS)
@pytest.mark.parametrize(("status", "message", "calls"), [(400, "Model Not Exist", 1), (422, "Wrong", 1), (500, "", 3)])
def test_a_model_that_refuses_every_call(kind: str, status: int, message: str, calls: int) -> None:
    """It is called a few times, and one error says why; what would come again is learned from the first call."""
    with LoopbackLLM(lambda _: "{}") as llm, opened(kind, llm) as runtime:
        llm.inject(LLMFault.status(status, body={"error": {"message": message}}, times=None))
        question = CONVERSATIONS[kind][0]
        answer = get_or_search(parse_request({"query": question, "kinds": [kind]}), runtime)
        assert len(llm.requests) == answer.usage.llm_calls == calls
    assert [error.stage for error in answer.errors] == ["translate"]
    assert any("were ordered by rules" in warning for warning in answer.warnings)
