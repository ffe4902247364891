"""GitHub's REST API over a catalogue: its search, and the resources of one repository that goldpan may meet."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.loopback.github_catalogue import MAX_RESULTS, Catalogue
from tests.support.loopback.github_repository import Repository
from tests.support.loopback.wire import RecordedRequest, Response


def search_repositories(catalogue: Catalogue, params: Mapping[str, str]) -> Response:
    """Answer GET /search/repositories."""
    hits = catalogue.search(params["q"], params.get("sort", ""))
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


def read_resource(catalogue: Catalogue, url: str, request: RecordedRequest) -> Response:
    """Answer a GET below /repos/OWNER/NAME; a former name is a redirection, and a private one is there with a token."""
    parts = request.path.split("/", 4)
    if request.path.startswith("/repositories/"):
        owner, name = bytes.fromhex(request.path.split("/")[2]).decode().split("/")
        rest = ""
    elif len(parts) >= 4 and parts[1] == "repos":
        owner, name, rest = parts[2], parts[3], parts[4] if len(parts) > 4 else ""
    else:
        return error(404, "Not Found")
    found = catalogue.find(owner, name)
    if found is None or (found.private and "authorization" not in request.headers):
        return error(404, "Not Found")
    if found.blocked:
        return error(451, "Repository access blocked", block={"reason": "dmca"})
    if found.full_name.lower() != f"{owner}/{name}".lower():
        moved = {"location": f"{url}/repositories/{found.full_name.encode().hex()}"}
        return Response.of_json(301, {"message": "Moved Permanently"}, moved)
    return _resource(found, rest, request.params)


def _resource(repository: Repository, path: str, params: Mapping[str, str]) -> Response:
    page = int(params.get("per_page", 30))
    empty = repository.pushed_at is None
    if path == "":
        more = {"subscribers_count": repository.watchers, "private": repository.private}
        parent = {"parent": {"full_name": repository.parent}, "fork": True} if repository.parent else {}
        return Response.of_json(200, {**item(repository), **more, **parent})
    if path == "readme":
        missing = repository.readme is None
        return error(404, "Not Found") if missing else _content(repository.readme or "")
    if path == "git/trees/HEAD":
        return error(409, "Git Repository is empty.") if empty else Response.of_json(200, _tree(repository))
    if path == "commits":
        rows = [_commit(each) for each in repository.commits[:page]]
        return error(409, "Git Repository is empty.") if empty else Response.of_json(200, rows)
    if path == "dependency-graph/sbom":
        graph = repository.dependencies
        return error(404, "Not Found") if graph is None else Response.of_json(200, _sbom(repository, graph))
    listed = _rows(repository, path)
    return error(404, "Not Found") if listed is None else Response.of_json(200, listed[:page])


def _content(text: str) -> Response:
    return Response.of_json(200, {"encoding": "base64", "content": base64.encodebytes(text.encode()).decode()})


def _sbom(repository: Repository, dependencies: Sequence[str]) -> dict[str, Any]:
    """Write the graph as GitHub does, in which the repository is a package too."""
    listed = [f"pkg:github/{repository.full_name}", *dependencies]
    references = [{"referenceType": "purl", "referenceLocator": each} for each in listed]
    return {"sbom": {"spdxVersion": "SPDX-2.3", "packages": [{"externalRefs": [each]} for each in references]}}


def _tree(repository: Repository) -> dict[str, Any]:
    rows = [{"path": each["name"], "type": each["type"]} for each in repository.entries()]
    folders = {path.rsplit("/", 1)[0] for path in repository.files if "/" in path}
    rows += [{"path": folder, "type": "tree"} for folder in folders if "/" in folder]
    rows += [{"path": path, "type": "blob"} for path in repository.files if "/" in path]
    return {"tree": rows, "truncated": False}


def _commit(commit: Mapping[str, Any]) -> dict[str, Any]:
    login = commit.get("login")
    account = {"login": login, "type": "Bot" if str(login).endswith("[bot]") else "User"}
    moment = {"name": commit.get("name", login), "date": commit["at"]}
    return {"commit": {"author": moment, "committer": moment}, "author": login and account}


def _rows(repository: Repository, path: str) -> list[dict[str, Any]] | None:
    if path == "releases":
        count = repository.releases if repository.latest_release_at else 0
        return [{"tag_name": repository.latest_release, "published_at": repository.latest_release_at}] * count
    if path == "contributors":
        return [{"login": f"person-{place}", "type": "User"} for place in range(repository.contributors)]
    return None
