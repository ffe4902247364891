"""GitHub's answers as they were really recorded are understood."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from goldpan.errors import RateLimited, Unavailable
from goldpan.infra.http import HttpReply
from goldpan.kinds.repositories.sources.github.failures import failure_of
from goldpan.kinds.repositories.sources.github.mapping import from_rest

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "api_samples" / "github"
if not SAMPLES.is_dir():
    pytest.skip("GitHub's recorded exchanges are not beside the project", allow_module_level=True)

NOW = datetime(2018, 10, 26, 6, tzinfo=UTC)


def recorded(name: str) -> list[tuple[HttpReply, Any]]:
    """Give the replies of a recorded exchange, each with its body."""
    rows = json.loads(gzip.decompress((SAMPLES / f"{name}.json.gz").read_bytes()))
    return [(HttpReply(row["status"], row["headers"], json.dumps(row["body"]).encode()), row["body"]) for row in rows]


def test_a_recorded_search_is_understood() -> None:
    """Repositories as GitHub listed them in 2014 are read, and what was not told then is unknown."""
    pages = recorded("Search_testSearchRepos")
    items = [item for reply, body in pages for item in body["items"] if failure_of(reply, NOW) is None]
    repositories = [from_rest(item) for item in items]
    assert len(repositories) > 50
    assert repositories[0].full_name == "kennethreitz/legit"
    assert all(repository.stars is not None and repository.pushed_at for repository in repositories)
    assert {repository.archived for repository in repositories} == {None}


@pytest.mark.parametrize(
    "name", ["SpecificExceptions_testRateLimitExceeded", "SpecificExceptions_testAuthenticatedRateLimitExceeded"]
)
def test_a_recorded_limit_is_understood(name: str) -> None:
    """Limits as GitHub reported them are limits, with a time to come back."""
    failures = [failure_of(reply, NOW) for reply, _ in recorded(name)]
    assert failures[0] is None
    limit = failures[-1]
    assert isinstance(limit, RateLimited)
    assert limit.retry_at > NOW


@pytest.mark.parametrize("name", ["Retry_testRaisesRetryErrorAfterMaxRetries", "Retry_testReturnsRepoAfter3Retries"])
def test_a_recorded_fault_is_understood(name: str) -> None:
    """A bad gateway as GitHub answered it is a fault that may pass."""
    replies = recorded(name)
    failures = [failure_of(reply, NOW) for reply, _ in replies if reply.status == 502]
    assert len(failures) >= 3
    assert all(isinstance(failure, Unavailable) for failure in failures)
    assert all(failure_of(reply, NOW) is None for reply, _ in replies if reply.status == 200)
