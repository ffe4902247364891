"""GitHub over REST, for one machine without a token: 10 searches a minute, and no enrichment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, RateLimited, Unavailable, Unreachable
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Found
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Unread, read_all, whole_number
from goldpan.kinds.repositories.sources.github.mapping import from_rest
from goldpan.kinds.repositories.sources.query_syntax import dropped_words_notes, render

PAGE = 100
NOT_FOUND = 404
SORTS = {"stars": "stars", "updated": "updated"}
Item = TypeVar("Item")
Result = TypeVar("Result")


class _Page(NamedTuple):
    """The first page of one search; the default stands for a search that failed or was not run."""

    repositories: tuple[Repository, ...] = ()
    available: int = 0
    incomplete: bool = False


def search_rest(client: GitHubClient, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
    """Run the searches one after the other; a rate limit or a lost network skips the rest.

    Raises the first failure if no search found a repository.
    """
    queries, unread = [render(search) for search in searches], Unread()
    asked = [(query.text, search.sort) for query, search in zip(queries, searches, strict=True)]
    pages, failures = _one_by_one(asked, lambda each: _search(client, *each, deadline, unread), _Page())
    if failures and not any(page.repositories for page in pages):
        raise failures[0]
    return Found(
        lists=tuple(page.repositories for page in pages),
        available=sum(page.available for page in pages),
        queries=tuple(query.text for query in queries),
        notes=(*dropped_words_notes(queries), *unread.notes),
        failures=(*(f"a search failed: {failure}" for failure in failures), *unread.failures),
        incomplete=any(page.incomplete for page in pages),
    )


def look_up_rest(client: GitHubClient, names: Sequence[str], deadline: Deadline) -> Found:
    """Fetch repositories by name, one after the other; what does not exist has an empty list.

    A rate limit or a lost network skips the rest. Raises the first failure if none could be fetched.
    """
    unread = Unread()

    def fetch(name: str) -> tuple[Repository, ...]:
        response = client.fetch(f"/repos/{name}", {}, deadline, allowed=(NOT_FOUND,))
        items = [] if response.status == NOT_FOUND else [response.json()]
        return tuple(read_all(items, from_rest, unread))

    lists, failures = _one_by_one(names, fetch, tuple[Repository, ...]())
    if failures and not any(lists):
        raise failures[0]
    reasons = tuple(dict.fromkeys(f"a repository could not be fetched: {failure}" for failure in failures))
    return Found(tuple(lists), sum(map(len, lists)), tuple(names), unread.notes, (*reasons, *unread.failures))


def _one_by_one(
    items: Sequence[Item], call: Callable[[Item], Result], default: Result
) -> tuple[list[Result], list[CallFailed]]:
    """Make a call for each item; return the results, the default for those that failed or were skipped."""
    results, failures = [default] * len(items), list[CallFailed]()
    for place, item in enumerate(items):
        try:
            results[place] = call(item)
        except CallFailed as failure:
            failures.append(failure)
            if isinstance(failure, RateLimited | Unreachable):
                break
    return results, failures


def _search(client: GitHubClient, query: str, sort: str, deadline: Deadline, unread: Unread) -> _Page:
    params = {"q": query, "per_page": str(PAGE)}
    if sort in SORTS:
        params |= {"sort": SORTS[sort], "order": "desc"}
    body = client.search(params, deadline)
    if not isinstance(body, dict) or not isinstance(body.get("items"), list):
        raise Unavailable("GitHub's response has no list of repositories")
    repositories = tuple(read_all(body["items"], from_rest, unread))
    if body["items"] and not repositories:
        raise Unavailable(f"GitHub's response has no readable repository ({unread.repositories[-1]})")
    return _Page(repositories, whole_number(body.get("total_count")), bool(body.get("incomplete_results")))
