"""Writes a search in GitHub's query language, within its limits.

A query has at most 256 characters and five AND, OR or NOT operators (GitHub docs, "About search" for REST). The words
of a question hold no quotes, colons or operators here: `goldpan.text.words` cuts them to letters and digits, in lower
case, so they are never read as qualifiers.
"""

from __future__ import annotations

from dataclasses import dataclass

from goldpan.kinds.repositories.models import RepositorySearch, StarRange
from goldpan.kinds.repositories.question.vocabulary import vocabulary
from goldpan.text import phrase

MAX_QUERY = 256


@dataclass(frozen=True)
class Query:
    """The text that GitHub is asked, without its order, and the words that had to be left out."""

    text: str
    dropped: tuple[str, ...] = ()


def render(search: RepositorySearch) -> Query:
    """Write the search; where it is too long the weakest words go, the last of them first."""
    kept = list(search.words)
    dropped: list[str] = []
    while len(_text(search, kept)) > MAX_QUERY and kept:
        weakest = next((word for word in reversed(kept) if phrase(word) in vocabulary().generic), kept[-1])
        kept.remove(weakest)
        dropped.append(weakest)
    return Query(_text(search, kept), tuple(dropped))


def _text(search: RepositorySearch, kept: list[str]) -> str:
    parts = list(kept)
    if search.language:
        parts.append(f'language:"{search.language}"' if " " in search.language else f"language:{search.language}")
    parts += [f"topic:{topic}" for topic in search.topics]
    stars = _range(search.stars)
    if stars:
        parts.append(f"stars:{stars}")
    if search.created_after:
        parts.append(f"created:>={search.created_after.isoformat()}")
    if search.pushed_after:
        parts.append(f"pushed:>={search.pushed_after.isoformat()}")
    return " ".join(parts)


def _range(stars: StarRange) -> str:
    if stars.min is not None and stars.max is not None:
        return f"{stars.min}..{stars.max}"
    if stars.max is not None:
        return f"<={stars.max}"
    return f">={stars.min}" if stars.min is not None else ""
