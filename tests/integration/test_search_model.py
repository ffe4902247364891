"""The whole search with a language model that works, fails, hangs, or rejects the key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from goldpan.errors import CredentialRejected

from tests.integration.conftest import ROOMY, Clients, judged, many_repositories
from tests.integration.test_search import ask
from tests.support.loopback import LLMFault, LoopbackGitHub, LoopbackLLM

pytestmark = pytest.mark.enable_socket

SHORT, LONG = {"llm_timeout_seconds": 1}, {"llm_timeout_seconds": 20}
"""For a model that never answers, and for one that answers, however busy the machine is."""


@pytest.mark.parametrize(
    ("fault", "config"),
    [
        (LLMFault.hang(times=None), SHORT),
        (LLMFault.status(429, times=None), LONG),
        (LLMFault.not_json(times=None), LONG),
    ],
)
def test_a_model_that_is_down(
    github: LoopbackGitHub, clients: Clients, fault: LLMFault, config: dict[str, int]
) -> None:
    """However the model fails, the answer is the rules-only one, marked as such, with one warning that counts."""
    expected = ask(clients.runtime(github), max_results=25).repositories.results
    count = len(expected)
    with LoopbackLLM(judged) as llm:
        llm.inject(fault)
        answer = ask(clients.runtime(github, llm), max_results=25, config={**config, "llm_concurrency": 40})
        assert answer.usage.llm_calls == len(llm.requests) == 1 + count
    assert answer.repositories.results == expected
    assert {result.basis for result in expected} == {"rules"}
    warning = f"{count} of {count} repositories were ordered by rules: the language model did not judge them."
    assert (answer.warnings.count(warning), len(answer.warnings)) == (1, 2)
    assert [error.stage for error in answer.errors] == ["translate", "score"]
    assert f"({count} times)" in answer.errors[1].error


def test_one_slow_call_keeps_the_others(llm: LoopbackLLM, clients: Clients) -> None:
    """One of 25 calls that hangs costs one verdict: the other 24 are the model's."""
    with LoopbackGitHub(many_repositories(), limits=ROOMY) as github:
        llm.inject(LLMFault.hang(contains="react-animation-03", times=None))
        answer = ask(clients.runtime(github, llm), max_results=25, config=SHORT)
    assert [row.name for row in answer.repositories.results if row.basis == "rules"] == ["react-animation-03"]
    assert len(answer.repositories.results) == 25
    assert answer.warnings == ("1 of 25 repositories were ordered by rules: the language model did not judge them.",)
    assert [error.error for error in answer.errors] == ["the language model did not answer in time"]


@pytest.mark.parametrize("contains", [None, "You judge"])
def test_a_rejected_key_ends_the_search(
    github: LoopbackGitHub, llm: LoopbackLLM, clients: Clients, contains: str | None
) -> None:
    """A rejected key, at the first call or later, ends the search with its name."""
    llm.inject(LLMFault.status(401, contains=contains, times=None))
    with pytest.raises(CredentialRejected, match="LLM_API_KEY"):
        ask(clients.runtime(github, llm))


@pytest.fixture
def crowded() -> Iterator[LoopbackGitHub]:
    """Serve forty repositories that all match."""
    with LoopbackGitHub(many_repositories(), limits=ROOMY) as server:
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
    left = [warning for warning in answer.warnings if "ordered by rules" in warning]
    assert [warning.partition(" of ")[0] for warning in left] == (["21"] if allowed == 5 else [])


def test_concurrent_calls(crowded: LoopbackGitHub, clients: Clients) -> None:
    """No more calls are in flight than configured."""
    with LoopbackLLM(judged, latency=lambda: 0.03) as llm:
        ask(clients.runtime(crowded, llm), config={"llm_concurrency": 3})
        assert len(llm.requests) == 26
        assert 1 < llm.in_flight_peak <= 3
