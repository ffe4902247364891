"""GitHub's REST search, for one machine without a token: 10 searches a minute, and no enrichment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, RateLimited, Unavailable, Unreachable
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Found
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.mapping import from_rest, schema_violations
from goldpan.kinds.repositories.sources.github.query_syntax import Query, render

PAGE = 100
SORTS = {"stars": "stars", "updated": "updated"}


def search_rest(exchange: GitHubClient, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
    """Run the searches one after the other; a limit or a lost network ends the rest, and all failed is an error."""
    lists: list[tuple[Repository, ...]] = [() for _ in searches]
    queries = [render(search) for search in searches]
    failures: list[CallFailed] = []
    available, incomplete = 0, False
    for place, (search, query) in enumerate(zip(searches, queries, strict=True)):
        try:
            body = _one(exchange, search, query, deadline)
            with schema_violations():
                available += int(body.get("total_count") or 0)
                lists[place] = tuple(from_rest(item) for item in body["items"])
        except CallFailed as failure:
            failures.append(failure)
            if isinstance(failure, RateLimited | Unreachable):
                break
            continue
        incomplete = incomplete or bool(body.get("incomplete_results"))
    if failures and not any(lists):
        raise failures[0]
    return Found(
        lists=tuple(lists),
        available=available,
        queries=tuple(query.text for query in queries),
        notes=shortened(queries),
        failures=tuple(f"a search failed: {failure}" for failure in failures),
        incomplete=incomplete,
    )


def _one(exchange: GitHubClient, search: RepositorySearch, query: Query, deadline: Deadline) -> dict[str, Any]:
    params = {"q": query.text, "per_page": str(PAGE)}
    if search.sort in SORTS:
        params |= {"sort": SORTS[search.sort], "order": "desc"}
    body = exchange.get("/search/repositories", params, deadline)
    if not isinstance(body, dict) or not isinstance(body.get("items"), list):
        raise Unavailable("GitHub's answer holds no list of repositories")
    return body


def shortened(queries: Sequence[Query]) -> tuple[str, ...]:
    """Say which words were left out to keep a query within its limits."""
    return tuple(f"too long for GitHub, searched without: {', '.join(q.dropped)}" for q in queries if q.dropped)
