"""GitHub over GraphQL: all searches of a strategy in one request, and enrichment in batches."""

from collections.abc import Mapping, Sequence

from goldpan.counts import counted
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import CallFailed, Unavailable
from goldpan.infra.http import Http
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.threads import CPU_LOCK, run_parallel
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Enriched, Found
from goldpan.kinds.repositories.sources.github import mapping, queries
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.mapping import SEARCH_FACTS, at, read_all
from goldpan.kinds.repositories.sources.github.rest import PAGE, GitHub
from goldpan.kinds.repositories.sources.github.settings import SEARCHES_WITH_TOKEN, GitHubSettings
from goldpan.kinds.repositories.sources.query_syntax import render

SORTS = {"stars": " sort:stars", "updated": " sort:updated", "best_match": ""}
BATCH = 10
MAX_PARALLEL_BATCHES = 6
NOT_FOUND = "NOT_FOUND"
"""The type of GitHub's error for a name that does not exist, or that this credential may not see."""


class GitHubWithToken(GitHub):
    """GitHub over GraphQL."""

    searches_a_question = SEARCHES_WITH_TOKEN
    names_a_request = 100
    notice = None

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches as aliases of one request; raises `Unavailable` if every alias failed."""
        return self._search(searches, deadline, queries.NODES, None)

    def page(self, search: RepositorySearch, after: str | None, deadline: Deadline) -> Found:
        """Fetch a page of one search."""
        return self._search([search], deadline, PAGE, after)

    def _search(self, searches: Sequence[RepositorySearch], deadline: Deadline, first: int, after: str | None) -> Found:
        texts = tuple(render(search) + SORTS[search.sort] for search in searches)
        variables = {"first": first, "after": after, **{f"q{i}": text for i, text in enumerate(texts)}}
        data, failures = self._client.graphql(
            queries.search_document(len(searches)), variables, deadline, queries.search_cost(len(searches))
        )
        results = [data.get(f"s{i}") for i in range(len(searches))]
        if not any(result is not None for result in results):
            raise Unavailable(failures[0] if failures else "GitHub answered none of the searches")
        with CPU_LOCK:
            found = [_read_search(result) for result in results]
        lists, unread = tuple(tuple(one) for one, _ in found), [failure for _, reasons in found for failure in reasons]
        if unread and not any(lists):
            raise Unavailable(unread[0])
        available = sum(mapping.whole_number(at(result, "repositoryCount")) for result in results)
        info = at(results[0], "pageInfo")
        following = mapping.text_or_none(at(info, "endCursor")) if at(info, "hasNextPage") is True else None
        return Found(lists, available, texts, failures=(*failures, *unread), following=following)

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Fetch repositories by name in one request; what does not exist has an empty list."""
        data, errors = self._client.graphql(
            queries.lookup_document(len(names)), queries.name_variables(names), deadline
        )
        nodes = [data.get(f"r{i}") for i in range(len(names))]
        found = [read_all([node] if node else [], SEARCH_FACTS) for node in nodes]
        lists, unread = tuple(tuple(one) for one, _ in found), [failure for _, reasons in found for failure in reasons]
        failures = (error for error in errors if not error.startswith(NOT_FOUND))
        return Found(lists, sum(map(len, lists)), tuple(names), failures=(*failures, *unread))

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Fetch the details in parallel batches; a batch that fails or is late comes back unchanged."""
        batches = [tuple(repositories[i : i + BATCH]) for i in range(0, len(repositories), BATCH)]
        results = run_parallel(
            batches, lambda batch: _enrich_batch(self._client, batch, deadline), MAX_PARALLEL_BATCHES, deadline
        )
        enriched: list[Repository | None] = []
        failures: list[str] = []
        for batch, result in zip(batches, results, strict=True):
            count = counted(len(batch), "repositories")
            done = result or Enriched(batch, (f"no further facts for {count} before the deadline",))
            enriched += done.repositories
            failures += done.failures
        return Enriched(tuple(enriched), tuple(dict.fromkeys(failures)))


def _read_search(result: object) -> tuple[list[Repository], tuple[str, ...]]:
    """Read the repositories of one search; null stands for one that GitHub did not answer, or for none."""
    nodes = result.get("nodes", result) if isinstance(result, Mapping) else result
    if not isinstance(nodes, list | None):
        return [], ("GitHub's response was read without a list of repositories",)
    return read_all(nodes, SEARCH_FACTS)


def _enrich_batch(client: GitHubClient, batch: Sequence[Repository], deadline: Deadline) -> Enriched:
    names = queries.name_variables([repository.full_name for repository in batch])
    variables = {**queries.since_variable(deadline.clock), **names}
    try:
        data, failures = client.graphql(queries.enrichment_document(len(batch)), variables, deadline)
    except CallFailed as failure:
        return Enriched(tuple(batch), (f"no further facts for {counted(len(batch), 'repositories')}: {failure}",))
    with CPU_LOCK:
        nodes = [data.get(f"r{i}") for i in range(len(batch))]
        found = [read_all([node] if node else [], SEARCH_FACTS | mapping.DETAILS) for node in nodes]
    enriched = [one[0] if one else given for (one, _), given in zip(found, batch, strict=True)]
    unread = (failure for _, reasons in found for failure in reasons)
    absent = [failure for failure in failures if failure.startswith(NOT_FOUND)]
    gone = {i: failure for i, each in enumerate(batch) for failure in absent if f"'{each.full_name}'" in failure}
    others = (failure for failure in failures if failure not in gone.values())
    return Enriched(
        tuple(None if place in gone else repository for place, repository in enumerate(enriched)), (*others, *unread)
    )


def open_github(settings: GitHubSettings, http: Http, rate_limiter: RateLimiter, clock: Clock) -> GitHub:
    """Make the source of these settings."""
    client = GitHubClient(settings, http, rate_limiter, clock)
    return (GitHubWithToken if client.has_token else GitHub)(client)
