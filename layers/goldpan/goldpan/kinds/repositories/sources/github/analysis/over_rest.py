"""Reads one repository over REST, for a machine without a token: 12 calls of the 60 that GitHub allows in an hour.

Each response is brought into the form of GraphQL, from which the facts are read. Response times of pull requests are
not read: their reviews would take a call each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, InvalidRequest, TimedOut, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.infra.threads import run_parallel
from goldpan.kinds.repositories.analysis.manifests.parse import select_manifests
from goldpan.kinds.repositories.analysis.models import RepositoryFacts
from goldpan.kinds.repositories.analysis.people_rules import CONTRIBUTION_GUIDE
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.sources.github.analysis import parts
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import (
    Node,
    at,
    members,
    read_facts,
    text_or_none,
    validated,
)
from goldpan.kinds.repositories.sources.github.mapping import from_rest, from_rest_details
from goldpan.kinds.repositories.sources.github.queries import since_variable

NOT_FOUND, GONE, NO_CONTENT, CONFLICT, BLOCKED_STATUS = 404, 410, 204, 409, 451
"""410: issues are switched off; 204 and 409: the repository is empty."""
PAGE = 100
MAX_REST_MANIFESTS = 4
"""Each takes a call."""
POLICY = re.compile(r"(?:\.github/|docs/)?security(?:\.\w+)?", re.IGNORECASE)
GUIDE = re.compile(CONTRIBUTION_GUIDE, re.IGNORECASE)
AT_ONCE = 4
NO_TOKEN = "GITHUB_TOKEN is not set: reading the reviews would take a call each"  # noqa: S105
COUNT_NOTE = f"Without a token, releases and contributors are counted up to {PAGE}."
Part = dict[str, object]


def read_rest(client: GitHubClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    """Read a repository. Raises `InvalidRequest` if there is none, or `CallFailed` if the first call fails."""
    response = client.fetch(f"/repos/{full_name}", {}, deadline, {NOT_FOUND, BLOCKED_STATUS})
    if response.status == NOT_FOUND:
        raise parts.not_found(full_name)
    if response.status == BLOCKED_STATUS:
        raise InvalidRequest(parts.BLOCKED.format(full_name))
    item = parts.object_of(response)
    caller = _Caller(client, f"/repos/{from_rest(item).full_name}", deadline)
    node, rows = _read_parts(caller)
    node |= {"watchers": {"totalCount": item.get("subscribers_count")}, "parent": item.get("parent")}
    repository = from_rest_details(item, node)
    found = read_facts(node, parts.PARTS)
    manifests, row = _outcome("manifests", lambda: _manifests(caller, found.get("paths")))
    is_cut = PAGE in {repository.releases, repository.contributors}
    calls = parts.status_row("repository", f"{1 + len(caller.called)} calls of the 60 of an hour")
    skipped = StatusRows(KIND, "pull request responses", "github").row("skipped", NO_TOKEN)
    values = {
        **found,
        **manifests,
        "repository": repository,
        "notes": (COUNT_NOTE,) if is_cut else (),
        "sources": (calls, *rows, row, skipped),
    }
    return validated(RepositoryFacts, values)


def _read_parts(caller: _Caller) -> tuple[Part, list[SourceStatus]]:
    """Read all parts, several at once; return what they found together, and the row of each."""
    names = list(READ)
    outcomes = run_parallel(names, lambda name: _outcome(name, partial(READ[name], caller)), AT_ONCE, caller.deadline)
    known = [each or _outcome(name, _late) for name, each in zip(names, outcomes, strict=True)]
    return {name: value for part, _ in known for name, value in part.items()}, [row for _, row in known]


def _late() -> Part:
    raise TimedOut("no answer before the deadline")


def _outcome(name: str, read: Callable[[], Part]) -> tuple[Part, SourceStatus]:
    """Return what a part found and its row; one that failed found nothing."""
    try:
        return read(), parts.status_row(name)
    except CallFailed as failure:
        return {}, StatusRows(KIND, name, "github").failed(failure)


@dataclass
class _Caller:
    """Calls GitHub for one repository, and counts the calls."""

    client: GitHubClient
    path: str
    deadline: Deadline
    called: list[str] = field(default_factory=list)
    """The paths that were called; several threads append to it."""

    def get(self, path: str, allowed: Sequence[int] = (), **params: str) -> HttpResponse:
        """Read a resource of the repository."""
        self.called.append(path)
        return self.client.fetch(self.path + path, params, self.deadline, allowed)

    def rows(self, path: str, allowed: Sequence[int] = (), **params: str) -> list[Node]:
        """Read a list; an allowed status is an empty one."""
        response = self.get(path, allowed, per_page=str(PAGE), **params)
        content = response.json() if response.status not in allowed else []
        if not isinstance(content, list):
            raise Unavailable("GitHub's response is not a list")
        return members(content)


def _readme(caller: _Caller) -> Part:
    response = caller.get("/readme", (NOT_FOUND,))
    return {} if response.status == NOT_FOUND else {"readme": parts.blob_of(response)}


def _files(caller: _Caller) -> Part:
    response = caller.get("/git/trees/HEAD", (NOT_FOUND, CONFLICT), recursive="1")
    if response.status in {NOT_FOUND, CONFLICT}:
        return {"isEmpty": True}
    folders: dict[str, list[Node]] = {}
    for row in members(parts.object_of(response).get("tree")):
        folder, _, name = str(row.get("path") or "").rpartition("/")
        folders.setdefault(folder, []).append({"name": name, "type": row.get("type")})
    root = folders.get("", [])
    inner = [{**entry, "object": {"entries": folders.get(str(entry["name"]))}} for entry in root]
    found: Part = {"tree": {"entries": root}, "levels": {"entries": inner}}
    found["workflows"] = {"entries": folders.get(parts.WORKFLOWS)}
    paths = parts.paths_of(found) or ()
    found["isSecurityPolicyEnabled"] = any(map(POLICY.fullmatch, paths))
    found["contributingGuidelines"] = next(filter(GUIDE.fullmatch, paths), None)
    return found


def _releases(caller: _Caller) -> Part:
    rows = caller.rows("/releases")
    nodes = [{"tagName": row.get("tag_name"), "publishedAt": row.get("published_at")} for row in rows]
    latest = [node for node in nodes if node["publishedAt"]][:1]
    return {
        "lastReleases": {"nodes": nodes[: parts.MAX_RELEASES]},
        "releases": {"totalCount": len(nodes), "nodes": latest},
    }


def _commits(caller: _Caller) -> Part:
    nodes = [
        {
            "committedDate": at(row, "commit", "committer", "date"),
            "author": {"name": at(row, "commit", "author", "name"), "user": row.get("author")},
        }
        for row in caller.rows("/commits", (CONFLICT,))
    ]
    since = since_variable(caller.deadline.clock)["since"]
    recent = sum(str(node["committedDate"] or "") >= since for node in nodes)
    history = {"totalCount": None if recent == PAGE else recent}
    return {"defaultBranchRef": {"target": {"last": {"nodes": nodes}, "history": history}}}


def _issues(caller: _Caller) -> Part:
    """Read the newest issues, and their responses from the newest comments of all issues.

    A full page of comments reaches back to its oldest one only: issues that were opened before are left out.
    """
    issues = caller.rows("/issues", (GONE,), state="all", sort="created", direction="desc")
    comments = caller.rows("/issues/comments", (GONE,), sort="created", direction="desc") if issues else []
    replies: dict[str, list[Node]] = {}
    for comment in comments:
        replies.setdefault(str(comment.get("issue_url") or "").rpartition("/")[2], []).append(_written(comment))
    times = [text for comment in comments if (text := text_or_none(comment.get("created_at")))]
    since = min(times, default="") if len(comments) >= PAGE else ""
    nodes = [
        {**_written(issue), "comments": {"nodes": replies.get(str(issue.get("number")))}}
        for issue in issues
        if issue.get("pull_request") is None and str(issue.get("created_at") or "") >= since
    ]
    return {"lastIssues": {"nodes": nodes}}


def _written(row: Node) -> Part:
    return {"createdAt": row.get("created_at"), "author": row.get("user")}


def _contributors(caller: _Caller) -> Part:
    rows = caller.rows("/contributors", (NO_CONTENT,))
    return {"mentionableUsers": {"totalCount": sum(not parts.is_bot(row) for row in rows)}}


READ: Mapping[str, Callable[[_Caller], Part]] = {
    "readme": _readme,
    "files": _files,
    "releases": _releases,
    "commits": _commits,
    "issues": _issues,
    "contributors": _contributors,
}
"""How each part is read, in the form of GraphQL."""


def _manifests(caller: _Caller, paths: object) -> Part:
    """Read the first manifests of the paths; without paths there are none to read."""
    if not isinstance(paths, tuple):
        return {}
    chosen, left_out = select_manifests(paths)
    few = chosen[:MAX_REST_MANIFESTS]
    responses = ((path, caller.get(f"/contents/{path}", (NOT_FOUND,))) for path in few)
    manifests = (parts.make_manifest(path, parts.blob_of(each)) for path, each in responses if each.status != NOT_FOUND)
    return {"manifests": tuple(manifests), "manifests_left_out": left_out + len(chosen) - len(few)}
