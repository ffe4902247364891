"""A repository as the loopback GitHub stores it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Self

DATES = ("created_at", "pushed_at", "latest_release_at")


@dataclass(frozen=True)
class Repository:
    """The facts of one repository; the defaults are those of an empty one."""

    full_name: str
    description: str | None = None
    homepage: str | None = None
    language: str | None = None
    topics: tuple[str, ...] = ()
    stars: int = 0
    forks: int = 0
    watchers: int = 0
    open_issues: int = 0
    closed_issues: int = 0
    merged_pull_requests: int = 0
    contributors: int = 0
    releases: int = 0
    latest_release: str = "v1.0"
    latest_release_at: str | None = None
    created_at: str = "2020-01-01T00:00:00Z"
    pushed_at: str | None = "2020-01-01T00:00:00Z"
    archived: bool = False
    license: str | None = None
    readme: str | None = None
    readme_name: str = "README.md"
    tree: tuple[Mapping[str, Any], ...] = ()
    recent_commits: int = 0
    files: Mapping[str, str] = field(default_factory=dict)
    """Further files by path, in folders that need not be part of the tree."""
    commits: tuple[Mapping[str, Any], ...] = ()
    """The last commits, newest first: at, and login or name of the author."""
    threads: tuple[Mapping[str, Any], ...] = ()
    """Issues and pull requests, newest first: pull, at, by, replies of at, by, review, and merged of at, by."""
    former_names: tuple[str, ...] = ()
    parent: str | None = None
    blocked: bool = False
    private: bool = False
    security_policy: bool = False
    dependencies: tuple[str, ...] | None = None
    """Package URLs of the dependency graph; None if it is switched off."""

    @classmethod
    def stored(cls, facts: Mapping[str, Any]) -> Self:
        """Store the facts of a test; an unknown key is a TypeError."""
        dated = {name: _timestamp(facts[name]) for name in DATES if name in facts}
        lists = {name: tuple(facts[name] or ()) for name in ("topics", "tree") if name in facts}
        stored = cls(**{**facts, **dated, **lists})
        readme = {"name": stored.readme_name, "type": "blob"}
        if stored.readme is None or readme in stored.tree:
            return stored
        return replace(stored, tree=(*stored.tree, readme))

    @property
    def name(self) -> str:
        """The full name without its owner."""
        return self.full_name.partition("/")[2]

    @property
    def url(self) -> str:
        """The page of the repository."""
        return f"https://github.com/{self.full_name}"

    def text(self, path: str) -> str | None:
        """Return the text of a file; that of a file that is only listed is empty."""
        if path in self.files:
            return self.files[path]
        if path not in [entry["name"] for entry in self.tree if entry["type"] == "blob"]:
            return None
        return self.readme if path == self.readme_name else ""

    def entries(self) -> list[dict[str, str]]:
        """Return the entries of the top-level folder."""
        found = {entry["name"]: entry["type"] for entry in self.tree}
        for path in self.files:
            name, slash, _ = path.partition("/")
            found[name] = "tree" if slash else "blob"
        return [{"name": name, "type": kind} for name, kind in found.items()]


def _timestamp(value: str | None) -> str | None:
    """Write a moment as GitHub does: in UTC, to the second, with a Z."""
    if value is None:
        return None
    moment = datetime.fromisoformat(value)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
