"""GitHub's GraphQL: all searches of a strategy in one request, then the enrichment of the best in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, Unavailable
from goldpan.infra.threads import CPU_LOCK, run_parallel
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Enriched, Found
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.mapping import enriched, from_search_node, schema_violations
from goldpan.kinds.repositories.sources.github.queries import enrichment_document, search_cost, search_document
from goldpan.kinds.repositories.sources.github.query_syntax import render
from goldpan.kinds.repositories.sources.github.rest import shortened

SORTS = {"stars": " sort:stars", "updated": " sort:updated", "best_match": ""}
BATCH = 10
BATCHES_AT_ONCE = 6
RECENT = timedelta(days=90)


def search_graphql(exchange: GitHubClient, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
    """Run the searches as aliases of one request; an alias that failed is named, all failed is an error."""
    queries = [render(search) for search in searches]
    variables = {
        f"q{i}": query.text + SORTS[s.sort] for i, (query, s) in enumerate(zip(queries, searches, strict=True))
    }
    data, failures = exchange.graphql(search_document(len(searches)), variables, deadline, search_cost(len(searches)))
    answers = [data.get(f"s{i}") for i in range(len(searches))]
    if not any(answer is not None for answer in answers):
        raise Unavailable(failures[0] if failures else "GitHub answered none of the searches")
    with schema_violations():
        with CPU_LOCK:
            lists = tuple(_repositories(answer) for answer in answers)
        available = sum(int(answer["repositoryCount"]) for answer in answers if answer)
    return Found(
        lists=lists,
        available=available,
        queries=tuple(variables.values()),
        notes=shortened(queries),
        failures=failures,
    )


def _repositories(answer: Mapping[str, Any] | None) -> tuple[Repository, ...]:
    return () if answer is None else tuple(from_search_node(node) for node in answer["nodes"] or () if node)


def enrich_graphql(exchange: GitHubClient, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
    """Fetch the further facts in batches side by side; what failed or is late stays as it was."""
    batches = [tuple(repositories[i : i + BATCH]) for i in range(0, len(repositories), BATCH)]
    results = run_parallel(batches, lambda batch: _one_batch(exchange, batch, deadline), BATCHES_AT_ONCE, deadline)
    found: list[Repository] = []
    failures: list[str] = []
    for batch, result in zip(batches, results, strict=True):
        told = result or Enriched(batch, (f"no further facts for {len(batch)} repositories before the deadline",))
        found += told.repositories
        failures += told.failures
    return Enriched(tuple(found), tuple(dict.fromkeys(failures)))


def _one_batch(exchange: GitHubClient, batch: Sequence[Repository], deadline: Deadline) -> Enriched:
    variables: dict[str, object] = {"since": (deadline.clock.now() - RECENT).strftime("%Y-%m-%dT%H:%M:%SZ")}
    for i, repository in enumerate(batch):
        variables[f"o{i}"], _, variables[f"n{i}"] = repository.full_name.partition("/")
    try:
        data, failures = exchange.graphql(enrichment_document(len(batch)), variables, deadline)
        nodes = [data.get(f"r{i}") for i in range(len(batch))]
        with schema_violations(), CPU_LOCK:
            told = tuple(enriched(known, node) if node else known for known, node in zip(batch, nodes, strict=True))
    except CallFailed as failure:
        return Enriched(tuple(batch), (f"no further facts for {len(batch)} repositories: {failure}",))
    return Enriched(told, failures)
