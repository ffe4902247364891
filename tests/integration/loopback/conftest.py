"""The loopback GitHub, at a fixed time, and the loopback language model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.factories import NOW
from tests.support.loopback import Limits, LoopbackGitHub, LoopbackLLM, sample_repositories

SCORES = '{"scores": [{"id": 1, "overall": 7.5}]}'


@pytest.fixture
def github() -> Iterator[LoopbackGitHub]:
    """Serve the sample repositories, with room for many searches."""
    with LoopbackGitHub(sample_repositories(), now=lambda: NOW, limits=Limits(search_anonymous=1000)) as server:
        yield server


@pytest.fixture
def llm() -> Iterator[LoopbackLLM]:
    """Serve a model that always gives the same scores."""
    with LoopbackLLM(lambda _: SCORES) as server:
        yield server
