"""The two GraphQL documents, made for as many searches or repositories as are asked for at once."""

from __future__ import annotations

from functools import cache

NODES = 50
"""Repositories of one search: GitHub gives a request ten seconds, and several searches share one."""

LEAN = """
fragment Lean on Repository {
  nameWithOwner description url stargazerCount forkCount isArchived isFork pushedAt createdAt
  primaryLanguage { name }
  licenseInfo { spdxId }
  repositoryTopics(first: 10) { nodes { topic { name } } }
  parent { stargazerCount }
}
"""
README_NAMES = {
    "readmeMd": "README.md",
    "readmeLower": "readme.md",
    "readmeTitle": "Readme.md",
    "readmeRst": "README.rst",
    "readmePlain": "README",
    "readmeGitHub": ".github/README.md",
    "readmeDocs": "docs/README.md",
}
FACTS = """
fragment Facts on Repository {
  tree: object(expression: "HEAD:") { ... on Tree { entries { name type } } }
  releases(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) { totalCount nodes { publishedAt } }
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
    """Write the lean search: metadata alone, one alias a search."""
    names = range(count)
    declared = ", ".join(f"$q{i}: String!" for i in names)
    fields = "\n".join(
        f"  s{i}: search(query: $q{i}, type: REPOSITORY, first: {NODES}) {{ repositoryCount nodes {{ ...Lean }} }}"
        for i in names
    )
    return f"query Search({declared}) {{\n{fields}\n}}\n{LEAN}"


@cache
def enrichment_document(count: int) -> str:
    """Write the enrichment, one alias a repository."""
    names = range(count)
    declared = ", ".join(f"$o{i}: String!, $n{i}: String!" for i in names)
    fields = "\n".join(f"  r{i}: repository(owner: $o{i}, name: $n{i}) {{ ...Facts }}" for i in names)
    readmes = "\n".join(
        f'  {alias}: object(expression: "HEAD:{path}") {{ ... on Blob {{ text }} }}'
        for alias, path in README_NAMES.items()
    )
    return f"query Enrich($since: GitTimestamp!, {declared}) {{\n{fields}\n}}\n{FACTS % readmes}"


def search_cost(count: int) -> int:
    """Tell the points of so many searches: a connection each and one of topics a repository, by the hundred.

    https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
    """
    return max(1, round(count * (1 + NODES) / 100))
