"""GitHub over REST, for one machine without a token: 10 searches a minute, and no enrichment."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, TypeVar

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, RateLimited, Unavailable, Unreachable
from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.kinds.repositories.ports import ALL_WORDS, Found, RepositorySource
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.mapping import REST_FACTS, read_all, whole_number
from goldpan.kinds.repositories.sources.github.settings import MAX_RESULTS, SEARCHES_WITHOUT_TOKEN
from goldpan.kinds.repositories.sources.query_syntax import render

PAGE = 100
NOT_FOUND = 404
SORTS = {"stars": "stars", "updated": "updated"}
NO_TOKEN = "GITHUB_TOKEN is not set: READMEs, releases, issues and contributors were not looked at."  # noqa: S105
Item = TypeVar("Item")


class GitHub(RepositorySource):
    """GitHub as a source of repositories; every method raises `CallFailed` or `CredentialRejected`."""

    matches = ALL_WORDS
    searches_a_question: ClassVar[int] = SEARCHES_WITHOUT_TOKEN
    names_a_request: ClassVar[int] = 10
    """Names that a look-up of many takes together; each is a request of its own."""
    notice: ClassVar[str | None] = NO_TOKEN
    """What an answer lacks without a token."""

    def __init__(self, client: GitHubClient) -> None:
        self._client = client

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches of one strategy. Raises the first failure if no search found a repository."""
        asked = [(render(search), search.sort) for search in searches]
        found = _one_by_one(asked, lambda each: _search(self._client, *each, deadline), "a search failed")
        return replace(found, queries=tuple(query for query, _ in asked))

    def page(self, search: RepositorySearch, after: str | None, deadline: Deadline) -> Found:
        """Fetch a page of 100 results of one search, the first or the `following` of another."""
        number = int(after or 1)
        found = _search(self._client, render(search), search.sort, deadline, number)
        following = str(number + 1) if number * PAGE < min(found.available, MAX_RESULTS) else None
        return replace(found, following=following)

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Fetch repositories by name: what does not exist has an empty list. Raises the first failure if all failed."""

        def fetch(name: str) -> Found:
            response = self._client.fetch(f"/repos/{name}", {}, deadline, allowed=(NOT_FOUND,))
            repositories, failures = read_all([] if response.status == NOT_FOUND else [response.json()], REST_FACTS)
            return Found((tuple(repositories),), len(repositories), failures=failures)

        return replace(_one_by_one(names, fetch, "a repository could not be fetched"), queries=tuple(names))


def _one_by_one(items: Sequence[Item], call: Callable[[Item], Found], failed: str) -> Found:
    """Join the results of a call for each item, each a list; a limit or a lost network skips the rest.

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


def _search(client: GitHubClient, query: str, sort: str, deadline: Deadline, number: int = 1) -> Found:
    params = {"q": query, "per_page": str(PAGE)} | ({"page": str(number)} if number > 1 else {})
    if sort in SORTS:
        params |= {"sort": SORTS[sort], "order": "desc"}
    body = client.search(params, deadline)
    if not isinstance(body, dict) or not isinstance(body.get("items"), list):
        raise Unavailable("GitHub's response has no list of repositories")
    repositories, failures = read_all(body["items"], REST_FACTS)
    if failures and not repositories:
        raise Unavailable(failures[0])
    available, incomplete = whole_number(body.get("total_count")), bool(body.get("incomplete_results"))
    return Found((tuple(repositories),), available, failures=failures, incomplete=incomplete)
