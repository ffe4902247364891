"""Responses of GitHub that were recorded are mapped: searches, rate limits, faults."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from goldpan.errors import RateLimited, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.kinds.repositories.sources.github.failures import failure_of
from goldpan.kinds.repositories.sources.github.mapping import from_rest

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "api_samples" / "github"
if not SAMPLES.is_dir():
    pytest.skip("GitHub's recorded responses are not beside the project", allow_module_level=True)

NOW = datetime(2018, 10, 26, 6, tzinfo=UTC)


def recorded(name: str) -> list[tuple[HttpResponse, Any]]:
    """Read the responses of a recording, each with its decoded body."""
    rows = json.loads(gzip.decompress((SAMPLES / f"{name}.json.gz").read_bytes()))
    return [
        (HttpResponse(row["status"], row["headers"], json.dumps(row["body"]).encode()), row["body"]) for row in rows
    ]


def test_a_recorded_search() -> None:
    """Repositories as GitHub listed them in 2014 are mapped, and facts that were not listed then are unknown."""
    pages = recorded("Search_testSearchRepos")
    repositories = [
        from_rest(item) for response, body in pages if failure_of(response, NOW) is None for item in body["items"]
    ]
    assert len(repositories) > 50
    assert repositories[0].full_name == "kennethreitz/legit"
    assert all(repository.stars is not None and repository.pushed_at for repository in repositories)
    assert {repository.archived for repository in repositories} == {None}


@pytest.mark.parametrize(
    "name", ["SpecificExceptions_testRateLimitExceeded", "SpecificExceptions_testAuthenticatedRateLimitExceeded"]
)
def test_a_recorded_rate_limit(name: str) -> None:
    """The call after the last that was allowed is a rate limit with a time to call again."""
    failures = [failure_of(response, NOW) for response, _ in recorded(name)]
    assert failures[0] is None
    limit = failures[-1]
    assert isinstance(limit, RateLimited)
    assert limit.retry_at > NOW


def test_a_recorded_fault() -> None:
    """A bad gateway, as GitHub answered it three times before it succeeded, is unavailable."""
    failures = [failure_of(response, NOW) for response, _ in recorded("Retry_testReturnsRepoAfter3Retries")]
    assert [type(failure) for failure in failures] == [Unavailable] * 3 + [type(None)]
