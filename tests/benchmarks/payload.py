"""What the flow of the overhead benchmark carries, as plain data, so that all sides carry the same."""

from __future__ import annotations

from typing import Any

STRATEGIES = ("stars", "recency", "expanded")
CANDIDATES, SHORTLISTED, RESULTS = 100, 25, 10
DESCRIPTION = "An invented repository whose description is as long as that of most repositories that people star. "
README = "Install it with one command, read the guide, and start from one of the examples in the folder. " * 6


def candidate(number: int) -> dict[str, Any]:
    """Make one candidate with the facts that a search returns."""
    name = f"example-owner-{number}/example-repository-{number}"
    return {
        "full_name": name, "url": f"https://github.com/{name}", "description": f"{DESCRIPTION}Number {number}.",
        "stars": 60 + 37 * number, "forks": 5 + number, "language": "TypeScript", "license": "MIT",
        "topics": [f"topic-{number}", "library", "tools", "components", "open-source"],
        "pushed_at": "2026-08-01T12:00:00Z", "created_at": "2019-05-04T08:00:00Z",
    }  # fmt: skip


def batches() -> dict[str, list[dict[str, Any]]]:
    """Make the candidates of each strategy; together they are all candidates."""
    every = [candidate(number) for number in range(CANDIDATES)]
    return {strategy: every[place :: len(STRATEGIES)] for place, strategy in enumerate(STRATEGIES)}


def score_tasks() -> list[dict[str, Any]]:
    """Make the scoring tasks: a candidate with the start of its README."""
    return [
        {
            "id": candidate(number)["full_name"],
            "repository": {**candidate(number), "readme": f"{number} {README}"[:500]},
            "relevance": 0.5,
            "found_by": [{"strategy": "stars", "rank": number + 1}],
        }
        for number in range(SHORTLISTED)
    ]


def verdict(number: int) -> dict[str, Any]:
    """Make the verdict on one candidate."""
    return {
        "full_name": candidate(number)["full_name"], "relevance": 0.7, "documentation": 7.0, "ease_of_use": 6.0,
        "reasoning": "It does what the question requires, among other things that the question does not mention.",
        "basis": "llm",
    }  # fmt: skip
