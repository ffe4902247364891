"""What the tests of the loopback servers share: both of them, with samples whose facts and times do not move."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tests.integration.conftest import ROOMY
from tests.support.loopback import LoopbackGitHub, LoopbackLLM, sample_repositories

NOW = datetime(2026, 8, 22, tzinfo=UTC)
SCORES = '{"scores": [{"id": 1, "overall": 7.5}]}'


@pytest.fixture
def github() -> Iterator[LoopbackGitHub]:
    """Serve the sample repositories with room for many searches."""
    with LoopbackGitHub(sample_repositories(), now=NOW, limits=ROOMY) as server:
        yield server


@pytest.fixture
def llm() -> Iterator[LoopbackLLM]:
    """Serve a model that always gives the same scores."""
    with LoopbackLLM(lambda _: SCORES) as server:
        yield server
