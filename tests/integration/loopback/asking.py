"""What the loopback servers are asked: small calls without goldpan's clients, and many of them at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from threading import Event
from typing import Any

import httpx2

from tests.support.loopback import LoopbackGitHub, LoopbackLLM

TOKEN = {"authorization": "Bearer good-token"}
PATIENT, IMPATIENT = 10.0, 0.3


def rest(github: LoopbackGitHub, q: str, timeout: float = PATIENT, **params: str | int) -> httpx2.Response:
    """Search over REST without a token."""
    url = f"{github.url}/search/repositories"
    return httpx2.get(url, params={"q": q, "per_page": 100, **params}, timeout=timeout)


def names(github: LoopbackGitHub, q: str, sort: str = "") -> list[str]:
    """List the names that a REST search finds."""
    return [item["name"] for item in rest(github, q, sort=sort).json()["items"]]


def graphql(github: LoopbackGitHub, query: str, **variables: object) -> httpx2.Response:
    """Ask GraphQL with the token."""
    body = {"query": query, "variables": variables}
    return httpx2.post(f"{github.url}/graphql", json=body, headers=TOKEN, timeout=PATIENT)


def data(github: LoopbackGitHub, query: str, **variables: object) -> Any:
    """Give the data of a GraphQL answer that must have no errors."""
    body = graphql(github, query, **variables).json()
    assert "errors" not in body
    return body["data"]


def at_once(number: int, ask: Callable[[], httpx2.Response], release: Event, *, refused: int) -> list[httpx2.Response]:
    """Ask several times at once, and let the admitted requests go on when the others are refused."""
    with ThreadPoolExecutor(number) as pool:
        asked = [pool.submit(ask) for _ in range(number)]
        list(islice(as_completed(asked, timeout=PATIENT), refused))
        release.set()
        return [future.result() for future in asked]


def chat(
    llm: LoopbackLLM,
    text: str = "Reply in json.",
    key: str = "good-key",
    timeout: float = PATIENT,
    **more: object,
) -> httpx2.Response:
    """Ask the model."""
    body = {"model": "loopback-1", "messages": [{"role": "user", "content": text}], **more}
    headers = {"authorization": f"Bearer {key}"}
    return httpx2.post(f"{llm.base_url}/chat/completions", json=body, headers=headers, timeout=timeout)


def said(llm: LoopbackLLM) -> Any:
    """Give the first choice of an answer."""
    return chat(llm).json()["choices"][0]
