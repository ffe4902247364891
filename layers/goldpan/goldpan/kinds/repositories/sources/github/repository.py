"""Reads what an analysis needs of one repository, over REST; with a token, GraphQL gives what REST has not.

Without a token that is 7 calls of the 60 that GitHub allows in an hour. The response times of issues and pull requests
need a token: the comments and reviews would take a call each.
"""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, InvalidRequest, TimedOut, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.infra.threads import run_parallel
from goldpan.kinds.repositories.analysis.models import Dependency, RepositoryFacts, ThreadKind
from goldpan.kinds.repositories.analysis.statements import CONTRIBUTION_GUIDE, WORKFLOWS
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.sources.github import mapping
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.mapping import Node, at, commits_of, is_bot, members, read_thread
from goldpan.kinds.repositories.sources.github.queries import document_by_name, name_variables, since_variable

NOT_FOUND, NO_CONTENT, CONFLICT, BLOCKED = 404, 204, 409, 451
"""204 and 409: the repository is empty."""
REFUSALS = {
    NOT_FOUND: (
        "repo: {} was not found on GitHub: it does not exist, was deleted, or is private and GITHUB_TOKEN may not "
        "read it"
    ),
    BLOCKED: "repo: GitHub blocks access to {} for legal reasons (451), so nothing of it can be read",
}
PAGE = 100
MAX_PATHS, MAX_PATH_CHARS = 4000, 200
POLICY = re.compile(r"(?:\.github/|docs/)?security(?:\.\w+)?", re.IGNORECASE)
GUIDE = re.compile(CONTRIBUTION_GUIDE, re.IGNORECASE)
AT_ONCE = 6
THREADS: dict[ThreadKind, str] = {"issue": "lastIssues", "pull_request": "lastPullRequests"}
NO_TOKEN = "GITHUB_TOKEN is not set: reading the comments and reviews would take a call each"  # noqa: S105
CUT_NOTE = "There are more files than could be listed: what is not named here may be among the others."
COUNT_NOTE = f"Without a token, releases and contributors are counted up to {PAGE}."
PRIVATE = "Private: only those who may read it can open the evidence."
MAX_DEPENDENCIES = 1000
"""Of one repository; OSV accepts as many a call."""
_PACKAGE = re.compile(
    r"(?P<package>pkg:(?:cargo|composer|gem|golang|hex|maven|npm|nuget|pub|pypi)/(?P<name>[^@?#\s]{1,200}))"
    r"(?:@(?P<version>[^?#\s]{1,100}))?(?:[?#]\S*)?"
)
"""A package URL of an ecosystem that OSV knows."""
_EXACT = re.compile(r"v?\d[\w.+!~-]*")
Part = dict[str, object]
"""Facts of `RepositoryFacts` and of its `Repository`, by name."""


