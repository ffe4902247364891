"""Which repositories match a query, and how well."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import log10

from tests.support.loopback.github_query import Query, Term, camel_words, words
from tests.support.loopback.github_ranges import in_date_range, in_number_range
from tests.support.loopback.github_repository import Repository

Test = Callable[[Repository, str], bool]

DEFAULT_FIELDS = ("name", "description", "topics")
WEIGHTS = {"name": 4.0, "topics": 2.0, "description": 1.0, "readme": 0.5}
LANGUAGE_ALIASES = {"cpp": "c++", "csharp": "c#", "fsharp": "f#", "golang": "go", "js": "javascript"}

# Several values of one of these widen the search; several values of any other narrow it.
ALTERNATIVE_VALUES = frozenset(("language", "license", "user", "org", "repo"))

TESTS: dict[str, Test] = {
    "archived": lambda repository, value: repository.archived == (value == "true"),
    "created": lambda repository, value: in_date_range(repository.created_at, value),
    "forks": lambda repository, value: in_number_range(repository.forks, value),
    "is": lambda _, value: value == "public",
    "language": lambda repository, value: _language(repository) == LANGUAGE_ALIASES.get(value, value),
    "license": lambda repository, value: (repository.license or "").lower() == value,
    "org": lambda repository, value: repository.owner.lower() == value,
    "pushed": lambda repository, value: in_date_range(repository.pushed_at, value),
    "repo": lambda repository, value: repository.full_name.lower() == value,
    "stars": lambda repository, value: in_number_range(repository.stars, value),
    "topic": lambda repository, value: value in [topic.lower() for topic in repository.topics],
    "user": lambda repository, value: repository.owner.lower() == value,
}


def score(repository: Repository, query: Query) -> float | None:
    """Say how well a repository matches, or None if it does not."""
    if not _fork_admitted(repository, query) or not all(_holds(repository, query, name) for name in TESTS):
        return None
    fields = _searched_fields(query)
    scores = [_terms_score(repository, terms, fields) for terms in query.alternatives or ((),)]
    matched = [value for value in scores if value is not None]
    return max(matched) + log10(repository.stars + 1) / 5 if matched else None


def _fork_admitted(repository: Repository, query: Query) -> bool:
    """Leave forks out unless the query asks for them."""
    asked = query.values("fork")
    return repository.fork if "only" in asked else "true" in asked or not repository.fork


def _holds(repository: Repository, query: Query, name: str) -> bool:
    test = TESTS[name]
    wanted = [test(repository, value) for value in query.values(name)]
    unwanted = [test(repository, value) for value in query.values(name, excluded=True)]
    joined = any if name in ALTERNATIVE_VALUES else all
    return (not wanted or joined(wanted)) and not any(unwanted)


def _terms_score(repository: Repository, terms: tuple[Term, ...], fields: tuple[str, ...]) -> float | None:
    total = 0.0
    for term in terms:
        found = sum(WEIGHTS[field] for field in fields if _contains(_text(repository, field), term.tokens))
        if bool(found) == term.excluded:
            return None
        total += found
    return total


def _searched_fields(query: Query) -> tuple[str, ...]:
    named = {name.strip() for value in query.values("in") for name in value.split(",")}
    return tuple(field for field in WEIGHTS if field in named) or DEFAULT_FIELDS


def _text(repository: Repository, field: str) -> str:
    texts = {
        "name": repository.name,
        "description": repository.description,
        "topics": " \n ".join(repository.topics),
        "readme": repository.readme,
    }
    return texts[field] or ""


def _contains(text: str, tokens: tuple[str, ...]) -> bool:
    return any(_follow_each_other(tokens, sequence) for sequence in _readings(text))


@lru_cache(maxsize=4096)
def _readings(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read a text as whole words and as the parts of camelCase words: `PyTorch` is found by both."""
    return words(text), camel_words(text)


def _follow_each_other(tokens: tuple[str, ...], sequence: tuple[str, ...]) -> bool:
    length = len(tokens)
    return any(sequence[start : start + length] == tokens for start in range(len(sequence) - length + 1))


def _language(repository: Repository) -> str:
    return (repository.language or "").lower()
