"""GitHub's REST search endpoint over a catalogue."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.support.loopback.github_catalogue import RESULT_LIMIT, Catalogue, Hit
from tests.support.loopback.github_query import QueryRefusedError
from tests.support.loopback.wire import RecordedRequest, Response

if TYPE_CHECKING:
    from tests.support.loopback.github_repository import Repository

DOCUMENTATION = "https://docs.github.com/rest/search/search#search-repositories"
PAGE_LIMIT = 100
DEFAULT_PAGE = 30


def search_repositories(catalogue: Catalogue, request: RecordedRequest, url: str) -> Response:
    """Answer GET /search/repositories."""
    text = request.params.get("q", "").strip()
    if not text:
        return validation_failed({"resource": "Search", "field": "q", "code": "missing"})
    size = min(_positive(request.params.get("per_page"), DEFAULT_PAGE), PAGE_LIMIT)
    page = _positive(request.params.get("page"), 1)
    if (page - 1) * size >= RESULT_LIMIT:
        return refusal(422, f"Only the first {RESULT_LIMIT} search results are available")
    try:
        hits = catalogue.search(text, request.params.get("sort") or None, request.params.get("order", "desc"))
    except QueryRefusedError as error:
        row = {"message": str(error), "resource": "Search", "field": "q", "code": "invalid"}
        return validation_failed(row)
    shown = hits[:RESULT_LIMIT][(page - 1) * size : page * size]
    payload = {"total_count": len(hits), "incomplete_results": False, "items": [item(hit) for hit in shown]}
    return Response.of_json(200, payload, _links(request, url, page, size, len(hits)))


def refusal(status: int, message: str, documentation: str = DOCUMENTATION, **more: object) -> Response:
    """Write an error the way GitHub does."""
    payload = {"message": message, **more, "documentation_url": documentation, "status": str(status)}
    return Response.of_json(status, payload)


def validation_failed(row: dict[str, str]) -> Response:
    """Refuse a query that the search does not run."""
    return refusal(422, "Validation Failed", errors=[row])


def item(hit: Hit) -> dict[str, Any]:
    """Show a repository as the search lists it."""
    repository = hit.repository
    return {
        "id": repository.number,
        "node_id": node_id(repository),
        "name": repository.name,
        "full_name": repository.full_name,
        "owner": _owner(repository),
        "private": False,
        "html_url": repository.url,
        "description": repository.description,
        "fork": repository.fork,
        "url": f"https://api.github.com/repos/{repository.full_name}",
        "homepage": repository.homepage,
        "size": len(repository.readme or "") // 1024 + 1,
        "language": repository.language,
        "license": _license(repository.license),
        "topics": list(repository.topics),
        "archived": repository.archived,
        "disabled": False,
        "visibility": "public",
        "default_branch": "main",
        "score": round(hit.score, 6),
        **_dates(repository),
        **_counts(repository),
    }


def _dates(repository: Repository) -> dict[str, str | None]:
    return {
        "created_at": repository.created_at,
        "updated_at": repository.touched_at,
        "pushed_at": repository.pushed_at,
    }


def _counts(repository: Repository) -> dict[str, int]:
    # REST calls the stars watchers, and counts open pull requests among the open issues.
    issues = repository.open_issues + repository.open_pull_requests
    return {
        "stargazers_count": repository.stars,
        "watchers_count": repository.stars,
        "forks_count": repository.forks,
        "open_issues_count": issues,
        "forks": repository.forks,
        "open_issues": issues,
        "watchers": repository.stars,
    }


def node_id(repository: Repository) -> str:
    """Give the global id of a repository."""
    return b64encode(f"010:Repository{repository.number}".encode()).decode()


def _owner(repository: Repository) -> dict[str, Any]:
    login = repository.owner
    return {
        "login": login,
        "id": sum(login.encode()),
        "html_url": f"https://github.com/{login}",
        "type": "Organization",
        "site_admin": False,
    }


def _license(spdx: str | None) -> dict[str, str | None] | None:
    if spdx is None:
        return None
    key = "other" if spdx == "NOASSERTION" else spdx.lower()
    name = "Other" if key == "other" else f"{spdx} License"
    return {"key": key, "name": name, "spdx_id": spdx, "url": f"https://api.github.com/licenses/{key}"}


def _positive(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() and int(text) > 0 else default


def _links(request: RecordedRequest, url: str, page: int, size: int, total: int) -> dict[str, str]:
    last = max(-(-min(total, RESULT_LIMIT) // size), 1)
    pages: dict[str, int] = {}
    if page > 1:
        pages |= {"prev": page - 1}
    if page < last:
        pages |= {"next": page + 1, "last": last}
    if page > 1:
        pages |= {"first": 1}
    links = [
        f'<{url}{request.path}?{urlencode({**request.params, "page": number})}>; rel="{name}"'
        for name, number in pages.items()
    ]
    return {"link": ", ".join(links)} if links else {}
