"""The three GraphQL documents, each for several searches or repositories in one request."""

from __future__ import annotations

from functools import cache

NODES = 50
"""Repositories of one search: GitHub ends a request after ten seconds, and several searches share one."""

METADATA = """
fragment Metadata on Repository {
  nameWithOwner description url homepageUrl stargazerCount forkCount isArchived isFork pushedAt createdAt
  primaryLanguage { name }
  licenseInfo { spdxId }
  repositoryTopics(first: 10) { nodes { topic { name } } }
  parent { stargazerCount }
}
"""
README_PATHS = {
    "readmeMd": "README.md",
    "readmeLower": "readme.md",
    "readmeTitle": "Readme.md",
    "readmeRst": "README.rst",
    "readmePlain": "README",
    "readmeGitHub": ".github/README.md",
    "readmeDocs": "docs/README.md",
}
"""Where a README lies, by the alias it is fetched under; the first that exists is read."""
DETAILS = """
fragment Details on Repository {
  tree: object(expression: "HEAD:") { ... on Tree { entries { name type } } }
  releases(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) { totalCount nodes { tagName publishedAt } }
  openIssues: issues(states: OPEN) { totalCount }
  closedIssues: issues(states: CLOSED) { totalCount }
  mergedPullRequests: pullRequests(states: MERGED) { totalCount }
  defaultBranchRef { target { ... on Commit { history(since: $since) { totalCount } } } }
  watchers { totalCount }
  mentionableUsers { totalCount }
%s
}
"""


@cache
def search_document(count: int) -> str:
    """Write the document of this many searches, aliased s0, s1, ...; their texts are the variables q0, q1, ..."""
    declared = ", ".join(f"$q{i}: String!" for i in range(count))
    fields = "\n".join(
        f"  s{i}: search(query: $q{i}, type: REPOSITORY, first: {NODES}) {{ repositoryCount nodes {{ ...Metadata }} }}"
        for i in range(count)
    )
    return f"query Search({declared}) {{\n{fields}\n}}\n{METADATA}"


@cache
def lookup_document(count: int) -> str:
    """Write the document of this many repositories by name, aliased r0, r1, ...; o0 and n0 are the first's."""
    declared = ", ".join(f"$o{i}: String!, $n{i}: String!" for i in range(count))
    fields = "\n".join(f"  r{i}: repository(owner: $o{i}, name: $n{i}) {{ ...Metadata }}" for i in range(count))
    return f"query LookUp({declared}) {{\n{fields}\n}}\n{METADATA}"


@cache
def enrichment_document(count: int) -> str:
    """Write the document of this many repositories, aliased r0, r1, ...; o0 and n0 are the first's owner and name."""
    declared = ", ".join(f"$o{i}: String!, $n{i}: String!" for i in range(count))
    fields = "\n".join(f"  r{i}: repository(owner: $o{i}, name: $n{i}) {{ ...Details }}" for i in range(count))
    readmes = "\n".join(
        f'  {alias}: object(expression: "HEAD:{path}") {{ ... on Blob {{ text }} }}'
        for alias, path in README_PATHS.items()
    )
    return f"query Enrich($since: GitTimestamp!, {declared}) {{\n{fields}\n}}\n{DETAILS % readmes}"


def search_cost(count: int) -> int:
    """Return the points of this many searches: a hundredth for each search and for each topic connection, at least 1.

    https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
    """
    return max(1, round(count * (1 + NODES) / 100))
