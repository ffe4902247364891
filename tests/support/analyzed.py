"""A repository as the loopback GitHub stores it, with all that an analysis reads."""

from datetime import UTC, datetime, timedelta
from typing import Any

FULL_NAME = "example-org/motion-kit"
README = (
    "# motion-kit\n\nA declarative animation library for React.\n\n## Installation\n\n```sh\nnpm i\n```\n\n## Usage\n"
)
FILES = {
    "LICENSE": "MIT",
    "CHANGELOG.md": "# Changes",
    "CONTRIBUTING.md": "# Contributing",
    "SECURITY.md": "# Security",
    "docs/index.md": "# Docs",
    "examples/basic/index.js": "",
    "tests/motion.test.js": "",
    ".github/workflows/check.yml": "on: push",
}
DEPENDENCIES = (
    "pkg:npm/lodash@4.17.15", "pkg:npm/lodash@4.17.15", "pkg:npm/%40babel/core@7.20.0", "pkg:npm/left-pad",
    "pkg:npm/react@18.*.*", "pkg:githubactions/actions/checkout@4.*.*", "pkg:pypi/flask@2.0.0?extension=tar.gz",
)  # fmt: skip
VULNERABLE = {("pkg:npm/lodash", "4.17.15"): ("GHSA-35jh-r3h4-6jhm", "GHSA-p6mc-m468-83gw")}


def analyzed_repository(now: datetime | None = None, **changes: Any) -> dict[str, Any]:
    """Return the facts as of a time, by default the present."""
    today = now or datetime.now(UTC)

    def ago(days: float) -> str:
        return (today - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")

    commits = [{"at": ago(day), "login": "ada" if day % 4 else "bo"} for day in range(1, 81)]
    commits += [{"at": ago(81 + day), "name": "dependabot[bot]"} for day in range(15)]
    return {
        "full_name": FULL_NAME,
        "description": "A declarative animation library for React",
        "homepage": "https://motion-kit.example",
        "language": "TypeScript",
        "topics": ["react", "animation"],
        "stars": 31_200,
        "forks": 3466,
        "watchers": 780,
        "open_issues": 260,
        "closed_issues": 1040,
        "merged_pull_requests": 693,
        "contributors": 90,
        "releases": 63,
        "latest_release": "v2.1.0",
        "latest_release_at": ago(20),
        "created_at": ago(3000),
        "pushed_at": ago(1),
        "license": "MIT",
        "readme": README,
        "recent_commits": 85,
        "security_policy": True,
        "files": FILES,
        "dependencies": DEPENDENCIES,
        "commits": commits,
        "threads": _threads(ago),
        **changes,
    }


def _threads(ago: Any) -> list[dict[str, Any]]:
    """Return issues answered after 6, 12 and 48 hours, by a bot alone, and of a bot; and four pull requests."""
    answered = [(9.0, 8.75), (8.0, 7.5), (7.0, 5.0)]
    rows: list[dict[str, Any]] = [
        {"at": ago(day), "by": "cleo", "replies": [_bot(ago(day)), {"at": ago(reply), "by": "ada"}]}
        for day, reply in answered
    ]
    rows.append({"at": ago(40), "by": "dan", "replies": [_bot(ago(39)), {"at": ago(38), "by": "dan"}]})
    rows.append({"at": ago(41), "by": "renovate[bot]", "replies": [{"at": ago(40), "by": "ada"}]})
    for day in (50.0, 51.0, 52.0):
        review = {"at": ago(day - 1), "by": "bo", "review": True}
        rows.append({"pull": True, "at": ago(day), "by": "cleo", "replies": [review]})
    rows.append({"pull": True, "at": ago(60), "by": "dan", "merged": {"at": ago(58), "by": "ada"}})
    return rows


def _bot(at: str) -> dict[str, str]:
    return {"at": at, "by": "stale[bot]"}
