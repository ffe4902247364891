"""Which repositories match a query, and how well."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import log10

from tests.support.loopback.github_query import Query, camel_words, words
from tests.support.loopback.github_repository import Repository

Bound = int | str
WEIGHTS = {"name": 4.0, "topics": 2.0, "description": 1.0}
LANGUAGE_ALIASES = {"cpp": "c++", "csharp": "c#", "fsharp": "f#", "golang": "go", "js": "javascript"}
TESTS: dict[str, Callable[[Repository, str], bool]] = {
    "created": lambda repository, value: _in_dates(repository.created_at, value),
    "language": lambda repository, value: _language(repository) == LANGUAGE_ALIASES.get(value, value),
    "pushed": lambda repository, value: _in_dates(repository.pushed_at, value),
    "sort": lambda _repository, _value: True,
    "stars": lambda repository, value: _in_range(value, lambda bound: (repository.stars, int(bound))),
    "topic": lambda repository, value: value in [topic.lower() for topic in repository.topics],
}
"""The qualifiers that goldpan writes; a query with another one fails the test that sent it."""


def score(repository: Repository, query: Query) -> float | None:
    """Return how well a repository matches, None if it does not; forks never match unless a query asks for them."""
    terms = query.alternatives[0] if query.alternatives else ()
    excluded = [*(term for term in terms if term.excluded), *(part for part in query.qualifiers if part.excluded)]
    if len(query.alternatives) > 1 or excluded:
        message = f"the loopback GitHub evaluates no operators: {query}"
        raise NotImplementedError(message)
    if repository.fork or not all(TESTS[part.name](repository, part.value) for part in query.qualifiers):
        return None
    total = log10(repository.stars + 1) / 5
    for term in terms:
        found = sum(weight for field, weight in WEIGHTS.items() if _contains(_text(repository, field), term.tokens))
        if not found:
            return None
        total += found
    return total


def _text(repository: Repository, field: str) -> str:
    topics = " \n ".join(repository.topics)
    return {"name": repository.name, "description": repository.description, "topics": topics}[field] or ""


def _contains(text: str, tokens: tuple[str, ...]) -> bool:
    length = len(tokens)
    return any(
        reading[start : start + length] == tokens
        for reading in _readings(text)
        for start in range(len(reading) - length + 1)
    )


@lru_cache(maxsize=4096)
def _readings(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read a text as whole words and as the parts of camelCase words: both find `PyTorch`."""
    return words(text), camel_words(text)


def _language(repository: Repository) -> str:
    return (repository.language or "").lower()


def _in_dates(actual: str | None, text: str) -> bool:
    """Return whether a moment lies in a range of dates; ISO dates in UTC compare as text, truncated to the bound."""
    return actual is not None and _in_range(text, lambda bound: (actual[: len(bound)], bound))


def _in_range(text: str, pair: Callable[[str], tuple[Bound, Bound]]) -> bool:
    """Return whether a value lies in `>=10`, `<=50`, `10..50` or `10`."""
    low, dots, high = text.partition("..")
    if dots:
        return _in_range(f">={low}", pair) and _in_range(f"<={high}", pair)
    actual, bound = pair(text.removeprefix(">=").removeprefix("<="))
    if text.startswith(">="):
        return actual >= bound  # type: ignore[operator]
    return actual <= bound if text.startswith("<=") else actual == bound  # type: ignore[operator]
