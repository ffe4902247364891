"""GitHub as a source: over GraphQL with a token, else over REST, which allows 10 searches a minute and no enrichment.

GraphQL runs all searches of a strategy in one request, and enriches in batches.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, TypeVar

from goldpan.counts import counted
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import CallFailed, RateLimited, Unavailable, Unreachable
from goldpan.infra.threads import CPU_LOCK, run_parallel
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import ALL_WORDS, Enriched, Found, RepositorySource, render
from goldpan.kinds.repositories.sources.github import mapping, queries
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.mapping import REST_FACTS, SEARCH_FACTS, Facts, at, read_all
from goldpan.kinds.repositories.sources.github.settings import MAX_RESULTS, GitHubSettings

PAGE = 100
NOT_FOUND = 404
UNSORTED = "best_match"
BATCH = 10
MAX_PARALLEL_BATCHES = 6
UNKNOWN_NAME = "NOT_FOUND"
"""The type of GitHub's error for a name that does not exist, or that this credential may not see."""
NO_TOKEN = "GITHUB_TOKEN is not set: READMEs, releases, issues and contributors were not looked at."  # noqa: S105
Item = TypeVar("Item")


class GitHub(RepositorySource):
    """GitHub as a source of repositories; every method raises `CallFailed` or `CredentialRejected`."""

    matches = ALL_WORDS
    searches_a_question: ClassVar[int] = 5
    """Half of the searches that GitHub allows in a minute."""
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
    if sort != UNSORTED:
        params |= {"sort": sort, "order": "desc"}
    body = client.send("/search/repositories", params, deadline, limit="rest-search").json()
    if not isinstance(body, dict) or not isinstance(body.get("items"), list):
        raise Unavailable("GitHub's response has no list of repositories")
    repositories, failures = read_all(body["items"], REST_FACTS)
    if failures and not repositories:
        raise Unavailable(failures[0])
    available, incomplete = mapping.whole_number(body.get("total_count")), bool(body.get("incomplete_results"))
    return Found((tuple(repositories),), available, failures=failures, incomplete=incomplete)


class GitHubWithToken(GitHub):
    """GitHub over GraphQL."""

    searches_a_question = 15
    names_a_request = 100
    notice = None

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches as aliases of one request; raises `Unavailable` if every alias failed."""
        return self._search(searches, deadline, queries.NODES, None)

    def page(self, search: RepositorySearch, after: str | None, deadline: Deadline) -> Found:
        """Fetch a page of one search."""
        return self._search([search], deadline, PAGE, after)

    def _search(self, searches: Sequence[RepositorySearch], deadline: Deadline, first: int, after: str | None) -> Found:
        sorts = ("" if search.sort == UNSORTED else f" sort:{search.sort}" for search in searches)
        texts = tuple(render(search) + sort for search, sort in zip(searches, sorts, strict=True))
        variables = {"first": first, "after": after, **{f"q{i}": text for i, text in enumerate(texts)}}
        document, cost = queries.search_document(len(searches)), queries.search_cost(len(searches))
        data, failures = self._client.graphql(document, variables, deadline, cost)
        results = [data.get(f"s{i}") for i in range(len(searches))]
        if not any(result is not None for result in results):
            raise Unavailable(failures[0] if failures else "GitHub answered none of the searches")
        nodes = (result.get("nodes", result) if isinstance(result, Mapping) else result for result in results)
        lists, unread = _read_lists(nodes, SEARCH_FACTS)
        if unread and not any(lists):
            raise Unavailable(unread[0])
        available = sum(mapping.whole_number(at(result, "repositoryCount")) for result in results)
        info = at(results[0], "pageInfo")
        following = mapping.text_or_none(at(info, "endCursor")) if at(info, "hasNextPage") is True else None
        return Found(lists, available, texts, failures=(*failures, *unread), following=following)

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Fetch repositories by name in one request; what does not exist has an empty list."""
        document = queries.document_by_name("LookUp", len(names))
        data, errors = self._client.graphql(document, queries.name_variables(names), deadline)
        lists, unread = _read_lists(_named(data, len(names)), SEARCH_FACTS)
        failures = (error for error in errors if not error.startswith(UNKNOWN_NAME))
        return Found(lists, sum(map(len, lists)), tuple(names), failures=(*failures, *unread))

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Fetch the details in parallel batches; a batch that fails or is late comes back unchanged."""
        batches = [tuple(repositories[i : i + BATCH]) for i in range(0, len(repositories), BATCH)]
        results = run_parallel(
            batches, lambda batch: _enrich_batch(self._client, batch, deadline), MAX_PARALLEL_BATCHES, deadline
        )
        late = "no further facts for {} before the deadline".format
        done = [
            result or Enriched(batch, (late(counted(len(batch), "repositories")),))
            for batch, result in zip(batches, results, strict=True)
        ]
        failures = dict.fromkeys(failure for each in done for failure in each.failures)
        cause = next((each.cause for each in done if each.cause), None)
        return Enriched(tuple(one for each in done for one in each.repositories), tuple(failures), cause)


def _named(data: Mapping[str, object], count: int) -> list[object]:
    """Return the repositories of a response by name, each as a list of one, null where there is none."""
    return [[node] if (node := data.get(f"r{i}")) else None for i in range(count)]


def _read_lists(lists: Iterable[object], facts: Facts) -> tuple[tuple[tuple[Repository, ...], ...], tuple[str, ...]]:
    """Read the lists of repositories of a response, null as an empty one; the second value says what was not read."""
    with CPU_LOCK:
        found = [read_all(one, facts) for one in lists]
    return tuple(tuple(one) for one, _ in found), tuple(reason for _, reasons in found for reason in reasons)


def _enrich_batch(client: GitHubClient, batch: Sequence[Repository], deadline: Deadline) -> Enriched:
    names = queries.name_variables([repository.full_name for repository in batch])
    variables = {**queries.since_variable(deadline.clock), **names}
    try:
        data, failures = client.graphql(queries.document_by_name("Enrich", len(batch)), variables, deadline)
    except CallFailed as failure:
        note = f"no further facts for {counted(len(batch), 'repositories')}: {failure}"
        return Enriched(tuple(batch), (note,), failure)
    lists, unread = _read_lists(_named(data, len(batch)), SEARCH_FACTS | mapping.DETAILS)
    enriched = [one[0] if one else given for one, given in zip(lists, batch, strict=True)]
    absent = [failure for failure in failures if failure.startswith(UNKNOWN_NAME)]
    gone = {i: failure for i, each in enumerate(batch) for failure in absent if f"'{each.full_name}'" in failure}
    others = (failure for failure in failures if failure not in gone.values())
    known = tuple(None if place in gone else repository for place, repository in enumerate(enriched))
    return Enriched(known, (*others, *unread))


def open_github(own: GitHubSettings, connections: Connections) -> GitHub:
    """Make the source of these settings."""
    client = GitHubClient(own, connections)
    return (GitHubWithToken if client.has_token else GitHub)(client)
