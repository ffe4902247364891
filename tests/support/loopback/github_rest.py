"""GitHub's REST search endpoint over a catalogue: its pages, and the fields of an item that goldpan may read."""

from collections.abc import Mapping
from typing import Any

from tests.support.loopback.github_catalogue import MAX_RESULTS, Catalogue, QueryRefusedError
from tests.support.loopback.github_repository import Repository
from tests.support.loopback.wire import Response


def search_repositories(catalogue: Catalogue, params: Mapping[str, str]) -> Response:
    """Answer GET /search/repositories."""
    try:
        hits = catalogue.search(params["q"], params.get("sort", ""))
    except QueryRefusedError as refused:
        return error(422, "Validation Failed", errors=[{"message": str(refused), "field": "q", "code": "invalid"}])
    size = min(int(params.get("per_page", 30)), 100)
    start = size * (int(params.get("page", 1)) - 1)
    if start >= MAX_RESULTS:
        return error(422, "Only the first 1000 search results are available")
    items = [item(hit) for hit in hits[start : start + size]]
    return Response.of_json(200, {"total_count": len(hits), "incomplete_results": False, "items": items})


def error(status: int, message: str, **more: object) -> Response:
    """Write an error response of GitHub."""
    return Response.of_json(status, {"message": message, **more, "status": str(status)})


def item(repository: Repository) -> dict[str, Any]:
    """Return a repository under the names of GitHub's REST API, which counts stargazers as watchers."""
    return {
        "full_name": repository.full_name,
        "html_url": repository.url,
        "description": repository.description,
        "homepage": repository.homepage,
        "fork": False,
        "language": repository.language,
        "license": {"spdx_id": repository.license} if repository.license else None,
        "topics": list(repository.topics),
        "archived": repository.archived,
        "created_at": repository.created_at,
        "pushed_at": repository.pushed_at,
        "stargazers_count": repository.stars,
        "watchers_count": repository.stars,
        "forks_count": repository.forks,
    }
