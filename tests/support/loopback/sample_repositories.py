"""About sixty invented repositories, ordinary and unusual ones."""

from __future__ import annotations

from datetime import date
from typing import Any

from tests.support.loopback.sample_catalogue import CATALOGUE
from tests.support.loopback.sample_oddities import ODDITIES

OWNER = "example-org"
TODAY = date(2026, 8, 22)
LICENSES = ("MIT", "Apache-2.0", "BSD-3-Clause", None)


def sample_repositories() -> list[dict[str, Any]]:
    """Return new dictionaries, so that a test may change its own."""
    lines = CATALOGUE.strip().splitlines()
    plain = [_read(facts, description) for facts, description in zip(lines[::2], lines[1::2], strict=True)]
    return [_completed(facts) for facts in [*plain, *ODDITIES]]


def _read(facts: str, description: str) -> dict[str, Any]:
    name, language, stars, pushed, topics = (part.strip() for part in facts.split("|"))
    return {
        "full_name": f"{OWNER}/{name}",
        "language": language,
        "stars": int(stars),
        "pushed_at": pushed,
        "topics": topics.split(),
        "description": description.strip(),
    }


def _completed(facts: dict[str, Any]) -> dict[str, Any]:
    """Add the facts that a repository of this size and age would have; given facts take precedence."""
    pushed = facts.get("pushed_at", "2026-06-01")
    return {**_activity(facts.get("stars", 0), pushed), **_contents(facts), "pushed_at": pushed, **facts}


def _activity(stars: int, pushed: str | None) -> dict[str, Any]:
    quiet_days = (TODAY - date.fromisoformat(pushed)).days if pushed else 0
    released = pushed is not None and stars >= 100
    return {
        "created_at": "2017-05-04" if stars > 1000 else "2018-01-15",
        "forks": stars // 9,
        "watchers": stars // 40,
        "open_issues": stars // 120,
        "closed_issues": stars // 30,
        "merged_pull_requests": stars // 45,
        "contributors": min(stars // 80 + 1, 400),
        "releases": stars // 500 + 1 if released else 0,
        "latest_release": f"v{stars % 7 + 1}.{stars % 11}.0" if released else None,
        "latest_release_at": pushed if released else None,
        "recent_commits": 0 if quiet_days > 365 else max(1, stars // 100 - quiet_days),
    }


def _contents(facts: dict[str, Any]) -> dict[str, Any]:
    full_name, description = facts["full_name"], facts.get("description")
    name = full_name.partition("/")[2]
    stars = facts.get("stars", 0)
    folders = [{"name": "src", "type": "tree"}, {"name": "tests", "type": "tree"}]
    tree = [*folders, {"name": "LICENSE", "type": "blob"}]
    return {
        "license": LICENSES[stars % len(LICENSES)],
        "readme": f"# {name}\n\n{description or ''}\n\n## Installation\n\n## Usage\n\nSee `examples`.\n",
        "tree": tree if stars > 50 else tree[:1],
    }
