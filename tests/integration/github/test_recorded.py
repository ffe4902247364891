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


def recorded(name: str) -> list[tuple[Any, Any]]:
    """Read the responses of a recording: of each the failure and the body."""
    rows = json.loads(gzip.decompress((SAMPLES / f"{name}.json.gz").read_bytes()))
    responses = [HttpResponse(row["status"], row["headers"], json.dumps(row["body"]).encode()) for row in rows]
    return [(failure_of(response, NOW), row["body"]) for response, row in zip(responses, rows, strict=True)]


def test_a_recorded_search() -> None:
    """Repositories as GitHub listed them in 2014 are mapped, and facts that were not listed then are unknown."""
    pages = recorded("Search_testSearchRepos")
    repositories = [from_rest(item) for failure, body in pages if failure is None for item in body["items"]]
    assert len(repositories) > 50
    assert repositories[0].full_name == "kennethreitz/legit"
    assert all(repository.stars is not None and repository.pushed_at for repository in repositories)
    assert {repository.archived for repository in repositories} == {None}


@pytest.mark.parametrize("name", ["RateLimitExceeded", "AuthenticatedRateLimitExceeded"])
def test_a_recorded_rate_limit(name: str) -> None:
    """The call after the last that was allowed is a rate limit with a time to call again."""
    (first, _), *_, (limit, _) = recorded(f"SpecificExceptions_test{name}")
    assert first is None
    assert isinstance(limit, RateLimited)
    assert limit.retry_at > NOW


def test_a_recorded_fault() -> None:
    """A bad gateway, as GitHub answered it three times before it succeeded, is unavailable."""
    failures = [type(failure) for failure, _ in recorded("Retry_testReturnsRepoAfter3Retries")]
    assert failures == [Unavailable] * 3 + [type(None)]
