"""How callers name repositories, by owner/name or by the address of a page, and the requests that name some.

These are a comparison of two to four, and a search for what is like one. Both are searches: `parse_compare_request` and
`like_fields` make them from what `POST /compare` and `POST /like` have.
"""

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from goldpan.config import Frozen
from goldpan.contracts import SearchRequest, parse_request
from goldpan.contracts.validation_errors import parse_fields, suggest
from goldpan.errors import InvalidRequest

NAME = re.compile(r"(?P<owner>[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38}))/(?P<name>[A-Za-z0-9._-]{1,100})")
"""An owner has at most 39 characters, a repository 100; an enterprise's managed users have an underscore."""
ADDRESS = re.compile(r"(?:(?:https?://)?(?:www\.)?|(?:ssh://)?git@)github\.com[:/]", re.IGNORECASE)
MAX_REPO_CHARS = 200
REQUIREMENT = "must be OWNER/NAME, such as pallets/flask, or the address of its page on GitHub"
LIKE = "like "
"""How the question for what is like one repository begins, before its full name."""
NOT_FOR_LIKE = {"query", "kinds", "compare", "preference", "project_id", "library_only"}
"""The fields of a search that what is like a repository cannot have: the repository is the question."""
REPO, REPOS = "repo", "repos"


def without_address(text: object) -> object:
    """Return owner/name for the address of a repository's page."""
    if not isinstance(text, str):
        return text
    found = ADDRESS.match(text.strip())
    if found is None:
        return text.strip()
    parts = text.strip()[found.end() :].partition("?")[0].partition("#")[0].strip("/").split("/")
    return "/".join(parts[:2]).removesuffix(".git")


def require_full_name(text: str) -> str:
    """Return the text if it is owner/name. Raises `ValueError`."""
    if not is_full_name(text):
        raise ValueError(f"{REQUIREMENT}, not {text[:MAX_REPO_CHARS]!r}")
    return text


FullName = Annotated[
    str, Field(max_length=MAX_REPO_CHARS), BeforeValidator(without_address), AfterValidator(require_full_name)
]


def is_full_name(text: str) -> bool:
    """Whether a text can be the full name of a repository."""
    found = NAME.fullmatch(text)
    return found is not None and not set(found["name"]) <= {"."}


class CompareRequest(Frozen):
    """Two to four repositories, and the question that orders them, if there is one."""

    repos: tuple[FullName, ...]
    """Two to four different repositories, owner/name each."""
    query: str | None = None
    """The question that orders them; without one they have the order of `repos`, and a relevance of 1."""


class LikedRepository(Frozen):
    """The repository that the results should be like."""

    repo: FullName
    """The repository, owner/name."""


def parse_compare_request(fields: object, **more: object) -> SearchRequest:
    """Make the search of a comparison; `more` has further fields of it. Raises `InvalidRequest`."""
    given = parse_fields(CompareRequest, fields)
    query = {} if given.query is None else {"query": given.query}
    if not given.repos:
        raise InvalidRequest("repos: must be 2 to 4 different ones, not none")
    return parse_request({**more, **query, "compare": given.repos}, {"compare": REPOS})


def like_fields(fields: object) -> dict[str, object]:
    """Return the fields of the search for what is like a repository. Raises `InvalidRequest`."""
    given = fields if isinstance(fields, Mapping) else {}
    allowed = [REPO, *(name for name in SearchRequest.model_fields if name not in NOT_FOR_LIKE)]
    unknown = next((str(name) for name in given if name not in allowed), None)
    if unknown is not None:
        message = f"{unknown[:60]}: unknown field (allowed: {', '.join(allowed)}){suggest(unknown, allowed)}"
        raise InvalidRequest(message)
    liked = parse_fields(LikedRepository, {REPO: given[REPO]} if REPO in given else fields)
    return {"query": f"{LIKE}{liked.repo}"} | {name: value for name, value in given.items() if name != REPO}
