"""GitHub's REST search endpoint over a catalogue: the first page, and the fields of an item that goldpan may read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.loopback.github_catalogue import Catalogue, Hit
from tests.support.loopback.github_query import QueryRefusedError
from tests.support.loopback.wire import RecordedRequest, Response

if TYPE_CHECKING:
    from tests.support.loopback.github_repository import Repository

DOCUMENTATION = "https://docs.github.com/rest"
PAGE_LIMIT, DEFAULT_PAGE = 100, 30


def search_repositories(catalogue: Catalogue, request: RecordedRequest) -> Response:
    """Answer GET /search/repositories."""
    params = request.params
    if not params.get("q", "").strip():
        return _validation_failed({"resource": "Search", "field": "q", "code": "missing"})
    try:
        hits = catalogue.search(params["q"], params.get("sort"))
    except QueryRefusedError as refused:
        row = {"message": str(refused), "resource": "Search", "field": "q", "code": "invalid"}
        return _validation_failed(row)
    page = hits[: min(int(params.get("per_page", DEFAULT_PAGE)), PAGE_LIMIT)]
    items = [_item(hit) for hit in page]
    return Response.of_json(200, {"total_count": len(hits), "incomplete_results": False, "items": items})


def error(status: int, message: str, documentation: str = DOCUMENTATION, **more: object) -> Response:
    """Write an error response of GitHub."""
    payload = {"message": message, **more, "documentation_url": documentation, "status": str(status)}
    return Response.of_json(status, payload)


def _validation_failed(row: dict[str, str]) -> Response:
    return error(422, "Validation Failed", errors=[row])


def _item(hit: Hit) -> dict[str, Any]:
    repository = hit.repository
    return {
        "name": repository.name,
        "full_name": repository.full_name,
        "html_url": repository.url,
        "description": repository.description,
        "fork": repository.fork,
        "language": repository.language,
        "license": _license(repository.license),
        "topics": list(repository.topics),
        "archived": repository.archived,
        "created_at": repository.created_at,
        "updated_at": repository.touched_at,
        "pushed_at": repository.pushed_at,
        **_counts(repository),
        "score": round(hit.score, 6),
    }


def _counts(repository: Repository) -> dict[str, int]:
    """REST counts stargazers as watchers."""
    return {
        "stargazers_count": repository.stars,
        "watchers_count": repository.stars,
        "forks_count": repository.forks,
        "open_issues_count": repository.open_issues,
    }


def _license(spdx: str | None) -> dict[str, str] | None:
    return {"key": spdx.lower(), "name": f"{spdx} License", "spdx_id": spdx} if spdx else None
