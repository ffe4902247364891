"""The loopback GitHub and the loopback language model refuse and find what the real ones do."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from tests.support.loopback import LoopbackGitHub, LoopbackLLM, sample_repositories
from tests.support.loopback.github_catalogue import Catalogue


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("react animation lottie", ["react-lottie-player"]),
        ("SCHEMA Type-Safe", []),
        ("go type-safe", ["query-builder"]),
        ("ai", []),
        ("动画", ["dongxiao"]),
        ("обучение", ["mashinnoe-obuchenie"]),
        ("c++", ["cpp-json", "linq-extra"]),
        ("react language:javascript stars:<=4100 stars:>=311", ["react-page-transitions"]),
        ("sort:stars stars:27..44", ["animation-notes", "react-anim-lite"]),
        ("topic:vue", ["vue-motion-presets"]),
        ('language:"jupyter notebook"', ["ml-notebooks"]),
        ("sort:updated pushed:<=2021-03-09", ["react-scroll-reveal", "react-motion-classic"]),
        ("pushed:2026-08-22..2026-08-22", ["everything-handbook"]),
        ("lottie created:>=2018-01-01", []),
    ],
)
def test_words_and_qualifiers(query: str, found: list[str]) -> None:
    """Whole words match in any script and letter case, qualifiers filter and sort."""
    assert [hit.name for hit in Catalogue(sample_repositories()).search(query)] == found


@pytest.mark.enable_socket
@pytest.mark.parametrize("query", ["a OR b", "-a", "user:o"])
def test_a_query_that_goldpan_never_writes_fails_its_test(query: str) -> None:
    """An error inside the server is raised at its end."""
    with pytest.raises(NotImplementedError), LoopbackGitHub([{"full_name": "o/r"}]) as github:
        assert httpx2.get(f"{github.url}/search/repositories", params={"q": query}).status_code == 500


@pytest.mark.enable_socket
@pytest.mark.parametrize(
    ("changes", "key", "status"),
    [
        ({}, "good-key", 200),
        ({}, "bad-key", 401),
        ({"response_format": {"type": "json_object"}}, "good-key", 400),
        ({"messages": []}, "good-key", 400),
        ({"model": None}, "good-key", 400),
    ],
)
def test_refused_chat_completions(changes: dict[str, Any], key: str, status: int) -> None:
    """A wrong key and a body that the API does not accept are refused."""
    body = {"model": "loopback-1", "messages": [{"role": "user", "content": "Reply."}], **changes}
    with LoopbackLLM(lambda _: "{}") as llm:
        url, headers = f"{llm.base_url}/chat/completions", {"authorization": f"Bearer {key}"}
        assert httpx2.post(url, json=body, headers=headers).status_code == status
