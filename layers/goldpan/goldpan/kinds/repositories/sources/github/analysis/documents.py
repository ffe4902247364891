"""The two GraphQL documents of an analysis: nearly all in one, then the manifests that only the tree names."""

from __future__ import annotations

from functools import cache

from goldpan.kinds.repositories.analysis.manifests.formats import FORMATS
from goldpan.kinds.repositories.sources.github.queries import BLOB, DETAILS, METADATA, README_PATHS, blobs

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
