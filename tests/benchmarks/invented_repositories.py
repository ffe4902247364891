"""Invented repositories that answer the ten questions."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.benchmarks.questions import QUESTIONS, Question

FITTING, RELATED = 40, 10
"""Repositories with all words of a question, and those with each of its expanded words instead."""
MAX_STARS, MIN_STARS = 50_000, 60
SENTENCES = (
    "Install it with one command and start from one of the examples in the folder.",
    "The guide explains every option, what it costs, and when another tool is the better choice.",
    "It has no dependencies at run time and is tested on all versions that are still maintained.",
    "Contributions are welcome: open an issue first where the change is larger than a few lines.",
)
FLAVOURS = ("small", "fast", "typed", "modern", "minimal", "composable", "friendly", "complete")
FOLDERS = ("src", "tests", "docs", "examples", ".github")
FILES = ("LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "package.json", ".editorconfig", ".gitignore")


def invented_repositories(seed: int) -> list[dict[str, Any]]:
    """Invent the repositories of all questions."""
    chance = random.Random(seed)
    return [
        _repository(question, words, place, chance)
        for question in QUESTIONS
        for place, words in enumerate(
            [question.keywords] * FITTING + [(question.keywords[0], word) for word in question.expanded * RELATED]
        )
    ]


def _repository(question: Question, words: tuple[str, ...], place: int, chance: random.Random) -> dict[str, Any]:
    slug = "-".join(word.replace(" ", "-") for word in words[:2])
    flavour = chance.choice(FLAVOURS)
    description = f"A {flavour} {' '.join(words)}, number {place} of many: {chance.choice(SENTENCES)}"
    stars = round(MIN_STARS * (MAX_STARS / MIN_STARS) ** chance.random())
    pushed = (datetime.now(UTC) - timedelta(days=chance.uniform(1, 150))).isoformat()
    return {
        "full_name": f"invented-{flavour}-{place}/{slug}-{place}",
        "description": description,
        "language": question.language,
        "topics": list(question.topics),
        "readme": _readme(slug, description, chance),
        "tree": [{"name": name, "type": "tree"} for name in FOLDERS] + [{"name": n, "type": "blob"} for n in FILES],
        "license": "MIT",
        "created_at": "2019-05-04",
        "pushed_at": pushed,
        "latest_release_at": pushed,
        "latest_release": "v1.2.0",
        "stars": stars,
        "forks": stars // 9,
        "watchers": stars // 40,
        "open_issues": stars // 120,
        "closed_issues": stars // 30,
        "merged_pull_requests": stars // 45,
        "contributors": min(stars // 80 + 1, 400),
        "releases": stars // 500 + 1,
        "recent_commits": stars // 100 + 1,
    }


def _readme(name: str, description: str, chance: random.Random) -> str:
    sections = (
        f"## {heading}\n\n{' '.join(chance.choices(SENTENCES, k=6))}\n\n```\n{name} {heading}\n```\n"
        for heading in ("Installation", "Usage", "Examples", "API", "Contributing", "License")
    )
    return "\n".join([f"# {name}\n\n{description}\n", *sections])
