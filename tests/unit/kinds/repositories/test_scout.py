"""A strategy at a source becomes a batch, best first, with its status."""

from types import SimpleNamespace
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.stage_values import TaskFailure
from goldpan.errors import RateLimited
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import Batch, SearchParams, StarRange
from goldpan.kinds.repositories.ports import ALL_WORDS, Found
from goldpan.kinds.repositories.scout import failed_batch, scout

from tests.support.factories import NOW, ListedSource, StillClock, repository, scout_task


def scouted(source: Any, allowance: int = 70_000, **changed: object) -> Batch:
    """Run the stage for a task."""
    clock = StillClock()
    dependencies = Dependencies(clock=clock, sources={"github": source} if source else {})
    task = scout_task(allowance=allowance).model_copy(update=changed)
    return scout(task, dependencies, Deadline.after(6, clock))


@pytest.mark.parametrize(
    ("source", "status", "detail"),
    [
        (ListedSource([repository()]), "ok", ""),
        (ListedSource([]), "empty", ""),
        (ListedSource([repository()], incomplete=True), "truncated",
         "the source answered before it had searched everything"),
        (ListedSource(failure=RateLimited("slow down", NOW)), "rate_limited", "slow down"),
        (None, "skipped", "github is not configured here"),
    ],
)  # fmt: skip
def test_each_outcome_has_its_own_status(source: ListedSource | None, status: str, detail: str) -> None:
    """A failed source never looks like an empty one, and the reason reaches the answer."""
    row = scouted(source).status
    assert (row.status, row.detail) == (status, detail)
    assert row.retry_at == (NOW if status == "rate_limited" else None)


def test_a_lost_task_becomes_a_status_row() -> None:
    """A deadline and a defect differ, and a note is neither; the row has the queries as sent, and the counts."""
    late = failed_batch(scout_task(), TaskFailure(task_id="x", failure="timeout")).status
    failed = failed_batch(scout_task(), TaskFailure(task_id="x", failure="failed")).status
    assert (late.status, late.detail) == ("timeout", "no answer before the deadline of the stage")
    assert (failed.status, failed.detail) == ("unavailable", "the query failed unexpectedly; the log has the cause")
    lists = ((repository("a/b"), repository("a/c")), (repository("A/B"),))
    found = Found(lists, available=812, queries=("react", "vue"), notes=("dropped: tool",), age_s=0)
    row = scouted(SimpleNamespace(search=lambda *_: found)).status
    assert (row.status, row.query, row.detail) == ("ok", "react | vue", "dropped: tool")
    assert (row.available, row.fetched, row.kept, row.cached, row.age_s) == (812, 2, 2, True, 0)


def test_the_best_comes_first_and_once() -> None:
    """By relevance, not by stars, the searches in turn; what exceeds the allowance is the least relevant one."""
    popular = repository("popular-org/db", description="A database", stars=90_000)
    lists = [[popular, *(repository(f"org-{which}/motion{n}") for n in range(3))] for which in "ab"]
    found = [item.full_name for item in scouted(ListedSource(*lists)).candidates]
    assert found == [*(f"org-{which}/motion{n}" for n in range(3) for which in "ab"), "popular-org/db"]
    first, second = (repository(f"a/{name}") for name in ("first", "second"))
    assert scouted(ListedSource([first, second], [second, first])).candidates == (first, second)
    weak = [repository(f"other-org/r{n}", description="A database server" + " of size" * 30) for n in range(60)]
    large = repository("a/large", readme="React animation library " * 500)
    cut = scouted(ListedSource([*weak, large, repository()]), 9_000)
    assert cut.candidates[0].full_name == "example-org/motion"
    assert len(cut.candidates) > 1
    assert len(cut.model_dump_json(exclude_defaults=True).encode()) <= 9_000
    assert cut.status.status == "truncated"
    assert cut.status.detail == f"{62 - len(cut.candidates)} of 62 candidates were cut to fit"


@pytest.mark.parametrize(("like", "kept", "status"), [("jest", 1, "truncated"), ("jestjs/jest", 0, "rate_limited")])
def test_a_failure_of_the_further_searches_keeps_what_was_found(like: str, kept: int, status: str) -> None:
    """The row says what failed: the searches by the facts of a name, or the look-up that a full name alone asks for."""
    answers = iter([Found(((repository("jestjs/jest"),),), available=1)])

    def search(*_: object) -> Found:
        for found in answers:
            return found
        raise RateLimited("slow down", NOW)

    question = f"like {like}"
    params = SearchParams(keywords=("testing",), question=question, likes=(like,), expanded_keywords=("mock",))
    source = SimpleNamespace(search=search, look_up=search, matches=ALL_WORDS)
    batch = scouted(source, params=params, further_searches=3)
    assert [item.full_name for item in batch.candidates] == ["jestjs/jest"] * kept
    assert (batch.status.status, batch.status.detail) == (status, "slow down")


@pytest.mark.parametrize(("limits", "calls"), [({}, 1), ({"min_stars": 900_000}, 2), ({"max_stars": 5}, 2)])
def test_a_search_that_finds_nothing_within_its_limits_is_repeated_without(limits: dict[str, Any], calls: int) -> None:
    """The shortlist says what breaks them; where there are none, nothing is repeated."""
    source, params = ListedSource([]), SearchParams(keywords=("react",), constraints=Constraints(**limits))
    scouted(source, params=params)
    assert [search.stars for search in source.asked] == [StarRange()] * calls
    scouted(source, strategy="recency", params=params)  # once for all strategies
    assert len(source.asked) == calls + 1


def test_what_a_comparison_wants_them_like_is_searched_for_too() -> None:
    """It is looked up beside the repositories that are compared."""
    jest, params = repository("jestjs/jest"), SearchParams(keywords=("testing",), likes=("jest",))
    source = ListedSource([jest])
    assert [one.full_name for one in scouted(source, names=("a/b",), params=params).candidates] == ["jestjs/jest"]
