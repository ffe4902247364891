"""What the flow of the overhead benchmark carries, as plain data, so that both sides carry the same."""

from __future__ import annotations

from typing import Any

STRATEGIES = ("stars", "recency", "expanded")
CANDIDATES = 100
SHORTLISTED = 25
RESULTS = 10
SCORED_AT_ONCE = 10
DESCRIPTION = "An invented repository whose description is as long as that of most repositories that people star. "
README = "Install it with one command, read the guide, and start from one of the examples in the folder. " * 6


def candidate(number: int) -> dict[str, Any]:
    """Make one candidate with the facts that a search tells."""
    return {
        "full_name": f"example-owner-{number}/example-repository-{number}",
        "description": f"{DESCRIPTION}Number {number}.",
        "url": f"https://github.com/example-owner-{number}/example-repository-{number}",
        "stars": 60 + 37 * number,
        "forks": 5 + number,
        "language": "TypeScript",
        "topics": [f"topic-{number}", "library", "tools", "components", "open-source"],
        "pushed_at": "2026-08-01T12:00:00Z",
        "created_at": "2019-05-04T08:00:00Z",
        "license": "MIT",
    }


def batches() -> list[dict[str, Any]]:
    """Make the batch of each scout; together they hold all candidates."""
    every = [candidate(number) for number in range(CANDIDATES)]
    return [
        {"strategy": strategy, "candidates": every[place :: len(STRATEGIES)]}
        for place, strategy in enumerate(STRATEGIES)
    ]


def score_tasks() -> list[dict[str, Any]]:
    """Make the scoring tasks: the candidate, and the beginning of its README."""
    return [
        {
            "repository": {**candidate(number), "readme": f"{number} {README}"[:500]},
            "relevance": 0.5,
            "found_by": [{"strategy": "stars", "rank": number + 1}],
        }
        for number in range(SHORTLISTED)
    ]


def verdict(number: int) -> dict[str, Any]:
    """Make what scoring says of one candidate."""
    return {
        "full_name": candidate(number)["full_name"],
        "relevance": 0.7,
        "documentation": 7.0,
        "ease_of_use": 6.0,
        "reasoning": "It does what the question asks for, among other things that the question leaves out.",
        "basis": "llm",
    }
