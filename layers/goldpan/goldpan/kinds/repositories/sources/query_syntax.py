"""Writes a search in GitHub's query syntax, in which every source reports what it searched for.

A query has at most 256 characters and five AND, OR or NOT operators (GitHub docs, "About search" for REST). The words
of a question contain no quotes, colons or operators: `goldpan.text.words` leaves lower-case letters and digits, so that
GitHub reads none of them as a qualifier.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from goldpan.kinds.repositories.models import Matching, RepositorySearch, StarRange
from goldpan.kinds.repositories.vocabulary import vocabulary
from goldpan.text import phrase

MAX_QUERY = 256
PREFIXES: dict[Matching, tuple[str, ...]] = {
    "all": (),
    "any": ("any of:",),
    "meaning": ("close to:",),
    "category": ("listed as:",),
}
"""How the searches that only a catalogue can run begin."""


@dataclass(frozen=True)
class Query:
    """The text of a query, without its sort order, and the words that were dropped to keep it within the limit."""

    text: str
    dropped: tuple[str, ...] = ()


def render(search: RepositorySearch) -> Query:
    """Write a search as a query; while it is too long, drop the last of its weakest words."""
    kept = list(search.words)
    dropped: list[str] = []
    while len(_text(search, kept)) > MAX_QUERY and kept:
        weakest = next((word for word in reversed(kept) if phrase(word) in vocabulary().generic), kept[-1])
        kept.remove(weakest)
        dropped.append(weakest)
    return Query(_text(search, kept), tuple(dropped))


def dropped_words_notes(queries: Iterable[Query]) -> tuple[str, ...]:
    """List a note for each query that lost words to GitHub's limit."""
    return tuple(f"too long for GitHub, searched without: {', '.join(q.dropped)}" for q in queries if q.dropped)


def _text(search: RepositorySearch, words: list[str]) -> str:
    joined = [", ".join(words)] if search.match == "category" else words
    parts = [*PREFIXES[search.match], *joined]
    if search.language:
        parts.append(f'language:"{search.language}"' if " " in search.language else f"language:{search.language}")
    parts += [f"topic:{topic}" for topic in search.topics]
    stars = _star_range(search.stars)
    if stars:
        parts.append(f"stars:{stars}")
    if search.created_after and search.created_before:
        parts.append(f"created:{search.created_after.isoformat()}..{search.created_before.isoformat()}")
    elif search.created_after:
        parts.append(f"created:>={search.created_after.isoformat()}")
    elif search.created_before:
        parts.append(f"created:<={search.created_before.isoformat()}")
    if search.pushed_after:
        parts.append(f"pushed:>={search.pushed_after.isoformat()}")
    return " ".join(parts)


def _star_range(stars: StarRange) -> str:
    if stars.min is not None and stars.max is not None:
        return f"{stars.min}..{stars.max}"
    if stars.max is not None:
        return f"<={stars.max}"
    return f">={stars.min}" if stars.min is not None else ""
