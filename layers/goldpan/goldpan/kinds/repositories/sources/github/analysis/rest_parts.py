"""The parts of a repository that are read over REST, a call or two each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.kinds.repositories.analysis.manifests.parse import select_manifests
from goldpan.kinds.repositories.sources.github.analysis import files, people
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Node, members
from goldpan.kinds.repositories.sources.github.mapping import MAX_TREE_ENTRIES, readme_facts

NOT_FOUND, GONE, NO_CONTENT, CONFLICT = 404, 410, 204, 409
"""410: issues are switched off; 204 and 409: the repository is empty."""
PAGE = 100
MAX_REST_MANIFESTS = 4
"""Each takes a call."""
QUARTER = timedelta(days=90)
GUIDE = re.compile(r"(?:\.github/|docs/)?contributing(?:\.\w+)?", re.IGNORECASE)
POLICY = re.compile(r"(?:\.github/|docs/)?security(?:\.\w+)?", re.IGNORECASE)


Part = dict[str, object]
"""What a call found: fields of `RepositoryFacts`, those of its repository as `repository.stars`, and `readme_text`."""
OF_REPOSITORY = "repository."


@dataclass
class Caller:
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


def _readme(caller: Caller) -> Part:
    response = caller.get("/readme", (NOT_FOUND,))
    if response.status == NOT_FOUND:
        return {"repository.has_readme": False}
    text = files.text_of_rest(response.json())
    if text is None:
        return {"repository.has_readme": True}
    return {"readme_text": text, **{f"{OF_REPOSITORY}{name}": value for name, value in readme_facts(text).items()}}


def _files(caller: Caller) -> Part:
    response = caller.get("/git/trees/HEAD", (NOT_FOUND, CONFLICT), recursive="1")
    if response.status in {NOT_FOUND, CONFLICT}:
        return {"is_empty": True}
    paths = files.paths_of_rest(members(object_of(response).get("tree")))
    return {
        "paths": paths,
        "has_contribution_guide": any(GUIDE.fullmatch(path) for path in paths),
        "has_security_policy": any(POLICY.fullmatch(path) for path in paths),
        "repository.tree": tuple(path for path in paths if "/" not in path.rstrip("/"))[:MAX_TREE_ENTRIES],
    }


def _releases(caller: Caller) -> Part:
    releases = people.releases_of(caller.rows("/releases"))
    found: Part = {"releases": releases[: people.MAX_RELEASES], "repository.releases": len(releases)}
    if latest := next((release for release in releases if release.at), None):
        found |= {"repository.latest_release_at": latest.at, "repository.latest_release_name": latest.name}
    return found


def _commits(caller: Caller) -> Part:
    commits = people.commits_of_rest(caller.rows("/commits", (CONFLICT,)))
    start = caller.deadline.clock.now() - QUARTER
    recent = sum(commit.at >= start for commit in commits)
    return {"commits": commits, "repository.recent_commits": None if recent == PAGE else recent}


def _issues(caller: Caller) -> Part:
    issues = caller.rows("/issues", (GONE,), state="all", sort="created", direction="desc")
    comments = caller.rows("/issues/comments", (GONE,), sort="created", direction="desc") if issues else []
    return {"threads": people.issues_of_rest(issues, comments, PAGE)}


def _contributors(caller: Caller) -> Part:
    rows = caller.rows("/contributors", (NO_CONTENT,))
    return {"repository.contributors": sum(not people.is_bot(row) for row in rows)}


PARTS: Mapping[str, Callable[[Caller], Part]] = {
    "readme": _readme,
    "files": _files,
    "releases": _releases,
    "commits": _commits,
    "issues": _issues,
    "contributors": _contributors,
}


def read_manifests(caller: Caller, paths: object) -> Part:
    """Read the first manifests of the paths; without paths there are none to read."""
    if not isinstance(paths, tuple):
        return {}
    chosen, left_out = select_manifests(paths)
    few = chosen[:MAX_REST_MANIFESTS]
    responses = ((path, caller.get(f"/contents/{path}", (NOT_FOUND,))) for path in few)
    read = [files.manifest_of_rest(path, each.json()) for path, each in responses if each.status != NOT_FOUND]
    return {"manifests": tuple(read), "manifests_left_out": left_out + len(chosen) - len(few)}


def object_of(response: HttpResponse) -> Node:
    """Return the object of a response. Raises `Unavailable` if it is none."""
    content = response.json()
    if not isinstance(content, dict):
        raise Unavailable("GitHub's response is not an object")
    return content
