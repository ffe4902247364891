"""Writes a search in GitHub's query syntax, in which every source reports what it searched for.

A query has at most 256 characters and five AND, OR or NOT operators (GitHub docs, "About search" for REST). The words
of a question contain no quotes, colons or operators: `goldpan.text.words` leaves lower-case letters and digits, so that
GitHub reads none of them as a qualifier.
"""

from datetime import date

from goldpan.kinds.repositories.models import Matching, RepositorySearch
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


def render(search: RepositorySearch) -> str:
    """Write a search as a query, without its sort order; one that is too long loses its weakest words."""
    kept = list(search.words)
    while len(text := _text(search, kept)) > MAX_QUERY and kept:
        kept.remove(next((word for word in reversed(kept) if phrase(word) in vocabulary().generic), kept[-1]))
    return text


def _text(search: RepositorySearch, words: list[str]) -> str:
    parts = [*PREFIXES[search.match], *([", ".join(words)] if search.match == "category" else words)]
    if search.language:
        parts.append(f'language:"{search.language}"' if " " in search.language else f"language:{search.language}")
    parts += [f"topic:{topic}" for topic in search.topics]
    parts += _range("stars", search.stars.min, search.stars.max)
    parts += _range("created", search.created_after, search.created_before)
    parts += _range("pushed", search.pushed_after, None)
    return " ".join(parts)


def _range(name: str, low: int | date | None, high: int | date | None) -> list[str]:
    if low is not None and high is not None:
        return [f"{name}:{low}..{high}"]
    return [f"{name}:{sign}{limit}" for sign, limit in ((">=", low), ("<=", high)) if limit is not None]
