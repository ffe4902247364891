"""GitHub over REST, for one machine without a token: 10 searches a minute, and no enrichment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, RateLimited, Unavailable, Unreachable
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Found
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Unread, read_count, readable
from goldpan.kinds.repositories.sources.github.mapping import from_rest
from goldpan.kinds.repositories.sources.query_syntax import dropped_words_notes, render

PAGE = 100
NOT_FOUND = 404
SORTS = {"stars": "stars", "updated": "updated"}


@dataclass(frozen=True)
class _Page:
    """The first page of one search; the default stands for a search that failed or was not run."""

    repositories: tuple[Repository, ...] = ()
    available: int = 0
    incomplete: bool = False
    unread: Unread = field(default_factory=Unread)


def search_rest(client: GitHubClient, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
    """Run the searches one after the other; a rate limit or a lost network skips the rest.

    Raises the first failure if no search found a repository.
    """
    queries = [render(search) for search in searches]
    pages = [_Page() for _ in searches]
    failures: list[CallFailed] = []
    for i, (search, query) in enumerate(zip(searches, queries, strict=True)):
        try:
            pages[i] = _search(client, query.text, search.sort, deadline)
        except CallFailed as failure:
            failures.append(failure)
            if isinstance(failure, RateLimited | Unreachable):
                break
    if failures and not any(page.repositories for page in pages):
        raise failures[0]
    unread = Unread.of(page.unread for page in pages)
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
    lists: list[tuple[Repository, ...]] = [()] * len(names)
    failures: list[CallFailed] = []
    unread = Unread()
    for i, name in enumerate(names):
        try:
            response = client.fetch(f"/repos/{name}", {}, deadline, allowed=(NOT_FOUND,))
            items = [] if response.status == NOT_FOUND else [response.json()]
        except CallFailed as failure:
            failures.append(failure)
            if isinstance(failure, RateLimited | Unreachable):
                break
        else:
            lists[i] = tuple(readable(items, from_rest, unread))
    if failures and not any(lists):
        raise failures[0]
    said = tuple(dict.fromkeys(f"a repository could not be fetched: {failure}" for failure in failures))
    return Found(tuple(lists), sum(map(len, lists)), tuple(names), unread.notes, (*said, *unread.failures))


def _search(client: GitHubClient, query: str, sort: str, deadline: Deadline) -> _Page:
    params = {"q": query, "per_page": str(PAGE)}
    if sort in SORTS:
        params |= {"sort": SORTS[sort], "order": "desc"}
    body = client.get("/search/repositories", params, deadline)
    if not isinstance(body, dict) or not isinstance(body.get("items"), list):
        raise Unavailable("GitHub's response has no list of repositories")
    unread = Unread()
    repositories = tuple(readable(body["items"], from_rest, unread))
    if unread.failures and not repositories:
        raise Unavailable(unread.failures[0])
    incomplete = bool(body.get("incomplete_results"))
    return _Page(repositories, read_count(body, "total_count", unread), incomplete, unread)
