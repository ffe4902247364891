"""Reads one repository over GraphQL, in one call, and a second one for manifests that only the tree names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any, TypeVar

from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, InvalidRequest, Unavailable
from goldpan.kinds.repositories.analysis.manifests.parse import select_manifests
from goldpan.kinds.repositories.analysis.models import Manifest, RepositoryFacts
from goldpan.kinds.repositories.models import KIND, Release, Repository
from goldpan.kinds.repositories.sources.github.analysis import files, people
from goldpan.kinds.repositories.sources.github.analysis.documents import (
    ROOT_MANIFESTS,
    analysis_document,
    manifests_document,
)
from goldpan.kinds.repositories.sources.github.analysis.refusals import BLOCKED, PRIVATE, not_found, speaks_to_a_model
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Node, Unread, at, members
from goldpan.kinds.repositories.sources.github.mapping import add_details, from_search_node
from goldpan.kinds.repositories.sources.github.queries import README_PATHS

QUARTER = timedelta(days=90)
Item = TypeVar("Item")


def read_graphql(client: GitHubClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    """Read a repository. Raises `InvalidRequest` if there is none, `CredentialRejected` or `CallFailed`."""
    owner, _, name = full_name.partition("/")
    since = (deadline.clock.now() - QUARTER).strftime("%Y-%m-%dT%H:%M:%SZ")
    data, failures = client.graphql(analysis_document(), {"o": owner, "n": name, "since": since}, deadline)
    node = data.get("r")
    if not isinstance(node, dict):
        raise _refusal(full_name, failures)
    unread = Unread()
    repository = add_details(from_search_node(node, unread), node, unread)
    read = _Reading(node, unread)
    paths = read.part("files", files.paths_of_graphql)
    manifests, left_out, row = _manifests(client, repository, node, paths, deadline)
    return RepositoryFacts(
        repository=repository,
        parent=read.part("parent", lambda each: _text(at("parent", "nameWithOwner")(each))),
        is_empty=node.get("isEmpty") is True,
        has_wiki=_flag(node.get("hasWikiEnabled")),
        has_security_policy=_flag(node.get("isSecurityPolicyEnabled")),
        has_contribution_guide=isinstance(node.get("contributingGuidelines"), dict),
        commits=read.part("commits", _commits),
        threads=read.part("issues and pull requests", _threads),
        releases=read.part("releases", _releases),
        paths=paths,
        manifests=manifests,
        manifests_left_out=left_out,
        readme_speaks_to_a_model=speaks_to_a_model(repository, (_readme(node),)),
        notes=(*((PRIVATE,) if node.get("isPrivate") is True else ()), *unread.notes),
        sources=(_row(failures, read.failures), *row),
        calls=1 + (1 if row else 0),
    )


def _refusal(full_name: str, failures: Sequence[str]) -> InvalidRequest | CallFailed:
    """Return why there is no repository: GitHub's answer is the same for one that does not exist and a private one."""
    text = "; ".join(failures) or "without a reason"
    if text.startswith("NOT_FOUND"):
        return not_found(full_name)
    if "access blocked" in text.lower():
        return InvalidRequest(BLOCKED.format(full_name))
    return Unavailable(f"GitHub answered without the repository ({text})")


class _Reading:
    """Reads parts of a node; one that is not of the schema's form is unknown, and named."""

    def __init__(self, node: Node, unread: Unread) -> None:
        self._node, self._unread = node, unread
        self.failures: list[str] = []

    def part(self, name: str, read: Callable[[Node], Item]) -> Item | None:
        """Read a part."""
        try:
            return read(self._node)
        except (TypeError, ValueError) as error:
            self.failures.append(f"{name} {error}")
            return None


def _commits(node: Node) -> tuple[Any, ...] | None:
    listed = at("defaultBranchRef", "target", "last", "nodes")(node)
    return None if listed is None else _known(map(people.commit_of_graphql, members(listed)))


def _threads(node: Node) -> tuple[Any, ...]:
    issues = (people.thread_of_graphql(each, "issue") for each in members(at("lastIssues", "nodes")(node)))
    pulls = (people.thread_of_graphql(each, "pull_request") for each in members(at("lastPullRequests", "nodes")(node)))
    return _known([*issues, *pulls])


def _releases(node: Node) -> tuple[Release, ...]:
    return tuple(
        people.release_of(each, "tagName", "publishedAt") for each in members(at("lastReleases", "nodes")(node))
    )


def _known(items: Iterable[Item | None]) -> tuple[Item, ...]:
    return tuple(item for item in items if item is not None)


def _manifests(
    client: GitHubClient, repository: Repository, node: Node, paths: Sequence[str] | None, deadline: Deadline
) -> tuple[tuple[Manifest, ...] | None, int, tuple[SourceStatus, ...]]:
    """Return the manifests, how many were left out, and the row of the second call, if there was one."""
    if paths is None:
        return None, 0, ()
    chosen, left_out = select_manifests(paths)
    known = {path: node.get(f"m{place}") for place, path in enumerate(ROOT_MANIFESTS)}
    missing = [path for path in chosen if path not in known]
    rows: tuple[SourceStatus, ...] = ()
    if missing:
        status = StatusRows(KIND, "further manifests", "github")
        try:
            known |= _blobs(client, repository.full_name, missing, deadline)
            rows = (status.row("ok", ""),)
        except CallFailed as failure:
            chosen = [path for path in chosen if path not in missing]
            rows, left_out = (status.failed(failure),), left_out + len(missing)
    return tuple(files.manifest_of_graphql(path, known.get(path)) for path in chosen), left_out, rows


def _blobs(client: GitHubClient, full_name: str, paths: Sequence[str], deadline: Deadline) -> dict[str, object]:
    owner, _, name = full_name.partition("/")
    variables = {"o": owner, "n": name, **{f"e{place}": f"HEAD:{path}" for place, path in enumerate(paths)}}
    data, failures = client.graphql(manifests_document(len(paths)), variables, deadline)
    node = data.get("r")
    if not isinstance(node, dict):
        raise Unavailable("; ".join(failures) or "GitHub answered without the files")
    return {path: node.get(f"m{place}") for place, path in enumerate(paths)}


def _readme(node: Node) -> str | None:
    texts = (_text(at(alias, "text")(node)) for alias in README_PATHS if isinstance(node.get(alias), dict))
    return next(filter(None, texts), None)


def _row(failures: Sequence[str], unread: Sequence[str]) -> SourceStatus:
    rows = StatusRows(KIND, "repository", "github")
    details = [*failures, *(f"GitHub's response was read without {each}" for each in unread)]
    return rows.row("truncated" if details else "ok", "; ".join(details))


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
