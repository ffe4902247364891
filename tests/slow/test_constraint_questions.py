"""Constraints from the words of a question to the facts of its results, through the whole pipeline, by rules alone."""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.search import get_or_search
from goldpan.kinds.repositories.results import RankedRepository
from goldpan.local.bootstrap import open_runtime

from tests.support.factories import StillClock
from tests.support.sample import SAMPLE_SOURCE

QUESTIONS = Path(__file__).parents[1] / "data" / "constraint_questions.toml"
TABLE: dict[str, list[dict[str, Any]]] = tomllib.loads(QUESTIONS.read_text("utf-8"))
DAY_OF_THE_SAMPLE = datetime(2026, 8, 22, tzinfo=UTC)
ENOUGH, SHARE = 3, 5 / 6
"""Minimum number of questions in each group that have results: an empty answer would break no constraint."""
HALVES = [
    pytest.param(rows[half::2], id=f"{group}-{half}", marks=[pytest.mark.short] * (half == 0))
    for group, rows in TABLE.items()
    for half in (0, 1)
]


@pytest.mark.parametrize("rows", HALVES)
def test_every_result_meets_what_the_question_states(rows: list[dict[str, Any]]) -> None:
    """No known fact of a result breaks a constraint; one with an unknown fact says so, below all without one."""
    with open_runtime({"GOLDPAN_CACHE": "off"}, ["catalogue"]) as opened:
        still = replace(opened, dependencies=replace(opened.dependencies, clock=StillClock(DAY_OF_THE_SAMPLE)))
        requests = [SearchRequest(query=row["q"], filters=row.get("filters", {})) for row in rows]
        found = [get_or_search(request, still).repositories for request in requests]
    pairs = zip(rows, found, strict=True)
    assert [(row["q"], *fault) for row, section in pairs for fault in _faults(section.results, row)] == []
    assert sum(len(section.results) + len(section.weaker) >= ENOUGH for section in found) >= SHARE * len(rows)


def _faults(results: tuple[RankedRepository, ...], row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for result in results:
        met = {name: _meets(result, name, wanted) for name, wanted in row.items() if name not in ("q", "filters")}
        yield from ((result.repo, name) for name, is_met in met.items() if is_met is False)
        if None in met.values() and not result.unverified:
            yield result.repo, "not marked as unverified"
    marked = [bool(result.unverified) for result in results]
    if marked != sorted(marked):
        yield "", "an unverified result above a verified one"


def _meets(result: RankedRepository, name: str, wanted: Any) -> bool | None:
    """Compare one fact of a result with what was asked for; None if it is unknown."""
    if name == "is_not":
        return not any(_is(result, word.lower()) for word in wanted)
    if name == "not_repo":
        return result.repo.lower() not in [one.lower() for one in wanted]
    if name == "topics":
        return {*wanted} <= {*result.topics} if result.topics else None
    if name == "language" and any(_written_in(result.description or result.note, one) for one in wanted):
        return True
    if name.endswith(("language", "license")):
        fact = getattr(result, name.removeprefix("not_"))
        return None if fact is None else (fact in wanted) != name.startswith("not_")
    return _within(result, name, wanted)


def _written_in(description: str | None, language: str) -> bool:
    """Report whether the description says "in Rust" or "for C# and Rust", whatever the main language is."""
    return re.search(rf" (?:in|for) (?:[\w+#]+ and )?{re.escape(language)}(?![\w+#])", description or "") is not None


def _within(result: RankedRepository, name: str, limit: int | date) -> bool | None:
    """Compare a number of stars or a day; a push that was last looked for before the limit says nothing of later."""
    if isinstance(limit, int):
        known: int | date | None = result.stars
    else:
        at = result.pushed_at if name.startswith("pushed") else result.created_at
        stale = name.startswith("pushed") and _days_of_observation()[result.repo] < str(limit)
        known = None if at is None or stale else at.date()
    if known is None:
        return None
    return bool(known >= limit if name in ("min_stars", "pushed_since", "created_since") else known <= limit)  # type: ignore[operator]


def _is(result: RankedRepository, word: str) -> bool:
    """Report whether the name, a topic or a plain statement of the description says that it is of the named thing."""
    text = (result.description or "").lower()
    stated = rf"\b(?:built|written|made|based) (?:with|on|in|using) {word}\b|\b{word}(?:-based| apps?| plugins?)\b"
    free = rf"\b(?:without|not|no|replac\w+|alternative to) (?:an? )?{word}"
    named = word in re.split(r"[^a-z0-9+#]+", result.name.lower()) or word in result.topics
    return named or (re.search(stated, text) is not None and re.search(free, text) is None)


@cache
def _days_of_observation() -> dict[str, str]:
    records = map(json.loads, (SAMPLE_SOURCE / "sample.jsonl").read_text("utf-8").splitlines())
    return {record["full_name"]: record.get("as_of", {}).get("pushed_at", "9999") for record in records}
