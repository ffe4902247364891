"""GitHub with a token: README, tree, releases, issues, commits and people of the best candidates."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from goldpan.config import MAX_EXCERPT
from goldpan.errors import CredentialRejected
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.github.queries import README_NAMES

from tests.integration.conftest import ROOMY, TOKEN, Clients, many_repositories, within
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket


def plain(*full_names: str) -> list[Repository]:
    """Make repositories of which no more than the name is known."""
    return [Repository(full_name=name) for name in full_names]


def enriched(clients: Clients, *facts: dict[str, Any]) -> list[Repository]:
    """Serve repositories and fetch their further facts."""
    with LoopbackGitHub([{"full_name": f"o/r{place}"} | row for place, row in enumerate(facts)]) as github:
        source = clients.github(github.url, TOKEN)
        result = source.enrich(plain(*(f"o/r{place}" for place in range(len(facts)))), within(5))
    assert result.failures == ()
    return list(result.repositories)


def test_all_facts_arrive(clients: Clients) -> None:
    """README, tree, releases, issues, commits and people reach the repository."""
    facts = {
        "readme": "# Motion\n\n## Installation\n\n```sh\nnpm i\n```\n",
        "tree": [{"name": "src", "type": "tree"}],
        "pushed_at": datetime.now(UTC).isoformat(),
        "releases": 12,
        "latest_release": "v2",
        "latest_release_at": "2026-08-01",
        "open_issues": 5,
        "closed_issues": 80,
        "merged_pull_requests": 33,
        "recent_commits": 21,
        "watchers": 17,
        "contributors": 9,
    }
    (repository,) = enriched(clients, facts)
    assert (repository.readme, repository.has_readme) == ("# Motion ## Installation ```sh npm i ```", True)
    assert repository.readme_outline is not None
    assert repository.readme_outline.sections == ("install",)
    assert repository.tree == ("src/", "README.md")
    assert (repository.releases, repository.latest_release_at) == (12, datetime(2026, 8, 1, tzinfo=UTC))
    assert (repository.open_issues, repository.closed_issues, repository.merged_pull_requests) == (5, 80, 33)
    assert (repository.recent_commits, repository.watchers, repository.contributors) == (21, 17, 9)


def test_commits_are_counted_in_the_last_months(clients: Clients) -> None:
    """Only commits of the last 90 days count as recent."""
    old = (datetime.now(UTC) - timedelta(days=120)).isoformat()
    (repository,) = enriched(clients, {"pushed_at": old, "recent_commits": 21})
    assert repository.recent_commits == 0


@pytest.mark.parametrize("name", README_NAMES.values())
def test_readmes_in_their_different_names(clients: Clients, name: str) -> None:
    """A README is read under each of its usual names."""
    (repository,) = enriched(clients, {"readme": "# Title\n", "readme_name": name})
    assert (repository.readme, repository.has_readme) == ("# Title", True)


def test_of_a_long_readme_the_beginning_is_kept(clients: Clients) -> None:
    """What no search may ask for is not carried on, but all of it was measured."""
    prose = "One sentence about motion. " * 1000
    (repository,) = enriched(clients, {"readme": f"<!-- to be filled in -->\n{prose}\n## Installation\n"})
    assert repository.readme == prose[:MAX_EXCERPT]
    assert repository.readme_outline is not None
    assert (repository.readme_outline.characters > len(prose), repository.readme_outline.sections) == (
        True,
        ("install",),
    )


def test_readmes_that_cannot_be_read(clients: Clients) -> None:
    """A README under another name is known without its text, a missing one is known as missing, else unknown."""
    other, missing, empty = enriched(
        clients,
        {"readme": "= Title\n", "readme_name": "README.adoc"},
        {"readme": None, "tree": [{"name": "src", "type": "tree"}]},
        {"readme": None, "pushed_at": None},
    )
    assert (other.readme, other.has_readme) == (None, True)
    assert (missing.readme, missing.has_readme) == (None, False)
    assert (empty.readme, empty.has_readme, empty.tree) == (None, None, None)


@pytest.fixture
def github() -> Any:
    """Serve forty repositories."""
    with LoopbackGitHub(many_repositories(40), limits=ROOMY) as server:
        yield server


FORTY = [f"example-org/react-animation-{number:02}" for number in range(40)]


def test_batches_of_ten(github: LoopbackGitHub, clients: Clients) -> None:
    """Forty candidates take four requests, and come back in their order."""
    result = clients.github(github.url, TOKEN).enrich(plain(*FORTY), within(5))
    assert len(github.requests) == 4
    assert [repository.full_name for repository in result.repositories] == FORTY
    assert all(repository.readme for repository in result.repositories)
    assert result.failures == ()


def test_a_repository_that_is_gone(github: LoopbackGitHub, clients: Clients) -> None:
    """A repository that GitHub no longer finds stays as it was, the others get their facts."""
    result = clients.github(github.url, TOKEN).enrich(plain(FORTY[0], "o/gone", FORTY[1]), within(5))
    first, gone, last = result.repositories
    assert gone == Repository(full_name="o/gone")
    assert first.readme is not None
    assert last.readme is not None
    assert len(result.failures) == 1
    assert "NOT_FOUND" in result.failures[0]


@pytest.mark.parametrize("fault", [Fault.status(502, contains=f'"{FORTY[15][12:]}"', times=2), None])
def test_a_failed_batch_keeps_its_ten(github: LoopbackGitHub, clients: Clients, fault: Fault | None) -> None:
    """A batch that fails twice keeps its ten as they were and is reported; the other batches are whole."""
    github.inject(*([fault] if fault else [Fault.hang(contains=f'"{FORTY[15][12:]}"')]))
    began = time.monotonic()
    result = clients.github(github.url, TOKEN).enrich(plain(*FORTY), within(1.5))
    assert time.monotonic() - began < 5
    without = [repository.full_name for repository in result.repositories if repository.readme is None]
    assert without == FORTY[10:20]
    assert len(result.failures) == 1
    assert "no further facts for 10 repositories" in result.failures[0]


def test_a_limit_during_enrichment(github: LoopbackGitHub, clients: Clients) -> None:
    """A limit keeps its repositories as they were, and is reported."""
    github.inject(Fault.rate_limited_200(times=None))
    result = clients.github(github.url, TOKEN).enrich(plain(*FORTY[:10]), within(2))
    assert list(result.repositories) == plain(*FORTY[:10])
    assert "rate limit" in result.failures[0]


def test_a_rejected_token_ends_the_search(github: LoopbackGitHub, clients: Clients) -> None:
    """A token that is withdrawn between search and enrichment is named."""
    with pytest.raises(CredentialRejected, match="GITHUB_TOKEN"):
        clients.github(github.url, "bad-token").enrich(plain(*FORTY), within(2))
