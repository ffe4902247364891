"""Maps what GitHub's REST and GraphQL APIs describe: a repository, by tables of facts, its commits, and who responded.

GitHub's schemas allow null almost everywhere, also as the member of a list. A null is an unknown fact, and so is what
the schemas do not allow: a malformed fact affects no other. A repository without a name is left out and counted.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from goldpan.config import MAX_EXCERPT
from goldpan.counts import counted
from goldpan.errors import Unavailable
from goldpan.kinds.repositories.analysis.models import Commit, Thread, ThreadKind
from goldpan.kinds.repositories.models import Moment, Repository
from goldpan.kinds.repositories.readme import excerpt, outline

Node = Mapping[str, object]
"""An object of a response."""
Place = str | Callable[[Node], object]
"""Where a fact is: a path such as `license.spdx_id`, or a function that reads it."""
Facts = dict[str, Place]
MAX_NAME_CHARS, MAX_PERSON_CHARS, MAX_TOPICS, MAX_TREE_ENTRIES = 200, 60, 10, 60
_BOT = re.compile(
    r"\[bot\]$|(?:^|[-_])(?:ro)?bot(?:[-_]|$)|^(?:dependabot|renovate|codecov|greenkeeper|web-flow|github-actions)\b",
    re.IGNORECASE,
)
"""Names of accounts that are programs; GitHub marks its apps alone as such."""
_MOMENT: TypeAdapter[datetime] = TypeAdapter(Moment)
Model = TypeVar("Model", bound=BaseModel)


def read_all(items: object, facts: Facts) -> tuple[list[Repository], tuple[str, ...]]:
    """Read the repositories of a list or null; how many members are none, and why the first is none, is the failure."""
    if not isinstance(items, list | None):
        return [], ("GitHub's response was read without a list of repositories",)
    found, reasons = [], list[str]()
    for item in items or ():
        try:
            found.append(assembled(read_facts(item if isinstance(item, Mapping) else {}, facts)))
        except Unavailable as error:
            reasons.append(str(error))
    without = counted(len(reasons), "repositories")
    return found, (f"GitHub's response was read without {without} ({reasons[0]})",) if reasons else ()


def read_facts(node: Node, facts: Facts) -> dict[str, object]:
    """Read the facts that have a value, by name."""
    values = ((name, place(node) if callable(place) else at(node, *place.split("."))) for name, place in facts.items())
    return {name: value for name, value in values if value is not None}


def validated(model: type[Model], values: Mapping[str, object]) -> Model:
    """Make a model of facts, without those that are not valid."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        wrong = {str(row["loc"][0]) for row in error.errors(include_url=False)}
        return model.model_validate({name: value for name, value in values.items() if name not in wrong})


def at(node: object, *names: str) -> object:
    """Return the value under these names, one within the other; None if one of them is missing or no object."""
    for name in names:
        node = node.get(name) if isinstance(node, Mapping) else None
    return node


def moment_at(node: Node, *names: str) -> datetime | None:
    """Return a time; None if there is none that can be read."""
    try:
        return _MOMENT.validate_python(at(node, *names))
    except ValidationError:
        return None


def text_or_none(value: object) -> str | None:
    """Return a text that is not empty; None for anything else."""
    return value if isinstance(value, str) and value else None


def whole_number(value: object) -> int:
    """Return a number, 0 for anything else."""
    return value if isinstance(value, int) else 0