def read_repository(client: GitHubClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    """Read a repository; a part that fails is unknown, and its row says why.

    Raises `InvalidRequest` if there is none, `CredentialRejected`, or `CallFailed` if the first call fails.
    """
    response = client.fetch(f"/repos/{full_name}", {}, deadline, REFUSALS)
    if response.status in REFUSALS:
        raise InvalidRequest(REFUSALS[response.status].format(full_name))
    item = _object_of(response)
    facts: Part = mapping.read_facts(item, mapping.REST_FACTS)
    caller = _Caller(client, str(mapping.assembled(dict(facts)).full_name), deadline)
    readers = WITH_TOKEN if client.has_token else WITHOUT_TOKEN
    found = run_parallel(list(readers), lambda name: _outcome(name, readers[name], caller), AT_ONCE, deadline)
    late = TimedOut("no answer before the deadline")
    outcomes = [each or ({}, _rows(name).failed(late)) for name, each in zip(readers, found, strict=True)]
    facts |= {"watchers": item.get("subscribers_count"), "parent": at(item, "parent", "full_name")}
    facts |= {name: value for part, _ in outcomes for name, value in part.items()}
    is_cut = facts.pop("has_full_page", False) is True and not client.has_token
    notes = {PRIVATE: item.get("private") is True, COUNT_NOTE: is_cut, CUT_NOTE: facts.get("has_all_paths") is False}
    rows = [_rows("repository").row("ok", ""), *(row for _, row in outcomes)]
    rows += [] if client.has_token else [_rows("responses").row("skipped", NO_TOKEN)]
    own = {name: facts.pop(name) for name in RepositoryFacts.model_fields if name in facts}
    shown = tuple(note for note, holds in notes.items() if holds)
    values = {**own, "repository": mapping.assembled(facts), "notes": shown, "sources": rows}
    return mapping.validated(RepositoryFacts, values)


class _Caller(NamedTuple):
    client: GitHubClient
    full_name: str
    deadline: Deadline

    def get(self, path: str, allowed: Sequence[int] = (), **params: str) -> HttpResponse:
        """Read a resource of the repository."""
        return self.client.fetch(f"/repos/{self.full_name}{path}", params, self.deadline, allowed)

    def rows(self, path: str, allowed: Sequence[int] = ()) -> list[Node]:
        """Read a list; an allowed status is an empty one."""
        response = self.get(path, allowed, per_page=str(PAGE))
        content = response.json() if response.status not in allowed else []
        if not isinstance(content, list):
            raise Unavailable("GitHub's response is not a list")
        return members(content)


def _outcome(name: str, read: Callable[[_Caller], Part], caller: _Caller) -> tuple[Part, SourceStatus]:
    try:
        part = read(caller)
    except CallFailed as failure:
        return {}, _rows(name).failed(failure)
    return part, _rows(name).row(*("ok", "") if part.get("has_all_paths", True) else ("truncated", CUT_NOTE))


def _rows(part: str) -> StatusRows:
    return StatusRows(KIND, part, "github")


def _object_of(response: HttpResponse) -> Node:
    content = response.json()
    if not isinstance(content, dict):
        raise Unavailable("GitHub's response is not an object")
    return content


def _details(caller: _Caller) -> Part:
    """Read over GraphQL what a search reads of a repository too, and who responded to issues and pull requests."""
    variables = {**name_variables([caller.full_name]), **since_variable(caller.deadline.clock)}
    data, failures = caller.client.graphql(document_by_name("Analyze", 1), variables, caller.deadline)
    node = data.get("r0")
    if not isinstance(node, dict):
        raise Unavailable(f"GitHub answered without the repository ({'; '.join(failures)})")
    guide = {"has_contribution_guide": True} if node.get("contributingGuidelines") else {}
    policy = {"has_security_policy": True} if node.get("isSecurityPolicyEnabled") is True else {}
    rows = ((kind, row) for kind, name in THREADS.items() for row in members(at(node, name, "nodes")))
    threads = tuple(thread for kind, row in rows if (thread := read_thread(kind, row)))
    return {**mapping.read_facts(node, mapping.DETAILS), "threads": threads, **guide, **policy}


def _readme(caller: _Caller) -> Part:
    """Read the README, whose content is base64; it is unknown if it is too large to be sent."""
    response = caller.get("/readme", (NOT_FOUND,))
    if response.status == NOT_FOUND:
        return {}
    try:
        content = base64.b64decode(mapping.text_or_none(_object_of(response).get("content")) or "")
    except ValueError:
        return {}
    return {"readme": content.decode("utf-8", "replace")} if content else {}


def _files(caller: _Caller) -> Part:
    """Read the paths of the first two levels and of the workflows, of a usual length, the first ones of very many.

    If some were left out, by GitHub or here, what is not among the others is unknown.
    """
    response = caller.get("/git/trees/HEAD", (NOT_FOUND, CONFLICT), recursive="1")
    if response.status in {NOT_FOUND, CONFLICT}:
        return {"is_empty": True}
    answer = _object_of(response)
    named = ((mapping.text_or_none(row.get("path")), row) for row in members(answer.get("tree")))
    paths = [f"{path}/" if row.get("type") == "tree" else path for path, row in named if path]
    kept = [path for path in paths if path.rstrip("/").count("/") <= 1 or path.startswith(WORKFLOWS)]
    listed = tuple(path for path in kept if len(path) <= MAX_PATH_CHARS)[:MAX_PATHS]
    is_whole = answer.get("truncated") is not True and len(listed) == len(kept)
    return {
        "paths": listed,
        "has_all_paths": is_whole,
        "tree": [path for path in kept if "/" not in path.rstrip("/")] if is_whole else None,
        "has_security_policy": any(map(POLICY.fullmatch, kept)) or (False if is_whole else None),
        "has_contribution_guide": any(map(GUIDE.fullmatch, kept)) or (False if is_whole else None),
    }


def _releases(caller: _Caller) -> Part:
    rows = caller.rows("/releases")
    dated = [(when, row.get("tag_name")) for row in rows if (when := mapping.moment_at(row, "published_at"))]
    latest = dict(zip(("latest_release_at", "latest_release_name"), dated[0], strict=True)) if dated else {}
    return {"releases": len(rows), "release_times": tuple(when for when, _ in dated), **latest, **_fullness(rows)}


def _commits(caller: _Caller) -> Part:
    commits = commits_of(caller.rows("/commits", (CONFLICT,)))
    since = since_variable(caller.deadline.clock)["since"]
    recent = sum(f"{each.at:%Y-%m-%dT%H:%M:%SZ}" >= since for each in commits)
    return {"commits": commits} | ({} if recent >= PAGE else {"recent_commits": recent})


def _contributors(caller: _Caller) -> Part:
    rows = caller.rows("/contributors", (NO_CONTENT,))
    return {"contributors": sum(not is_bot(row) for row in rows), **_fullness(rows)}


def _fullness(rows: Sequence[Node]) -> Part:
    """Tell whether there may be more than these rows; of two lists, one that is not full leaves it as it is."""
    return {"has_full_page": True} if len(rows) >= PAGE else {}


def _dependencies(caller: _Caller) -> Part:
    """Read the packages of the dependency graph, each once; a repository may have switched it off.

    It is a bill of materials in SPDX: https://docs.github.com/en/rest/dependency-graph/sboms. Packages of GitHub
    Actions and of ecosystems that OSV does not know are left out.
    """
    response = caller.get("/dependency-graph/sbom", (NOT_FOUND,))
    if response.status == NOT_FOUND:
        return {}
    packages = members(at(_object_of(response), "sbom", "packages"))
    references = (each for package in packages for each in members(package.get("externalRefs")))
    matches = (_PACKAGE.fullmatch(str(each.get("referenceLocator"))) for each in references)
    found = (
        Dependency(
            package=match["package"],
            name=unquote(match["name"]),
            version=version if _EXACT.fullmatch(version := unquote(match["version"] or "")) else None,
        )
        for match in matches
        if match
    )
    return {"dependencies": tuple(dict.fromkeys(found))[:MAX_DEPENDENCIES]}


Readers = Mapping[str, Callable[[_Caller], Part]]
ALWAYS: Readers = {"files": _files, "releases": _releases, "commits": _commits, "dependencies": _dependencies}
"""How each part is read; of a fact in several parts, the last one counts."""
WITHOUT_TOKEN: Readers = {"readme": _readme, **ALWAYS, "contributors": _contributors}
WITH_TOKEN: Readers = {**ALWAYS, "details": _details}
