"""Reads one repository over REST, for a machine without a token: 12 calls of the 60 that GitHub allows in an hour.

Response times of pull requests are not read: their reviews would take a call each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from goldpan.config import MAX_EXCERPT
from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, InvalidRequest, TimedOut, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.infra.threads import run_parallel
from goldpan.kinds.repositories.analysis.manifests.parse import select_manifests
from goldpan.kinds.repositories.analysis.models import Commit, Manifest, RepositoryFacts
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.repository_text import excerpt, outline
from goldpan.kinds.repositories.sources.github.analysis import files, people
from goldpan.kinds.repositories.sources.github.analysis.refusals import BLOCKED, not_found, speaks_to_a_model
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Node, Unread, at, count_at, members, read_facts
from goldpan.kinds.repositories.sources.github.mapping import MAX_TREE_ENTRIES, from_rest

NOT_FOUND, GONE, BLOCKED_STATUS, NO_CONTENT, CONFLICT = 404, 410, 451, 204, 409
"""410: issues are switched off; 204 and 409: the repository is empty."""
PAGE = 100
AT_ONCE = 4
MAX_REST_MANIFESTS = 4
"""Each takes a call."""
QUARTER = timedelta(days=90)
NO_TOKEN = "GITHUB_TOKEN is not set: reading the reviews would take a call each"  # noqa: S105
GUIDE = re.compile(r"(?:\.github/|docs/)?contributing(?:\.\w+)?", re.IGNORECASE)
POLICY = re.compile(r"(?:\.github/|docs/)?security(?:\.\w+)?", re.IGNORECASE)
Facts = dict[str, Any]
"""Fields of `RepositoryFacts`, and those of its repository under `repository`; `Any`, as each has a type of its own."""


def read_rest(client: GitHubClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    """Read a repository. Raises `InvalidRequest` if there is none, or `CallFailed` if the first call fails."""
    response = client.fetch(f"/repos/{full_name}", {}, deadline, {NOT_FOUND, BLOCKED_STATUS})
    if response.status == NOT_FOUND:
        raise not_found(full_name)
    if response.status == BLOCKED_STATUS:
        raise InvalidRequest(BLOCKED.format(full_name))
    node = _object(response)
    unread = Unread()
    repository = from_rest(node, unread)
    caller = _Caller(client, f"/repos/{repository.full_name}", deadline)
    parts = {name: partial(read, caller) for name, read in PARTS.items()}
    outcomes = run_parallel(list(parts), lambda name: _outcome(name, parts[name]), AT_ONCE, deadline)
    found: Facts = {"repository": read_facts(node, {"watchers": count_at("subscribers_count")}, unread)}
    rows = [_ok("repository")]
    for name, outcome in zip(parts, outcomes, strict=True):
        facts, row = outcome or ({}, _failed(name, TimedOut("no answer before the deadline")))
        found = _merged(found, facts)
        rows.append(row)
    manifests, row = _outcome("manifests", lambda: _manifests(caller, found.get("paths")))
    rows += [row, _rows("pull request responses").row("skipped", NO_TOKEN)]
    found = _merged(found, manifests)
    whole = repository.model_copy(update=found.pop("repository"))
    readme = found.pop("readme_text", None)
    rows[0] = _rows("repository").row("ok", f"{caller.calls + 1} calls of the 60 of an hour")
    return RepositoryFacts(
        repository=whole,
        parent=_text(at("parent", "full_name")(node)) if isinstance(node.get("parent"), dict) else None,
        is_empty=found.pop("is_empty", False),
        has_wiki=node.get("has_wiki") if isinstance(node.get("has_wiki"), bool) else None,
        readme_speaks_to_a_model=speaks_to_a_model(whole, (readme,)),
        notes=(*_notes(whole), *unread.notes),
        sources=tuple(rows),
        calls=caller.calls + 1,
        **found,
    )


def _notes(repository: Repository) -> Iterator[str]:
    if PAGE in {repository.releases, repository.contributors}:
        yield f"Without a token, releases and contributors are counted up to {PAGE}."


def _merged(one: Facts, other: Facts) -> Facts:
    both = {**one["repository"], **other.get("repository", {})}
    return {**one, **other, "repository": both}


@dataclass
class _Caller:
    """Calls GitHub for one repository, and counts the calls."""

    client: GitHubClient
    path: str
    deadline: Deadline
    calls: int = 0

    def get(self, path: str, allowed: Sequence[int] = (), **params: str) -> HttpResponse:
        """Read a resource of the repository."""
        self.calls += 1
        return self.client.fetch(self.path + path, params, self.deadline, allowed)

    def rows(self, path: str, allowed: Sequence[int] = (), **params: str) -> list[Node]:
        """Read a list; an allowed status is an empty one."""
        response = self.get(path, allowed, per_page=str(PAGE), **params)
        return members(response.json()) if response.status not in allowed else []


def _readme(caller: _Caller) -> Facts:
    response = caller.get("/readme", (NOT_FOUND,))
    if response.status == NOT_FOUND:
        return {"repository": {"has_readme": False}}
    text = files.text_of_rest(response.json())
    if text is None:
        return {"repository": {"has_readme": True}}
    known = {"readme": excerpt(text, MAX_EXCERPT), "readme_outline": outline(text), "has_readme": True}
    return {"repository": known, "readme_text": text}


def _files(caller: _Caller) -> Facts:
    response = caller.get("/git/trees/HEAD", (NOT_FOUND, CONFLICT), recursive="1")
    if response.status in {NOT_FOUND, CONFLICT}:
        return {"is_empty": True}
    paths = files.paths_of_rest(members(_object(response).get("tree")))
    tree = tuple(path for path in paths if "/" not in path.rstrip("/"))[:MAX_TREE_ENTRIES]
    return {
        "paths": paths,
        "has_contribution_guide": any(GUIDE.fullmatch(path) for path in paths),
        "has_security_policy": any(POLICY.fullmatch(path) for path in paths),
        "repository": {"tree": tree},
    }


def _releases(caller: _Caller) -> Facts:
    rows = caller.rows("/releases")
    releases = tuple(people.release_of(row, "tag_name", "published_at") for row in rows)
    dated = [release for release in releases if release.at]
    known: Facts = {"releases": len(releases)}
    if dated:
        known |= {"latest_release_at": dated[0].at, "latest_release_name": dated[0].name}
    return {"releases": releases[: people.MAX_RELEASES], "repository": known}


def _commits(caller: _Caller) -> Facts:
    read = map(people.commit_of_rest, caller.rows("/commits", (CONFLICT,)))
    commits: tuple[Commit, ...] = tuple(commit for commit in read if commit is not None)
    start = caller.deadline.clock.now() - QUARTER
    recent = sum(commit.at >= start for commit in commits)
    known = {} if recent == PAGE else {"recent_commits": recent}
    return {"commits": commits, "repository": known}


def _issues(caller: _Caller) -> Facts:
    issues = caller.rows("/issues", (GONE,), state="all", sort="created", direction="desc")
    comments = caller.rows("/issues/comments", (GONE,), sort="created", direction="desc") if issues else []
    return {"threads": people.issues_of_rest(issues, comments, PAGE)}


def _contributors(caller: _Caller) -> Facts:
    rows = caller.rows("/contributors", (NO_CONTENT,))
    return {"repository": {"contributors": sum(not people.is_bot(row) for row in rows)}}


PARTS: Mapping[str, Callable[[_Caller], Facts]] = {
    "readme": _readme,
    "files": _files,
    "releases": _releases,
    "commits": _commits,
    "issues": _issues,
    "contributors": _contributors,
}


def _manifests(caller: _Caller, paths: Sequence[str] | None) -> Facts:
    if paths is None:
        return {}
    chosen, left_out = select_manifests(paths)
    few = chosen[:MAX_REST_MANIFESTS]
    read: list[Manifest] = []
    for path in few:
        response = caller.get(f"/contents/{path}", (NOT_FOUND,))
        if response.status != NOT_FOUND:
            read.append(files.manifest_of_rest(path, response.json()))
    return {"manifests": tuple(read), "manifests_left_out": left_out + len(chosen) - len(few)}


def _outcome(name: str, read: Callable[[], Facts]) -> tuple[Facts, SourceStatus]:
    """Return what a part found and its row; one that failed found nothing."""
    try:
        return read(), _ok(name)
    except CallFailed as failure:
        return {}, _failed(name, failure)
    except (TypeError, ValueError) as error:
        return {}, _failed(name, Unavailable(f"GitHub's response could not be read ({error})"))


def _rows(part: str) -> StatusRows:
    return StatusRows(KIND, part, "github")


def _ok(part: str) -> SourceStatus:
    return _rows(part).row("ok", "")


def _failed(part: str, failure: CallFailed) -> SourceStatus:
    return _rows(part).failed(failure)


def _object(response: HttpResponse) -> Node:
    content = response.json()
    if not isinstance(content, dict):
        raise Unavailable("GitHub's response is not an object")
    return content


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
