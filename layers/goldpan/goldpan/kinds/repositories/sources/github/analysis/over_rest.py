"""Reads one repository over REST, for a machine without a token: 12 calls of the 60 that GitHub allows in an hour.

Response times of pull requests are not read: their reviews would take a call each.
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
from goldpan.kinds.repositories.models import KIND, Repository
from goldpan.kinds.repositories.sources.github.analysis import files, people
from goldpan.kinds.repositories.sources.github.analysis.refusals import BLOCKED, not_found, speaks_to_a_model
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import (
    Facts,
    Node,
    Unread,
    members,
    read_facts,
    text_or_none,
    validated,
)
from goldpan.kinds.repositories.sources.github.mapping import MAX_TREE_ENTRIES, from_rest, readme_facts
from goldpan.kinds.repositories.sources.github.queries import RECENT

NOT_FOUND, GONE, NO_CONTENT, CONFLICT, BLOCKED_STATUS = 404, 410, 204, 409, 451
"""410: issues are switched off; 204 and 409: the repository is empty."""
PAGE = 100
MAX_REST_MANIFESTS = 4
"""Each takes a call."""
GUIDE = re.compile(r"(?:\.github/|docs/)?contributing(?:\.\w+)?", re.IGNORECASE)
POLICY = re.compile(r"(?:\.github/|docs/)?security(?:\.\w+)?", re.IGNORECASE)


Part = dict[str, object]
"""What a call found: fields of `RepositoryFacts`, those of its repository as `repository.stars`, and `readme_text`."""
OF_REPOSITORY = "repository."
AT_ONCE = 4
NO_TOKEN = "GITHUB_TOKEN is not set: reading the reviews would take a call each"  # noqa: S105
COUNT_NOTE = f"Without a token, releases and contributors are counted up to {PAGE}."
DESCRIBED: Facts = {"has_wiki": "has_wiki", "parent": "parent.full_name"}
WATCHERS: Facts = {"watchers": "subscribers_count"}


def read_rest(client: GitHubClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    """Read a repository. Raises `InvalidRequest` if there is none, or `CallFailed` if the first call fails."""
    response = client.fetch(f"/repos/{full_name}", {}, deadline, {NOT_FOUND, BLOCKED_STATUS})
    if response.status == NOT_FOUND:
        raise not_found(full_name)
    if response.status == BLOCKED_STATUS:
        raise InvalidRequest(BLOCKED.format(full_name))
    node, unread = _object_of(response), Unread()
    repository = from_rest(node, unread)
    caller = _Caller(client, f"/repos/{repository.full_name}", deadline)
    found, rows = _read_parts(caller)
    readme = text_or_none(found.pop("readme_text", None))
    own = {name: found.pop(name) for name in list(found) if name.startswith(OF_REPOSITORY)}
    facts = {**dict(repository), **read_facts(node, WATCHERS, unread)}
    facts |= {name.removeprefix(OF_REPOSITORY): value for name, value in own.items()}
    whole = validated(Repository, facts, unread)
    is_cut = PAGE in {whole.releases, whole.contributors}
    values = {
        **read_facts(node, DESCRIBED, unread),
        **found,
        "repository": whole,
        "readme_speaks_to_a_model": speaks_to_a_model(whole, readme),
        "notes": (*((COUNT_NOTE,) if is_cut else ()), *unread.notes),
        "sources": (_row("repository", f"{1 + len(caller.called)} calls of the 60 of an hour"), *rows),
    }
    return validated(RepositoryFacts, values, unread)


def _read_parts(caller: _Caller) -> tuple[Part, list[SourceStatus]]:
    """Read all parts, several at once, and the manifests that the files name; returns the row of each."""
    names = list(PARTS)
    outcomes = run_parallel(names, lambda name: _outcome(name, partial(PARTS[name], caller)), AT_ONCE, caller.deadline)
    late = TimedOut("no answer before the deadline")
    known = [outcome or ({}, _rows(name).failed(late)) for name, outcome in zip(names, outcomes, strict=True)]
    found = {name: value for part, _ in known for name, value in part.items()}
    manifests, row = _outcome("manifests", lambda: _manifests(caller, found.get("paths")))
    rows = [*(each for _, each in known), row, _rows("pull request responses").row("skipped", NO_TOKEN)]
    return found | manifests, rows


def _outcome(name: str, read: Callable[[], Part]) -> tuple[Part, SourceStatus]:
    """Return what a part found and its row; one that failed found nothing."""
    try:
        return read(), _row(name)
    except CallFailed as failure:
        return {}, _rows(name).failed(failure)
    except (TypeError, ValueError) as error:
        return {}, _rows(name).failed(Unavailable(f"GitHub's response could not be read ({error})"))


def _row(part: str, detail: str = "") -> SourceStatus:
    return _rows(part).row("ok", detail)


def _rows(part: str) -> StatusRows:
    return StatusRows(KIND, part, "github")


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
        return members(response.json()) if response.status not in allowed else []


def _readme(caller: _Caller) -> Part:
    response = caller.get("/readme", (NOT_FOUND,))
    if response.status == NOT_FOUND:
        return {"repository.has_readme": False}
    text = files.text_of_rest(response.json())
    found = {"has_readme": True} if text is None else readme_facts(text)
    return {"readme_text": text, **{f"{OF_REPOSITORY}{name}": value for name, value in found.items()}}


def _files(caller: _Caller) -> Part:
    response = caller.get("/git/trees/HEAD", (NOT_FOUND, CONFLICT), recursive="1")
    if response.status in {NOT_FOUND, CONFLICT}:
        return {"is_empty": True}
    paths = files.paths_of_rest(members(_object_of(response).get("tree")))
    return {
        "paths": paths,
        "has_contribution_guide": any(GUIDE.fullmatch(path) for path in paths),
        "has_security_policy": any(POLICY.fullmatch(path) for path in paths),
        "repository.tree": tuple(path for path in paths if "/" not in path.rstrip("/"))[:MAX_TREE_ENTRIES],
    }


def _releases(caller: _Caller) -> Part:
    releases = people.releases_of(caller.rows("/releases"))
    found: Part = {"releases": releases[: people.MAX_RELEASES], "repository.releases": len(releases)}
    if latest := next((release for release in releases if release.at), None):
        found |= {"repository.latest_release_at": latest.at, "repository.latest_release_name": latest.name}
    return found


def _commits(caller: _Caller) -> Part:
    commits = people.commits_of_rest(caller.rows("/commits", (CONFLICT,)))
    start = caller.deadline.clock.now() - RECENT
    recent = sum(commit.at >= start for commit in commits)
    return {"commits": commits, "repository.recent_commits": None if recent == PAGE else recent}


def _issues(caller: _Caller) -> Part:
    issues = caller.rows("/issues", (GONE,), state="all", sort="created", direction="desc")
    comments = caller.rows("/issues/comments", (GONE,), sort="created", direction="desc") if issues else []
    return {"threads": people.issues_of_rest(issues, comments, PAGE)}


def _contributors(caller: _Caller) -> Part:
    rows = caller.rows("/contributors", (NO_CONTENT,))
    return {"repository.contributors": sum(not people.is_bot(row) for row in rows)}


PARTS: Mapping[str, Callable[[_Caller], Part]] = {
    "readme": _readme,
    "files": _files,
    "releases": _releases,
    "commits": _commits,
    "issues": _issues,
    "contributors": _contributors,
}


def _manifests(caller: _Caller, paths: object) -> Part:
    """Read the first manifests of the paths; without paths there are none to read."""
    if not isinstance(paths, tuple):
        return {}
    chosen, left_out = select_manifests(paths)
    few = chosen[:MAX_REST_MANIFESTS]
    responses = ((path, caller.get(f"/contents/{path}", (NOT_FOUND,))) for path in few)
    texts = ((path, files.text_of_rest(each.json())) for path, each in responses if each.status != NOT_FOUND)
    return {
        "manifests": tuple(files.make_manifest(*each) for each in texts),
        "manifests_left_out": left_out + len(chosen) - len(few),
    }


def _object_of(response: HttpResponse) -> Node:
    """Return the object of a response. Raises `Unavailable` if it is none."""
    content = response.json()
    if not isinstance(content, dict):
        raise Unavailable("GitHub's response is not an object")
    return content
