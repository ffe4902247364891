"""Comparison and likeness on one machine, with a working GitHub and language model on loopback."""

from __future__ import annotations

import goldpan
import pytest
from goldpan.errors import InvalidRequest

from tests.integration.conftest import Clients
from tests.support.loopback import LoopbackGitHub, LoopbackLLM

pytestmark = pytest.mark.enable_socket

NAMES = ["example-org/gesture-motion", "https://github.com/example-org/motion-kit"]


def test_a_comparison_takes_one_look_up_and_one_enrichment(github: LoopbackGitHub, clients: Clients) -> None:
    """No search is run, and each dimension that has signals is scored; what is missing is named."""
    answer = goldpan.compare([*NAMES, "example-org/none"], runtime=clients.runtime(github))
    assert [each.name for each in answer.repositories.results] == ["gesture-motion", "motion-kit"]
    assert (github.searches, len(github.requests)) == (0, 2)
    assert all(each.scores.documentation is not None for each in answer.repositories.results)
    assert [error.error.partition(" was ")[0] for error in answer.errors] == ["example-org/none"]


def test_a_question_is_put_to_the_language_model(github: LoopbackGitHub, llm: LoopbackLLM, clients: Clients) -> None:
    """It reads the question and judges each repository; the order is that of its relevance."""
    answer = goldpan.compare(NAMES, "React animation library", runtime=clients.runtime(github, llm))
    assert [(each.name, each.basis) for each in answer.repositories.results] == [
        ("motion-kit", "llm"),
        ("gesture-motion", "llm"),
    ]
    assert answer.usage.llm_calls == len(llm.requests) == 1 + 2


def test_without_a_token_the_rest_api_gives_what_it_has(github: LoopbackGitHub, clients: Clients) -> None:
    """The answer says what was not looked at."""
    answer = goldpan.compare(NAMES, runtime=clients.runtime(github, token=""))
    assert len(answer.repositories.results) == 2
    assert any("GITHUB_TOKEN is not set" in warning for warning in answer.warnings)


@pytest.mark.parametrize("token", ["", "good-token"])
def test_likeness_looks_the_repository_up_and_leaves_it_out(
    github: LoopbackGitHub, clients: Clients, token: str
) -> None:
    """Filters hold as in any search; a name that nothing has is refused."""
    filters = {"language": "TypeScript"}
    answer = goldpan.like(NAMES[1], filters=filters, max_results=3, runtime=clients.runtime(github, token=token))
    found = answer.repositories.results
    assert 1 <= len(found) <= 3
    assert "motion-kit" not in {each.name for each in found}
    assert {each.language for each in found} == {"TypeScript"}
    assert any("motion-kit itself is left out" in warning for warning in answer.warnings)
    with pytest.raises(InvalidRequest, match="repo: example-org/none was not found: github has none"):
        goldpan.like("example-org/none", runtime=clients.runtime(github, token=token))
