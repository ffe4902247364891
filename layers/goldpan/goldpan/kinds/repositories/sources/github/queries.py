"""The GraphQL documents: for several searches or repositories in one request, and for the analysis of one."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache

from goldpan.engine.deadlines import Clock

RECENT = timedelta(days=90)
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
READMES = ("README.md", "readme.md", "Readme.md", "README.rst", "README", ".github/README.md", "docs/README.md")
"""Where a README lies; the first that exists is read."""
_READMES = "\n".join(
    f'  readme{i}: object(expression: "HEAD:{path}") {{ ... on Blob {{ text }} }}' for i, path in enumerate(READMES)
)
DETAILS = (
    """
fragment Details on Repository {
  tree: object(expression: "HEAD:") { ... on Tree { entries { name type } } }
  releases(first: 3, orderBy: {field: CREATED_AT, direction: DESC}) { totalCount nodes { tagName publishedAt } }
  openIssues: issues(states: OPEN) { totalCount }
  closedIssues: issues(states: CLOSED) { totalCount }
  mergedPullRequests: pullRequests(states: MERGED) { totalCount }
  defaultBranchRef { target { ... on Commit { history(since: $since) { totalCount } } } }
  watchers { totalCount }
  mentionableUsers { totalCount }
"""
    + _READMES
    + "\n}\n"
)
RESPONSES = """
fragment Responses on Repository {
  isSecurityPolicyEnabled
  contributingGuidelines { url }
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
}
fragment Person on Actor { __typename login }
"""


@cache
def search_document(count: int) -> str:
    """Write the document of this many searches, aliased s0, s1, ...; their texts are the variables q0, q1, ..."""
    declared = "".join(f", $q{i}: String!" for i in range(count))
    page = "type: REPOSITORY, first: $first, after: $after"
    shown = "repositoryCount pageInfo { endCursor hasNextPage } nodes { ...Metadata }"
    fields = "\n".join(f"  s{i}: search(query: $q{i}, {page}) {{ {shown} }}" for i in range(count))
    return f"query Search($first: Int!, $after: String{declared}) {{\n{fields}\n}}\n{METADATA}"


BY_NAME = {
    "LookUp": ("", "Metadata", METADATA),
    "Enrich": ("$since: GitTimestamp!, ", "Metadata ...Details", METADATA + DETAILS),
    "Analyze": ("$since: GitTimestamp!, ", "Details ...Responses", DETAILS + RESPONSES),
}
"""The documents of repositories by name: further variables, what is read of each repository, and its fragments."""


@cache
def document_by_name(operation: str, count: int) -> str:
    """Write a document of `BY_NAME` for this many repositories, aliased r0, r1, ...; see `name_variables`."""
    further, fragment, fragments = BY_NAME[operation]
    declared = ", ".join(f"$o{i}: String!, $n{i}: String!" for i in range(count))
    fields = "\n".join(f"  r{i}: repository(owner: $o{i}, name: $n{i}) {{ ...{fragment} }}" for i in range(count))
    return f"query {operation}({further}{declared}) {{\n{fields}\n}}\n{fragments}"


def name_variables(names: Sequence[str]) -> dict[str, str]:
    """Return the owners and the names of repositories as variables: o0 and n0 are those of the first."""
    variables = {}
    for i, full_name in enumerate(names):
        variables[f"o{i}"], _, variables[f"n{i}"] = full_name.partition("/")
    return variables


def since_variable(clock: Clock) -> dict[str, str]:
    """Return the beginning of the time whose commits are recent, as a variable."""
    return {"since": (clock.now() - RECENT).strftime("%Y-%m-%dT%H:%M:%SZ")}


def search_cost(count: int) -> int:
    """Return the points of this many searches: a hundredth for each search and for each topic connection, at least 1.

    https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
    """
    return max(1, round(count * (1 + NODES) / 100))
