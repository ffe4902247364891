"""Plain HTTP calls to the loopback servers, without goldpan's clients."""

from __future__ import annotations

import httpx2

from tests.support.loopback import LoopbackGitHub, LoopbackLLM

TOKEN = {"authorization": "Bearer good-token"}
SECONDS = 10.0


def rest(github: LoopbackGitHub, q: str, headers: dict[str, str] | None = None, **params: str) -> httpx2.Response:
    """Search over REST, by default without a token."""
    url = f"{github.url}/search/repositories"
    return httpx2.get(url, params={"q": q, "per_page": 100, **params}, headers=headers, timeout=SECONDS)


def names(github: LoopbackGitHub, q: str, sort: str = "") -> list[str]:
    """List the names that a REST search finds."""
    return [item["name"] for item in rest(github, q, sort=sort).json()["items"]]


def graphql(github: LoopbackGitHub, query: str) -> httpx2.Response:
    """Execute a GraphQL document with the token."""
    return httpx2.post(f"{github.url}/graphql", json={"query": query}, headers=TOKEN, timeout=SECONDS)


def chat(llm: LoopbackLLM, text: str = "Reply in json.", key: str = "good-key", **more: object) -> httpx2.Response:
    """Request a chat completion."""
    body = {"model": "loopback-1", "messages": [{"role": "user", "content": text}], **more}
    headers = {"authorization": f"Bearer {key}"}
    return httpx2.post(f"{llm.base_url}/chat/completions", json=body, headers=headers, timeout=SECONDS)
