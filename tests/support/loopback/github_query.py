"""The part of GitHub's query language that goldpan writes: words and qualifiers, without operators."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

QUERY_LIMIT = 256
QUALIFIERS = frozenset(
    (
        *("archived", "created", "fork", "forks", "in", "is", "language"),
        *("license", "org", "pushed", "repo", "sort", "stars", "topic", "user"),
    )
)
_PART = re.compile(r'-?(?:\w+:)?"[^"]*"|\S+')
# One ideograph or kana is one token, because those scripts put no space between words.
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")


class QueryRefusedError(Exception):
    """A query that the search API does not run."""


@dataclass(frozen=True)
class Query:
    """Terms, each of tokens that must follow each other, and the qualifiers as pairs of name and value."""

    terms: tuple[tuple[str, ...], ...]
    qualifiers: tuple[tuple[str, str], ...]


def parse(text: str) -> Query:
    """Parse a query; raises `QueryRefusedError` for its length, NotImplementedError for an operator or a negation."""
    if len(text) > QUERY_LIMIT:
        raise QueryRefusedError(f"The search is longer than {QUERY_LIMIT} characters.")
    terms, qualifiers = [], []
    for part in _PART.findall(text):
        name, colon, value = part.partition(":")
        if part in {"AND", "OR", "NOT"} or part.startswith("-"):
            raise NotImplementedError(f"goldpan writes no operators: {text}")
        if colon and name.lower() in QUALIFIERS:
            qualifiers.append((name.lower(), value.strip('"').lower()))
        elif tokens := words(part):
            terms.append(tokens)
    return Query(tuple(terms), tuple(qualifiers))


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Split a text into lower-case tokens."""
    return tuple(token.lower() for token in _TOKEN.findall(text))
