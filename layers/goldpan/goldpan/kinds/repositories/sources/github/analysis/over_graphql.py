"""Reads one repository over GraphQL, in one call, and a second one for manifests that only the tree names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, InvalidRequest, Unavailable
from goldpan.kinds.repositories.analysis.manifests.formats import FORMATS
from goldpan.kinds.repositories.analysis.manifests.parse import select_manifests
from goldpan.kinds.repositories.analysis.models import RepositoryFacts
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.sources.github.analysis.parts import (
    BLOCKED,
    PARTS,
    make_manifest,
    not_found,
    status_row,
)
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Node, read_facts, validated
from goldpan.kinds.repositories.sources.github.mapping import from_details
from goldpan.kinds.repositories.sources.github.queries import (
    BLOB,
    DETAILS,
    METADATA,
    README_PATHS,
    blobs,
    since_variable,
)

ROOT_MANIFESTS = tuple(pattern.replace("*", "") for pattern in FORMATS if not pattern.startswith("*"))
"""The manifests that are asked for before it is known which there are."""
MANIFEST = "isTruncated text"
ANALYSIS = """
fragment Analysis on Repository {
  isEmpty isPrivate isSecurityPolicyEnabled
  contributingGuidelines { url }
  parent { nameWithOwner }
  levels: object(expression: "HEAD:") {
    ... on Tree { entries { name type object { ... on Tree { entries { name type } } } } }
  }
  workflows: object(expression: "HEAD:.github/workflows") { ... on Tree { entries { name type } } }
  lastReleases: releases(first: 30, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { tagName publishedAt } }
  defaultBranchRef {
    target { ... on Commit { last: history(first: 100) { nodes { committedDate author { name user { login } } } } } }
  }
  lastIssues: issues(first: 30, orderBy: {field: CREATED_AT, direction: DESC}) {
    nodes { createdAt author { ...Person } comments(first: 10) { nodes { createdAt author { ...Person } } } }
  }
  lastPullRequests: pullRequests(first: 30, orderBy: {field: CREATED_AT, direction: DESC}) {
    nodes {
      createdAt author { ...Person } mergedAt mergedBy { ...Person }
      comments(first: 10) { nodes { createdAt author { ...Person } } }
      reviews(first: 10) { nodes { createdAt author { ...Person } } }
    }
  }
%s
}
fragment Person on Actor { __typename login }
"""
PRIVATE = "Private: only those who may read it can open the evidence."


def read_graphql(client: GitHubClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    """Read a repository. Raises `InvalidRequest` if there is none, `CredentialRejected` or `CallFailed`."""
    owner, _, name = full_name.partition("/")
    variables = {"o": owner, "n": name, **since_variable(deadline.clock)}
    data, failures = client.graphql(analysis_document(), variables, deadline)
    node = data.get("r")
    if not isinstance(node, dict):
        raise _refusal(full_name, failures)
    repository, parts = from_details(node), read_facts(node, PARTS)
    manifests, rows = _manifests(client, repository.full_name, node, parts.get("paths"), deadline)
    status = StatusRows(KIND, "repository", "github")
    row = status.row("truncated" if failures else "ok", "; ".join(failures))
    values = {
        "repository": repository,
        "notes": (PRIVATE,) if node.get("isPrivate") is True else (),
        "sources": (row, *rows),
        **parts,
        **manifests,
    }
    return validated(RepositoryFacts, values)


def _refusal(full_name: str, failures: Sequence[str]) -> InvalidRequest | CallFailed:
    """Return why there is no repository: GitHub's answer is the same for one that does not exist and a private one."""
    text = "; ".join(failures) or "without a reason"
    if text.startswith("NOT_FOUND"):
        return not_found(full_name)
    if "access blocked" in text.lower():
        return InvalidRequest(BLOCKED.format(full_name))
    return Unavailable(f"GitHub answered without the repository ({text})")


def _manifests(
    client: GitHubClient, full_name: str, node: Node, paths: object, deadline: Deadline
) -> tuple[dict[str, object], tuple[SourceStatus, ...]]:
    """Read the manifests: those of the root are in the node, further ones take a call, which has a row."""
    if not isinstance(paths, tuple):
        return {}, ()
    chosen, left_out = select_manifests(paths)
    known = {path: node.get(f"m{place}") for place, path in enumerate(ROOT_MANIFESTS)}
    rows: tuple[SourceStatus, ...] = ()
    if missing := [path for path in chosen if path not in known]:
        part = "further manifests"
        try:
            known |= _blobs(client, full_name, missing, deadline)
            rows = (status_row(part),)
        except CallFailed as failure:
            rows = (StatusRows(KIND, part, "github").failed(failure),)
    read = tuple(make_manifest(path, known[path]) for path in chosen if path in known)
    return {"manifests": read, "manifests_left_out": left_out + len(chosen) - len(read)}, rows


def _blobs(client: GitHubClient, full_name: str, paths: Sequence[str], deadline: Deadline) -> dict[str, object]:
    owner, _, name = full_name.partition("/")
    variables = {"o": owner, "n": name, **{f"e{place}": f"HEAD:{path}" for place, path in enumerate(paths)}}
    data, failures = client.graphql(manifests_document(len(paths)), variables, deadline)
    node = data.get("r")
    if not isinstance(node, dict):
        raise Unavailable("; ".join(failures) or "GitHub answered without the files")
    return {path: node.get(f"m{place}") for place, path in enumerate(paths)}


@cache
def analysis_document() -> str:
    """Write the document of one repository, `r`; its owner and name are `o` and `n`, and `since` begins the quarter."""
    manifests = blobs({f"m{place}": path for place, path in enumerate(ROOT_MANIFESTS)}, MANIFEST)
    head = "query Analyze($since: GitTimestamp!, $o: String!, $n: String!) {\n"
    body = "  r: repository(owner: $o, name: $n) { ...Metadata ...Details ...Analysis }\n}\n"
    return head + body + METADATA + DETAILS % blobs(README_PATHS) + ANALYSIS % manifests


@cache
def manifests_document(count: int) -> str:
    """Write the document of this many files of one repository, m0, m1, ...; e0 is the expression of the first."""
    declared = "".join(f", $e{place}: String!" for place in range(count))
    fields = "\n".join(f"    m{place}: object(expression: $e{place}) {BLOB % MANIFEST}" for place in range(count))
    head = f"query Manifests($o: String!, $n: String!{declared})"
    return f"{head} {{\n  r: repository(owner: $o, name: $n) {{\n{fields}\n  }}\n}}\n"
