"""GitHub never gets more calls at once than it allows, however many processes and searches call it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.infra.http_client import HttpClient
from goldpan.infra.stores import open_local_stores
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import GitHub

from tests.integration.github.conftest import TOKEN, search_for
from tests.support.loopback import LoopbackGitHub, sample_repositories

CALLERS, SECONDS_A_CALL = 150, 2.0


@pytest.mark.enable_socket
def test_two_processes_never_make_more_than_a_hundred_calls_at_once(tmp_path: Path) -> None:
    """Of 150 searches at the same time all are answered; those beyond the bound wait for the others."""
    clock = WallClock()
    with ExitStack() as opened, LoopbackGitHub(sample_repositories(), latency=SECONDS_A_CALL) as github:
        settings = GitHubSettings.from_environment({"GITHUB_API_URL": github.url, "GITHUB_TOKEN": TOKEN})
        sources = []
        for _ in range(2):
            stores, http = open_local_stores(tmp_path / "goldpan.sqlite", clock, RATE_LIMITS), HttpClient()
            opened.callback(stores.close)
            opened.callback(http.close)
            sources.append(GitHub(settings, http, stores.rate_limiter, clock))

        def search(number: int) -> int:
            return len(sources[number % 2].search((search_for(),), Deadline.after(20, clock)).lists[0])

        with ThreadPoolExecutor(CALLERS) as pool:
            assert all(pool.map(search, range(CALLERS)))
        assert len(github.requests) == CALLERS
        assert 50 < github.in_flight_peak <= 100
