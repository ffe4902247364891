"""Reads one repository over GraphQL, in one call, and a second one for manifests that only the tree names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, InvalidRequest, Unavailable
from goldpan.kinds.repositories.analysis.manifests.parse import select_manifests
from goldpan.kinds.repositories.analysis.models import Manifest, RepositoryFacts
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.sources.github.analysis import files, people
from goldpan.kinds.repositories.sources.github.analysis.documents import (
    ROOT_MANIFESTS,
    analysis_document,
    manifests_document,
)
from goldpan.kinds.repositories.sources.github.analysis.refusals import BLOCKED, PRIVATE, not_found, speaks_to_a_model
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Facts, Node, Unread, at, members, read_facts, validated
from goldpan.kinds.repositories.sources.github.mapping import first_readme, from_details
from goldpan.kinds.repositories.sources.github.queries import since_variable

PARTS: Facts = {
    "parent": "parent.nameWithOwner",
    "has_wiki": "hasWikiEnabled",
    "has_security_policy": "isSecurityPolicyEnabled",
    "commits": people.commits_of_graphql,
    "threads": people.threads_of_graphql,
    "releases": lambda node: people.releases_of(members(at(node, "lastReleases", "nodes"))),
    "paths": files.paths_of_graphql,
}


def read_graphql(client: GitHubClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    """Read a repository. Raises `InvalidRequest` if there is none, `CredentialRejected` or `CallFailed`."""
    owner, _, name = full_name.partition("/")
    variables = {"o": owner, "n": name, **since_variable(deadline.clock)}
    data, failures = client.graphql(analysis_document(), variables, deadline)
    node = data.get("r")
    if not isinstance(node, dict):
        raise _refusal(full_name, failures)
    unread, parts_unread = Unread(), Unread()
    repository = from_details(node, unread)
    parts = read_facts(node, PARTS, parts_unread)
    manifests = _manifests(client, repository.full_name, node, parts.get("paths"), deadline)
    details = [*failures, *(f"GitHub's response was read without {each}" for each in parts_unread.facts)]
    row = StatusRows(KIND, "repository", "github").row("truncated" if details else "ok", "; ".join(details))
    values = parts | {
        "repository": repository,
        "is_empty": node.get("isEmpty") is True,
        "has_contribution_guide": isinstance(node.get("contributingGuidelines"), dict),
        "manifests": manifests.read,
        "manifests_left_out": manifests.left_out,
        "readme_speaks_to_a_model": speaks_to_a_model(repository, first_readme(node)),
        "notes": (*((PRIVATE,) if node.get("isPrivate") is True else ()), *unread.notes),
        "sources": (row, *manifests.rows),
    }
    return validated(RepositoryFacts, values, unread)


def _refusal(full_name: str, failures: Sequence[str]) -> InvalidRequest | CallFailed:
    """Return why there is no repository: GitHub's answer is the same for one that does not exist and a private one."""
    text = "; ".join(failures) or "without a reason"
    if text.startswith("NOT_FOUND"):
        return not_found(full_name)
    if "access blocked" in text.lower():
        return InvalidRequest(BLOCKED.format(full_name))
    return Unavailable(f"GitHub answered without the repository ({text})")


class _Manifests(NamedTuple):
    """The manifests, None if the files are unknown; how many were left out; and the row of the second call, if any."""

    read: tuple[Manifest, ...] | None = None
    left_out: int = 0
    rows: tuple[SourceStatus, ...] = ()


def _manifests(client: GitHubClient, full_name: str, node: Node, paths: object, deadline: Deadline) -> _Manifests:
    """Read the manifests: those of the root are in the node, further ones take a call."""
    if not isinstance(paths, tuple):
        return _Manifests()
    chosen, left_out = select_manifests(paths)
    known = {path: node.get(f"m{place}") for place, path in enumerate(ROOT_MANIFESTS)}
    rows: tuple[SourceStatus, ...] = ()
    if missing := [path for path in chosen if path not in known]:
        status = StatusRows(KIND, "further manifests", "github")
        try:
            known |= _blobs(client, full_name, missing, deadline)
            rows = (status.row("ok", ""),)
        except CallFailed as failure:
            chosen = [path for path in chosen if path not in missing]
            rows, left_out = (status.failed(failure),), left_out + len(missing)
    return _Manifests(
        tuple(files.make_manifest(path, files.text_of_graphql(known.get(path))) for path in chosen), left_out, rows
    )


def _blobs(client: GitHubClient, full_name: str, paths: Sequence[str], deadline: Deadline) -> dict[str, object]:
    owner, _, name = full_name.partition("/")
    variables = {"o": owner, "n": name, **{f"e{place}": f"HEAD:{path}" for place, path in enumerate(paths)}}
    data, failures = client.graphql(manifests_document(len(paths)), variables, deadline)
    node = data.get("r")
    if not isinstance(node, dict):
        raise Unavailable("; ".join(failures) or "GitHub answered without the files")
    return {path: node.get(f"m{place}") for place, path in enumerate(paths)}
