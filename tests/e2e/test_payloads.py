"""The largest values that can come together: they fit into what Step Functions carries, and the answer is the same."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import get_args

import pytest
from goldpan.contracts import Source
from goldpan.kinds.repositories.models import Repository

from tests.e2e.comparison import Searched, Stack
from tests.e2e.fakes import Fakes, Judge, Said, Shelf, repositories

SOURCES: tuple[Source, ...] = get_args(Source)
FACTS = ("stars", "forks", "pushed_at", "created_at", "open_issues", "watchers")
LARGEST = {"shortlist_size": 40, "readme_chars": 4000, "max_enriched": 60, "llm_concurrency": 40}
TEXTS = {"plain": "React animation ", "quoted": '"\\', "control": "\x01"}


def largest(text: str, sources: Sequence[Source], found: Sequence[Repository]) -> Fakes:
    """Make sources that tell as much as they can of what they found, and a model that says as much as it can."""
    more = {"description": text * (350 // len(text)), "topics": ("t" * 50,) * 20, "tree": (text * 20,) * 200}
    swollen = more | {"readme": text * (20_000 // len(text)), "has_readme": True}

    def judges(_name: str) -> Said:
        return {"relevance": 0.5, "reasoning": "It moves. " + text * 2000, "quote": text * 2000}

    shelf = Shelf(found, enriched=lambda known: known.model_copy(update=swollen))
    reads = {"keywords": ["react", *("k" * 59 + str(n) for n in range(6))], "expanded_keywords": ["x" * 60] * 20}
    return Fakes(dict.fromkeys(sources, shelf), Judge(reads=dict(reads), judges=judges))


def searched(stack: Stack, text: str, sources: Sequence[Source], **facts: object) -> Searched:
    """Ask for as much as a request may, of repositories with these facts."""
    long_names = [
        known.model_copy(update={"full_name": f"{'o' * 39}/{'r' * 97}-{number:02}"})
        for number, known in enumerate(repositories(50, observed=dict.fromkeys(FACTS, date(2026, 1, 1)), **facts))
    ]
    return stack.same(
        lambda: largest(text, sources, long_names),
        sources=sources, mode="exploratory", max_results=25, max_llm_calls=60, config=LARGEST,
    )  # fmt: skip


def sizes(ended: Searched) -> tuple[int, str]:
    """Give the largest value and where it was."""
    return max((payload.size, payload.state) for payload in ended.ended.payloads)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_largest_candidates(stack: Stack, text: str) -> None:
    """However much GitHub and the model say of forty candidates, every value fits and the answer is complete."""
    ended = searched(stack, text, ["github"])
    section = ended.answer.repositories
    assert section is not None
    assert (section.shortlisted, len(section.results)) == (40, 25)
    assert sizes(ended)[0] > 80_000


def test_the_largest_batches(stack: Stack) -> None:
    """Where the candidates are more than can be carried, the best are kept, and the rows say how many were cut."""
    ended = searched(stack, TEXTS["quoted"], ["github"], description='"' * 350, topics=["t" * 50] * 20)
    assert "candidates were cut to fit" in ended.answer.sources[0].detail
    assert sizes(ended)[0] > 180_000


def test_the_most_sources(stack: Stack) -> None:
    """Nine sources are asked by three strategies each, and every value fits."""
    ended = searched(stack, TEXTS["plain"], SOURCES)
    assert ended.calls["scout"] == 27
    assert ended.answer.repositories is not None
    assert ended.answer.repositories.shortlisted > 0


def test_candidates_that_are_too_large(stack: Stack) -> None:
    """Candidates that no batch could carry are cut, and their rows say so; the answer is no failure."""
    ended = searched(stack, TEXTS["quoted"], ["github"], description="x" * 80_000)
    assert {(row.status, row.kept) for row in ended.answer.sources} == {("truncated", 0)}
