"""A fault of a loopback server affects the requests it is aimed at, as many times as it is set to."""

from __future__ import annotations

import pytest

from tests.integration.loopback.calls import chat, graphql, rest
from tests.integration.loopback.conftest import SCORES
from tests.support.loopback import Fault, LLMFault, LoopbackGitHub, LoopbackLLM

pytestmark = pytest.mark.enable_socket


def test_a_request_gets_the_first_fault_aimed_at_it(github: LoopbackGitHub) -> None:
    """A fault is aimed at an API, at a text in the request, or at all requests until it is cleared."""
    github.inject(Fault.status(500, contains="vue"), Fault.status(502, where="rest", times=2))
    assert graphql(github, "{__typename}").status_code == 200
    codes = [rest(github, query).status_code for query in ("rust", "vue", "rust", "rust")]
    assert codes == [502, 500, 502, 200]
    github.inject(Fault.status(503, times=None))
    assert [rest(github, "rust").status_code for _ in range(3)] == [503] * 3
    github.clear_faults()
    assert rest(github, "rust").status_code == 200


@pytest.mark.parametrize(
    ("fault", "content", "finish_reason"),
    [
        (LLMFault.blank(), "", "stop"),
        (LLMFault.null_content(), None, "stop"),
        (LLMFault.fenced(), f"```json\n{SCORES}\n```", "stop"),
        (LLMFault.array(), f"[{SCORES}]", "stop"),
        (LLMFault.truncated(), SCORES[: len(SCORES) // 2], "length"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_faults_of_a_completion(llm: LoopbackLLM, fault: LLMFault, content: str | None, finish_reason: str) -> None:
    """The text of a model can be blank, missing, fenced, wrapped or truncated."""
    llm.inject(fault)
    choice = chat(llm).json()["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == (content, finish_reason)


def test_keep_alive_lines(llm: LoopbackLLM) -> None:
    """Blank lines before the response leave it readable, and a status comes with an error object."""
    llm.inject(LLMFault.keep_alive(every=0.01, lines=3), LLMFault.status(429, {"Retry-After": "2"}))
    late, limited = chat(llm), chat(llm)
    assert late.text.startswith("\n\n\n{")
    assert late.json()["choices"][0]["message"]["content"] == SCORES
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "2")
    assert set(limited.json()["error"]) == {"message", "type", "param", "code"}


def test_a_crash_of_the_fake_is_raised() -> None:
    """A defect of the fake itself is raised at the end of the block."""
    with pytest.raises(ZeroDivisionError), LoopbackGitHub(latency=lambda: 1 / 0) as github:
        assert rest(github, "rust").status_code == 500
