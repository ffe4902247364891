"""The requests that name repositories: a comparison of two to four, and a search for what is like one.

Both are searches: `parse_compare_request` and `like_fields` make them from what `POST /compare` and `POST /like` have.
"""

from collections.abc import Mapping

from goldpan.config import Frozen
from goldpan.contracts import SearchRequest, parse_request
from goldpan.contracts.validation_errors import parse_fields, suggest
from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.full_name import FullName
from goldpan.kinds.repositories.likeness import LIKE

NOT_FOR_LIKE = {"query", "kinds", "compare", "preference", "project_id", "library_only"}
"""The fields of a search that what is like a repository cannot have: the repository is the question."""
REPO, REPOS = "repo", "repos"


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
