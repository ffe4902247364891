"""GitHub over REST, for one machine without a token: 10 searches a minute, and no enrichment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, RateLimited, Unavailable, Unreachable
from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.kinds.repositories.ports import Found
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import read_all, whole_number
from goldpan.kinds.repositories.sources.github.mapping import from_rest
from goldpan.kinds.repositories.sources.github.settings import MAX_RESULTS
from goldpan.kinds.repositories.sources.query_syntax import render

PAGE = 100
NOT_FOUND = 404
SORTS = {"stars": "stars", "updated": "updated"}
Item = TypeVar("Item")


def search_rest(client: GitHubClient, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
    """Run the searches one after the other. Raises the first failure if no search found a repository."""
    asked = [(render(search), search.sort) for search in searches]
    found = _one_by_one(asked, lambda each: _search(client, *each, deadline), "a search failed")
    return replace(found, queries=tuple(query for query, _ in asked))


def look_up_rest(client: GitHubClient, names: Sequence[str], deadline: Deadline) -> Found:
    """Fetch repositories by name, one after the other; what does not exist has an empty list.

    Raises the first failure if none could be fetched.
    """

    def fetch(name: str) -> Found:
        response = client.fetch(f"/repos/{name}", {}, deadline, allowed=(NOT_FOUND,))
        repositories, failures = read_all([] if response.status == NOT_FOUND else [response.json()], from_rest)
        return Found((tuple(repositories),), len(repositories), failures=failures)

    return replace(_one_by_one(names, fetch, "a repository could not be fetched"), queries=tuple(names))


def _one_by_one(items: Sequence[Item], call: Callable[[Item], Found], failed: str) -> Found:
    """Join the results of a call for each item, each a list; a rate limit or a lost network skips the rest.

    Raises the first failure if nothing was found.
    """
    found, failures = Found((), 0), list[CallFailed]()
    for item in items:
        try:
            found = found.joined(call(item))
        except CallFailed as failure:
            failures.append(failure)
            found = found.joined(Found(((),), 0, failures=(f"{failed}: {failure}",)))
            if isinstance(failure, RateLimited | Unreachable):
                break
    if failures and not any(found.lists):
        raise failures[0]
    skipped = ((),) * (len(items) - len(found.lists))
    return replace(found, lists=found.lists + skipped, failures=tuple(dict.fromkeys(found.failures)))


def page_rest(client: GitHubClient, search: RepositorySearch, number: int, deadline: Deadline) -> Found:
    """Fetch a page of a search. Raises `CallFailed` or `CredentialRejected`."""
    found = _search(client, render(search), search.sort, deadline, number)
    following = str(number + 1) if number * PAGE < min(found.available, MAX_RESULTS) else None
    return replace(found, following=following)


def _search(client: GitHubClient, query: str, sort: str, deadline: Deadline, number: int = 1) -> Found:
    """Read a page of one search."""
    params = {"q": query, "per_page": str(PAGE)} | ({"page": str(number)} if number > 1 else {})
    if sort in SORTS:
        params |= {"sort": SORTS[sort], "order": "desc"}
    body = client.search(params, deadline)
    if not isinstance(body, dict) or not isinstance(body.get("items"), list):
        raise Unavailable("GitHub's response has no list of repositories")
    repositories, failures = read_all(body["items"], from_rest)
    if failures and not repositories:
        raise Unavailable(failures[0])
    available, incomplete = whole_number(body.get("total_count")), bool(body.get("incomplete_results"))
    return Found((tuple(repositories),), available, failures=failures, incomplete=incomplete)
