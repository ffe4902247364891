"""A search of a library is answered from the cache until the library is replaced, to the keys of its project alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.cached_stack import CACHE, CachedStack
from tests.e2e.comparison import Searched
from tests.support.paper_fakes import ListedPapers
from tests.support.search_fakes import QUESTION

MINE: dict[str, Any] = {"kinds": ["papers"], "project_id": "thesis"}


def search(stack: CachedStack, **more: Any) -> Searched:
    """Search the library of the project, as the API starts it; `more` stands beside the request."""
    fakes = stack.fakes(sources={"library": ListedPapers(), "crossref": ListedPapers()})
    return stack.stack.execute(fakes, {"request": {"query": QUESTION, **MINE}, **more})


def pushed(stack: CachedStack, version: str) -> None:
    """Write the version of the library as `goldpan library push` does."""
    stack.client.put_item(TableName=CACHE, Item={"pk": {"S": "library:thesis"}, "version": {"S": version}})


def test_an_answer_is_of_the_library_as_it_is_now(cached_stack: CachedStack) -> None:
    """A push makes the next search a new one; the version before has its answers again when it is pushed again."""
    for version, is_cached in (("", False), ("one", False), ("one", True), ("two", False), ("one", True)):
        if version:
            pushed(cached_stack, version)
        assert search(cached_stack).answer.cached == is_cached, version
    cached_stack.search()
    pushed(cached_stack, "three")
    assert cached_stack.search().answer.cached, "a search without a library"


def test_a_version_that_cannot_be_read(cached_stack: CachedStack) -> None:
    """The search runs, and its answer is not stored: it might be of an older file."""
    pushed(cached_stack, "one")
    search(cached_stack)
    cached_stack.stack.platform.tables.throttled[CACHE, "GetItem"] = 2
    assert not search(cached_stack).answer.cached
    assert search(cached_stack).answer.cached
    assert len(cached_stack.answers()) == 1


@pytest.mark.parametrize("projects", ["other", "thesis-2,other", "thes", ","])
def test_a_key_that_is_bound_to_other_projects(cached_stack: CachedStack, projects: str) -> None:
    """It is refused before an answer of the project is read from the cache, and no function is called."""
    search(cached_stack)
    refused = search(cached_stack, projects=projects)
    assert (refused.response.statusCode, refused.calls) == (403, {})
    assert "thesis" not in refused.response.body
    assert search(cached_stack, projects="other,thesis").answer.cached
    assert cached_stack.stack.execute(
        cached_stack.fakes(), {"request": {"query": QUESTION}, "projects": projects}
    ).answer
