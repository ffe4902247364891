"""GitHub over GraphQL: all searches of a strategy in one request, and enrichment in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, Unavailable
from goldpan.infra.threads import CPU_LOCK, run_parallel
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Enriched, Found
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Unread, at, read_all, whole_number
from goldpan.kinds.repositories.sources.github.mapping import from_details, from_search_node
from goldpan.kinds.repositories.sources.github.queries import (
    enrichment_document,
    lookup_document,
    name_variables,
    search_cost,
    search_document,
    since_variable,
)
from goldpan.kinds.repositories.sources.query_syntax import dropped_words_notes, render

SORTS = {"stars": " sort:stars", "updated": " sort:updated", "best_match": ""}
BATCH = 10
MAX_PARALLEL_BATCHES = 6
MISSING = "missing"
NOT_FOUND = "NOT_FOUND"
"""The type of GitHub's error for a name that does not exist, or that this credential may not see."""


def search_graphql(client: GitHubClient, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
    """Run the searches as aliases of one request; raises `Unavailable` if every alias failed."""
    queries = [render(search) for search in searches]
    texts = tuple(query.text + SORTS[search.sort] for query, search in zip(queries, searches, strict=True))
    variables = {f"q{i}": text for i, text in enumerate(texts)}
    data, failures = client.graphql(search_document(len(searches)), variables, deadline, search_cost(len(searches)))
    results = [data.get(f"s{i}") for i in range(len(searches))]
    if not any(result is not None for result in results):
        raise Unavailable(failures[0] if failures else "GitHub answered none of the searches")
    unread = Unread()
    with CPU_LOCK:
        lists, counts = zip(*(_read_search(result, unread) for result in results), strict=True)
    if unread.failures and not any(lists):
        raise Unavailable(unread.failures[0])
    notes = (*dropped_words_notes(queries), *unread.notes)
    return Found(lists, sum(counts), texts, notes, (*failures, *unread.failures))


def _read_search(result: object, unread: Unread) -> tuple[tuple[Repository, ...], int]:
    """Read the repositories of one search and how many there are; null stands for one that GitHub did not answer."""
    if result is None:
        return (), 0
    nodes = result.get("nodes", MISSING) if isinstance(result, Mapping) else MISSING
    if not isinstance(nodes, list | None):
        unread.searches.append("without a list of repositories")
        return (), 0
    return tuple(read_all(nodes or (), from_search_node, unread)), whole_number(at(result, "repositoryCount"))


def look_up_graphql(client: GitHubClient, names: Sequence[str], deadline: Deadline) -> Found:
    """Fetch repositories by name in one request; what does not exist has an empty list. Raises `CallFailed`."""
    data, errors = client.graphql(lookup_document(len(names)), name_variables(names), deadline)
    unread = Unread()
    nodes = [data.get(f"r{i}") for i in range(len(names))]
    lists = tuple(tuple(read_all([node], from_search_node, unread)) if node else () for node in nodes)
    failures = tuple(error for error in errors if not error.startswith(NOT_FOUND))
    return Found(lists, sum(map(len, lists)), tuple(names), unread.notes, (*failures, *unread.failures))


def enrich_graphql(client: GitHubClient, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
    """Fetch the details of repositories in parallel batches; a batch that fails or is late comes back unchanged."""
    batches = [tuple(repositories[i : i + BATCH]) for i in range(0, len(repositories), BATCH)]
    results = run_parallel(
        batches, lambda batch: _enrich_batch(client, batch, deadline), MAX_PARALLEL_BATCHES, deadline
    )
    enriched: list[Repository | None] = []
    failures: list[str] = []
    for batch, result in zip(batches, results, strict=True):
        done = result or Enriched(batch, (f"no further facts for {len(batch)} repositories before the deadline",))
        enriched += done.repositories
        failures += done.failures
    return Enriched(tuple(enriched), tuple(dict.fromkeys(failures)))


def _enrich_batch(client: GitHubClient, batch: Sequence[Repository], deadline: Deadline) -> Enriched:
    variables = {**since_variable(deadline.clock), **name_variables([repository.full_name for repository in batch])}
    try:
        data, failures = client.graphql(enrichment_document(len(batch)), variables, deadline)
    except CallFailed as failure:
        return Enriched(tuple(batch), (f"no further facts for {len(batch)} repositories: {failure}",))
    unread = Unread()
    with CPU_LOCK:
        enriched = [_described(each, data.get(f"r{i}"), unread) for i, each in enumerate(batch)]
    gone = {place: failure for place, each in enumerate(batch) for failure in failures if _is_gone(each, failure)}
    found = tuple(None if place in gone else repository for place, repository in enumerate(enriched))
    others = (failure for failure in failures if failure not in gone.values())
    return Enriched(found, (*others, *unread.failures, *unread.notes))


def _is_gone(repository: Repository, failure: str) -> bool:
    """Report whether a failure says that there is no repository of this name."""
    return failure.startswith(NOT_FOUND) and f"'{repository.full_name}'" in failure


def _described(repository: Repository, node: object, unread: Unread) -> Repository:
    if node is None:  # GitHub's errors say why
        return repository
    described = read_all([node], from_details, unread)
    return described[0] if described else repository
