"""Reads the query and the filters of a library's commands."""

from __future__ import annotations

from collections.abc import Sequence

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.sources.library.models import MAX_QUERY, LibraryFilters

from goldpan_local.library_commands.options import LibrarySearchOptions
from goldpan_local.ranges import read_range


def read_query(words: Sequence[str] | None, query: str | None) -> str:
    """Return the query: the words, or the option. Raises `InvalidRequest` if it is empty or too long."""
    if words and query is not None:
        raise InvalidRequest("--query: the query is given twice; leave out QUERY or --query")
    text = " ".join((query if query is not None else " ".join(words or ())).split())
    if not text:
        raise InvalidRequest("Query cannot be empty")
    if len(text) > MAX_QUERY:
        message = f"QUERY: must have at most {MAX_QUERY} characters (given {len(text):,})"
        raise InvalidRequest(message)
    return text


def read_filters(given: LibrarySearchOptions) -> LibraryFilters:
    """Return the filters of the options. Raises `InvalidRequest` by the name of the option."""
    years = dict(read_range(given.year, "--year")) if given.year is not None else {}
    return LibraryFilters(
        year_from=years.get("year_from"),
        year_to=years.get("year_to"),
        authors=_names("--author", given.author),
        venues=_names("--venue", given.venue),
        tags=_names("--tag", given.tag),
    )


def _names(option: str, given: Sequence[str] | None) -> tuple[str, ...]:
    names = tuple(name.strip() for name in given or ())
    if not all(names):
        message = f"{option}: must have at least 1 character"
        raise InvalidRequest(message)
    return names
