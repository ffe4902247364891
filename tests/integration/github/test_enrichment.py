"""GitHub with a token: README, tree, releases, issues, commits and contributors of the best candidates."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest
from goldpan.kinds.repositories.models import Repository

from tests.integration.github.conftest import TOKEN, Caller
from tests.support.factories import StillClock
from tests.support.loopback import Fault, LoopbackGitHub

FORTY = [f"o/r{number:02}" for number in range(40)]


@pytest.fixture
def github(clock: StillClock) -> Iterator[LoopbackGitHub]:
    """Serve forty repositories, each with a README."""
    with LoopbackGitHub([{"full_name": name, "readme": "# R"} for name in FORTY], now=clock.now) as server:
        yield server


def enriched(clock: StillClock, *facts: dict[str, Any]) -> list[Repository]:
    """Serve repositories with these facts, and enrich them."""
    stored = [{"full_name": name} | row for name, row in zip(FORTY, facts, strict=False)]
    with LoopbackGitHub(stored, now=clock.now) as server, closing(Caller(server.url, clock, TOKEN)) as caller:
        result = caller.enrich(*(row["full_name"] for row in stored))
    assert result.failures == ()
    return list(filter(None, result.repositories))


def test_all_details_arrive(clock: StillClock) -> None:
    """All facts reach the repository, the README with at most 4000 characters and the outline of all of it."""
    prose = "One sentence about motion. " * 1000
    facts = {
        "readme": f"<!-- to be filled in -->\n{prose}\n## Installation\n",
        "tree": [{"name": "src", "type": "tree"}],
        "releases": 12,
        "latest_release_at": "2026-08-01",
        "open_issues": 5,
        "closed_issues": 80,
        "merged_pull_requests": 33,
        "watchers": 17,
        "contributors": 9,
    }
    (repository,) = enriched(clock, facts)
    assert (repository.readme, repository.has_readme) == (prose[:4000], True)
    assert repository.readme_outline is not None
    assert repository.readme_outline.characters > len(prose)
    assert repository.readme_outline.sections == ("install",)
    assert repository.tree == ("src/", "README.md")
    assert (repository.releases, repository.latest_release_at) == (12, datetime(2026, 8, 1, tzinfo=UTC))
    assert repository.latest_release_name == "v1.0"
    assert (repository.open_issues, repository.closed_issues, repository.merged_pull_requests) == (5, 80, 33)
    assert (repository.watchers, repository.contributors) == (17, 9)


def test_recent_commits_are_those_of_90_days(clock: StillClock) -> None:
    """On 22 August 2026 a commit of 24 May is recent, and one of 23 May is not."""
    days = ({"pushed_at": f"2026-05-{day}T12:00:00Z", "recent_commits": 21} for day in (24, 23))
    assert [repository.recent_commits for repository in enriched(clock, *days)] == [21, 0]


def test_a_readme_is_found_under_its_usual_names(clock: StillClock) -> None:
    """Each usual name and place of a README is read."""
    usual = ["README.md", "readme.md", "Readme.md", "README.rst", "README", ".github/README.md", "docs/README.md"]
    repositories = enriched(clock, *({"readme": f"in {name}", "readme_name": name} for name in usual))
    assert [repository.readme for repository in repositories] == [f"in {name}" for name in usual]


def test_forty_take_four_requests_and_one_that_is_gone_costs_no_other(graphql: Caller, github: LoopbackGitHub) -> None:
    """Batches of ten come back in their order; one that GitHub no longer finds is none, and costs no other."""
    result = graphql.enrich(*FORTY)
    assert len(github.requests) == 4
    assert [repository.full_name for repository in result.repositories] == FORTY
    assert {repository.readme for repository in result.repositories} == {"# R"}
    assert result.failures == ()
    result = graphql.enrich(FORTY[0], f"{FORTY[0]}-gone", FORTY[1])
    assert [repository and repository.readme for repository in result.repositories] == ["# R", None, "# R"]
    assert result.failures == ()


@pytest.mark.parametrize("fault", [Fault.status(502, contains='"r15"', times=2), Fault.hang(contains='"r15"')])
def test_a_failed_batch_comes_back_unchanged(graphql: Caller, github: LoopbackGitHub, fault: Fault) -> None:
    """The ten of a batch that fails or hangs come back unchanged, which is reported."""
    github.inject(fault)
    result = graphql.enrich(*FORTY[:20], seconds=2)
    assert [repository.full_name for repository in result.repositories if repository.readme is None] == FORTY[10:20]
    (failure,) = result.failures
    assert failure.startswith("no further facts for 10 repositories")
