"""A repeated request is answered from the cache, without a function, and only if it is the same request."""

from typing import Any

import pytest
from goldpan.contracts import SearchRequest
from goldpan.contracts.request import PAGE_FIELDS
from goldpan.kinds.papers.models import Paper

from tests.e2e.comparison import BUDGET, CACHE, POPULARITY, CachedStack, Item
from tests.support.dynamodb_service import THROTTLED, UNREACHABLE
from tests.support.paper_fakes import ListedPapers
from tests.support.search_fakes import QUESTION, Fakes, FakeSource, repositories
from tests.support.state_machine import search_machine

OTHER_VALUES: dict[str, Any] = {
    "query": "react animation library", "kinds": ["repositories", "repositories"], "mode": "focused", "max_seconds": 24,
    "max_llm_calls": 0, "sources": ["github"], "filters": {"min_stars": 1}, "sort": "stars",
    "ignore": ["term:animation"], "compare": ["example-org/motion-00", "example-org/motion-01"],
    "config": {"coarse_filter": {"min_stars": None}},
}  # fmt: skip
"""For each field of a request a value that is not its default; a page is read from the list of all results."""
OF_PAPERS: dict[str, Any] = {
    "previous_strategies": [{"titles": ["React"]}], "feedback": ["fewer surveys"], "project_id": "thesis",
    "preference": "recent",
}  # fmt: skip
"""The same for the fields of a kind that has libraries and preferences."""
DEFAULTS = SearchRequest(query=QUESTION).model_dump(mode="json", exclude={"query"}) | {"config": {}}


def searched(cached_stack: CachedStack) -> Fakes:
    """Make a source for each kind."""
    paper = Paper(source="crossref", title="React animation libraries: a comparison", year=2024)
    listed = ListedPapers((paper,))
    return cached_stack.fakes(sources={"github": FakeSource(repositories(1)), "crossref": listed, "library": listed})


@pytest.mark.parametrize("query", [QUESTION, "水" * 500, '"\\' * 250])
def test_a_repeated_request(cached_stack: CachedStack, query: str) -> None:
    """It has the same bytes but for `cached`, without a function; written defaults are the same."""
    first, second = cached_stack.search(query=query), cached_stack.search(query=query)
    assert not second.calls
    assert second.response.body == first.response.body.replace(
        '"cached":false,"answered_at"', '"cached":true,"answered_at"'
    )
    assert second.response.model_dump(exclude={"body"}) == first.response.model_dump(exclude={"body"})
    assert not second.execution.errors
    assert cached_stack.search(**dict(reversed(DEFAULTS.items())), query=query).answer.cached


def test_another_value_of_any_field(cached_stack: CachedStack) -> None:
    """Each is searched for, and cached beside the others; a new field of the contract must be tried here."""
    of_papers: dict[str, Any] = {"kinds": ["papers"]}
    rounds: tuple[tuple[dict[str, Any], dict[str, Any]], ...]
    rounds = (
        (OTHER_VALUES, {}),
        (OF_PAPERS, of_papers),
        ({"library_only": True}, {**of_papers, "project_id": "notes"}),
    )
    assert {field for others, _ in rounds for field in others} == SearchRequest.model_fields.keys() - {*PAGE_FIELDS}
    for others, usual in rounds:
        cached_stack.search(searched(cached_stack), **usual)
        for field, value in others.items():
            assert not cached_stack.search(searched(cached_stack), **{**usual, field: value}).answer.cached, field
        assert cached_stack.search(**usual).answer.cached
    assert len(cached_stack.answers()) == sum(1 + len(others) for others, _ in rounds)


def _shown(answer: Any) -> list[str]:
    """List what a page shows: results, then weaker ones."""
    return [one.repo for one in (*answer.repositories.results, *answer.repositories.weaker)]


def test_the_pages_of_a_search(cached_stack: CachedStack) -> None:
    """Each after the first needs one short call and no search; none repeats or leaves out a result."""
    source = FakeSource(repositories(60))
    first = cached_stack.search(cached_stack.fakes(sources={"github": source}))
    assert first.calls["scout"] >= 1
    names = _shown(first.answer)
    pages = [cached_stack.search(offset=offset, max_results=25) for offset in (50, 25, 0, 75)]
    assert all({*page.calls} <= {"begin"} and page.answer.cached for page in pages)
    assert {lock["until"]["N"] for lock in cached_stack.items(BUDGET, "lock#")} == {"0"}, "no later search waits"
    last, middle, start, after = [_shown(page.answer) for page in pages]
    assert start[:10] == names
    assert (len({*start, *middle, *last}), len(last), after) == (60, 10, [])
    assert "Of 60 repositories none is left after the first 75." in pages[3].answer.warnings
    assert {page.answer.repositories.total for page in pages} == {60}
    assert not any(page.execution.oversized() for page in (first, *pages))


def test_another_version_of_the_functions(cached_stack: CachedStack) -> None:
    """The answers of an earlier version are not read again."""
    cached_stack.search()
    old = cached_stack.stack.machine
    cached_stack.stack.machine = search_machine(cached_stack.stack.platform, version="2 1 1")
    assert not cached_stack.search().answer.cached
    cached_stack.stack.machine = old
    assert cached_stack.search().answer.cached


@pytest.mark.parametrize("fields", [{"answer": "yes"}, {"refresh": True}], ids=str)
def test_an_invalid_request(cached_stack: CachedStack, fields: dict[str, Any]) -> None:
    """It is refused although the same request without the invalid field is cached."""
    cached_stack.search()
    value = {"request": {"query": QUESTION, **fields}}
    assert cached_stack.stack.execute(cached_stack.fakes(), value).response.statusCode == 400
    assert cached_stack.search().answer.cached


def test_a_request_too_large_for_a_key(cached_stack: CachedStack) -> None:
    """It is searched for every time, and neither cached nor counted."""
    for _ in range(2):
        assert not cached_stack.search(query=f"{QUESTION}{' ' * 10_000}").answer.cached
    assert not cached_stack.answers()
    assert not cached_stack.items(POPULARITY)


UNUSABLE: dict[str, Item] = {
    "it is stale": {"fresh_until_time": {"S": "2026-01-01T00:00:00.000Z"}},
    "its time is invalid": {"fresh_until_time": {"S": "zzz"}},
    "it has no text": {"text": {}},
    "its text is truncated": {"text": {"S": '{"query":"React animation library","mode":"bal'}},
    "its text was not cached": {"text": {"S": '{"query":"","cached":false,"answered_at":""}'}},
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_unusable_item(cached_stack: CachedStack, name: str) -> None:
    """It is searched for without a wait, and written anew."""
    cached_stack.search()
    [item] = cached_stack.answers()
    cached_stack.delete_answers()
    changed = {attribute: value for attribute, value in {**item, **UNUSABLE[name]}.items() if value}
    cached_stack.client.put_item(TableName=CACHE, Item=changed)
    searched = cached_stack.search()
    assert not searched.answer.cached
    assert (searched.calls["translate"], searched.calls["begin"] <= 2) == (1, True)
    assert cached_stack.search().answer.cached


@pytest.mark.parametrize(
    ("table", "failure"), [(CACHE, UNREACHABLE), (BUDGET, THROTTLED), (POPULARITY, THROTTLED)], ids=str
)
def test_a_table_that_fails(cached_stack: CachedStack, table: str, failure: Exception) -> None:
    """It costs what it would have saved, and never the answer."""
    cached_stack.search()
    cached_stack.stack.platform.tables.failures[table] = failure
    assert not cached_stack.search(mode="focused").answer.cached
    assert cached_stack.search().answer.cached == (table != CACHE)