def members(value: object) -> list[Node]:
    """Return the objects of a list, without anything else in it."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def assembled(facts: Mapping[str, object]) -> Repository:
    """Make a repository; its tree shows whether there is a README of another name. Raises `Unavailable`."""
    known, full_name = dict(facts), facts.get("full_name")
    if not isinstance(full_name, str) or len(full_name) > MAX_NAME_CHARS or not all(full_name.partition("/")):
        raise Unavailable("full_name must be owner/name")
    readme, tree = known.pop("readme", None), known.pop("tree", None)
    if isinstance(readme, str):
        known |= {"readme": excerpt(readme, MAX_EXCERPT), "readme_outline": outline(readme), "has_readme": True}
    if isinstance(tree, list):
        known |= {"tree": tuple(tree[:MAX_TREE_ENTRIES])}
        known.setdefault("has_readme", any(name.lower().startswith("readme") for name in tree))
    return validated(Repository, known)


def _readme(node: Node) -> str | None:
    """Return the first README with text of those that were fetched."""
    blobs = (blob for alias, blob in node.items() if alias.startswith("readme") and isinstance(blob, Mapping))
    return next((text for blob in blobs if (text := text_or_none(blob.get("text")))), None)


def _topics(node: Node) -> object:
    """Return the topics, which REST lists by their names alone."""
    topics, nodes = node.get("topics"), at(node, "repositoryTopics", "nodes")
    names = topics if isinstance(topics, list) else [at(each, "topic", "name") for each in members(nodes)]
    said = isinstance(topics, list) or isinstance(nodes, list)
    return tuple(name for name in names if isinstance(name, str))[:MAX_TOPICS] if said else None


def _latest_release(node: Node) -> Node:
    """Return the first release with a date: a draft, which its maintainers see, has none."""
    return next((each for each in members(at(node, "releases", "nodes")) if moment_at(each, "publishedAt")), {})


def _tree(node: Node) -> list[str] | None:
    """Return the names of the top-level files, and of the folders with a slash."""
    entries = at(node, "tree", "entries")
    named = [(text_or_none(entry.get("name")), entry.get("type") == "tree") for entry in members(entries)]
    return None if entries is None else [f"{name}/" if is_folder else name for name, is_folder in named if name]


_NAMED: dict[str, tuple[Place, Place]] = {  # REST's `watchers_count` repeats the stars and is left out
    "full_name": ("full_name", "nameWithOwner"),
    "description": ("description", "description"),
    "url": ("html_url", "url"),
    "homepage": ("homepage", "homepageUrl"),
    "stars": ("stargazers_count", "stargazerCount"),
    "forks": ("forks_count", "forkCount"),
    "language": ("language", "primaryLanguage.name"),
    "topics": (_topics, _topics),
    "pushed_at": ("pushed_at", "pushedAt"),
    "created_at": ("created_at", "createdAt"),
    "archived": ("archived", "isArchived"),
    "fork": ("fork", "isFork"),
    "license": ("license.spdx_id", "licenseInfo.spdxId"),
}
"""Where each fact is in a response of REST, and in one of GraphQL."""
REST_FACTS: Facts = {name: rest for name, (rest, _) in _NAMED.items()}
SEARCH_FACTS: Facts = {name: graphql for name, (_, graphql) in _NAMED.items()}
SEARCH_FACTS["parent_stars"] = "parent.stargazerCount"
DETAILS: Facts = {
    "readme": _readme,
    "tree": _tree,
    "releases": "releases.totalCount",
    "latest_release_at": lambda node: _latest_release(node).get("publishedAt"),
    "latest_release_name": lambda node: _latest_release(node).get("tagName"),
    "open_issues": "openIssues.totalCount",
    "closed_issues": "closedIssues.totalCount",
    "merged_pull_requests": "mergedPullRequests.totalCount",
    "recent_commits": "defaultBranchRef.target.history.totalCount",
    "watchers": "watchers.totalCount",
    "contributors": "mentionableUsers.totalCount",
}


def is_bot(account: object) -> bool:
    """Whether an account is a program, by its type or its name; a deleted account is a person."""
    kind = at(account, "__typename") or at(account, "type")
    return kind == "Bot" or bool(_BOT.search(str(at(account, "login") or "")))


def _short(name: object) -> str | None:
    text = text_or_none(name)
    return text[:MAX_PERSON_CHARS] if text and text.strip() else None


def commits_of(rows: Iterable[Node]) -> tuple[Commit, ...]:
    """Read the commits that have a time; the author is the account, else the name that Git has."""
    found = []
    for row in rows:
        name = _short(at(row, "author", "login")) or _short(at(row, "commit", "author", "name"))
        is_program = is_bot(row.get("author")) or is_bot({"login": name})
        if when := moment_at(row, "commit", "committer", "date"):
            found.append(Commit(at=when, author=None if is_program else name))
    return tuple(found)


def read_thread(kind: ThreadKind, row: Node) -> Thread | None:
    """Make an issue or a pull request; None if a program opened it, or it has no time."""
    opened, author = moment_at(row, "createdAt"), row.get("author")
    if opened is None or is_bot(author):
        return None
    replies = [*members(at(row, "comments", "nodes")), *members(at(row, "reviews", "nodes"))]
    replied = [(reply.get("author"), moment_at(reply, "createdAt")) for reply in replies]
    replied.append((row.get("mergedBy"), moment_at(row, "mergedAt")))
    name = _short(at(author, "login"))
    answers = (
        when
        for replier, when in replied
        if when is not None and not is_bot(replier) and (name is None or _short(at(replier, "login")) != name)
    )
    return Thread(kind=kind, opened_at=opened, answered_at=min(answers, default=None))
