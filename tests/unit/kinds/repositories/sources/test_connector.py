"""The sources of repositories, as a deployment plans and makes them."""

from __future__ import annotations

import pytest
from goldpan.engine.dependencies import Connections
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.repositories.sources.connector import CONNECTOR
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings

from tests.support.factories import StillClock
from tests.support.memory_stores import MemoryRateLimiter

NAMES = ("github", "catalogue")


@pytest.mark.parametrize(
    ("address", "expected"),
    [("https://api.github.com", ["github", "catalogue"]), ("https://git.example.org/api/v3/", ["github"])],
)
def test_the_catalogue_stands_beside_github(address: str, expected: list[str]) -> None:
    """A GitHub of a company has none of its repositories, and is asked alone."""
    environment, clock = {"GITHUB_API_URL": address}, StillClock()
    assert [*CONNECTOR.plan(environment)] == expected
    connections = Connections(HttpClient, MemoryRateLimiter(clock), None, clock)
    made = CONNECTOR.connect(NAMES, GitHubSettings.from_environment(environment), connections)
    assert [*made] == [*NAMES]  # a function makes all of its sources before the snapshot
