"""A reader of repositories that returns what a test gives it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import GoldpanError, InvalidRequest
from goldpan.kinds.repositories.analysis.models import Commit, Dependency, Read, RepositoryFacts, Thread
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.readme import outline

from tests.support.factories import ListedSource
from tests.support.fakes import START

FULL_NAME = "pallets/flask"
README = "# flask\n\n## Installation\n\n```sh\npip install flask\n```\n\n## Usage\n"
PATHS = ("README.md", "LICENSE.txt", "docs/", "examples/", "tests/", "pyproject.toml", ".github/workflows/tests.yml")


def facts(changes: Mapping[str, Any] | None = None, **more: Any) -> RepositoryFacts:
    """Make the facts of a repository that has nearly everything; `changes` are those of its `Repository`."""
    repository = Repository(
        full_name=FULL_NAME,
        description="A Python web framework",
        stars=70_000,
        forks=16_000,
        watchers=2000,
        contributors=400,
        language="Python",
        license="BSD-3-Clause",
        created_at=START - timedelta(days=3652.5),
        pushed_at=START - timedelta(days=7),
        releases=99,
        latest_release_name="3.1.0",
        latest_release_at=START - timedelta(days=30),
        open_issues=10,
        closed_issues=90,
        merged_pull_requests=900,
        recent_commits=40,
        has_readme=True,
        readme=README,
        readme_outline=outline(README),
        tree=("README.md", "tests/"),
    )
    usual: dict[str, Any] = {
        "commits": tuple(Commit(at=START - timedelta(days=7 * week, hours=1), author="ada") for week in range(40)),
        "threads": (),
        "paths": PATHS,
        "has_all_paths": True,
        "dependencies": (Dependency(package="pkg:pypi/werkzeug", name="werkzeug"),),
        "sources": (StatusRows("repositories", "readme", "github").row("ok", ""),),
        "has_security_policy": True,
        "has_contribution_guide": False,
    }
    return RepositoryFacts(repository=repository.model_copy(update=dict(changes or {})), **{**usual, **more})


def thread(opened_days_ago: float, answered_after_hours: float | None = None, kind: Any = "issue") -> Thread:
    """Make an issue or a pull request."""
    opened = START - timedelta(days=opened_days_ago)
    answered = None if answered_after_hours is None else opened + timedelta(hours=answered_after_hours)
    return Thread(kind=kind, opened_at=opened, answered_at=answered)


@dataclass
class ListedReader:
    """A reader that has some repositories, or fails."""

    listed: Sequence[RepositoryFacts] = field(default_factory=lambda: (facts(),))
    failure: GoldpanError | None = None
    reads: int = 0

    def read(self, full_name: str, deadline: Deadline) -> RepositoryFacts:
        """Return the facts."""
        del deadline
        self.reads += 1
        if self.failure:
            raise self.failure
        found = [each for each in self.listed if each.repository.full_name.lower() == full_name.lower()]
        if not found:
            raise InvalidRequest(f"repo: {full_name} was not found on GitHub")
        return found[0]


def sources(reader: ListedReader | None = None) -> dict[str, ListedSource]:
    """Make a GitHub that finds what a reader has."""
    return {"github": ListedSource([each.repository for each in (reader or ListedReader()).listed])}


def readers(reader: ListedReader | None = None) -> dict[str, Callable[[], Read]]:
    """Make what the dependencies hold."""
    listed = reader or ListedReader()
    return {"repositories": lambda: listed.read}


def runtime(reader: ListedReader | None = None) -> Runtime:
    """Make a runtime that reads from this reader only."""
    clock = WallClock()
    return Runtime(Dependencies(clock, sources(), readers=readers(reader)), ("github",), clock)
