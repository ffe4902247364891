"""GitHub's query language for repositories, as far as it is documented for the search API."""

from __future__ import annotations

import re
from dataclasses import dataclass

QUERY_LIMIT = 256
OPERATOR_LIMIT = 5
QUALIFIERS = frozenset(
    (
        *("archived", "created", "fork", "forks", "in", "is", "language"),
        *("license", "org", "pushed", "repo", "sort", "stars", "topic", "user"),
    )
)
_PART = re.compile(r'-?(?:\w+:)?"[^"]*"|\S+')
# One ideograph or kana is one token, because those scripts put no space between words.
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_]+")


class QueryRefusedError(Exception):
    """A query that the search API does not run."""


@dataclass(frozen=True)
class Term:
    """A word or quoted phrase: tokens that must follow each other, or, if excluded, must not."""

    tokens: tuple[str, ...]
    excluded: bool = False


@dataclass(frozen=True)
class Qualifier:
    """A condition on one property."""

    name: str
    value: str
    excluded: bool = False


@dataclass(frozen=True)
class Query:
    """Alternatives of terms, joined by OR, and the qualifiers of all of them."""

    alternatives: tuple[tuple[Term, ...], ...]
    qualifiers: tuple[Qualifier, ...]

    def values(self, name: str) -> list[str]:
        """List the values of one qualifier."""
        return [qualifier.value for qualifier in self.qualifiers if qualifier.name == name]


def parse(text: str) -> Query:
    """Parse a query; raises `QueryRefusedError` for its length or its number of operators."""
    parts = _PART.findall(text)
    if len(text) > QUERY_LIMIT:
        message = f"The search is longer than {QUERY_LIMIT} characters."
        raise QueryRefusedError(message)
    if sum(part in ("AND", "OR", "NOT") for part in parts) > OPERATOR_LIMIT:
        message = "More than five AND / OR / NOT operators were used."
        raise QueryRefusedError(message)
    return _assembled(parts)


def _assembled(parts: list[str]) -> Query:
    alternatives: list[list[Term]] = [[]]
    qualifiers: list[Qualifier] = []
    negated = False
    for part in parts:
        if part == "OR":
            alternatives.append([])
        elif part == "NOT":
            negated = True
        elif part != "AND":
            excluded = negated or part.startswith("-")
            if (qualifier := _qualifier(part, excluded=excluded)) is not None:
                qualifiers.append(qualifier)
            elif tokens := words(part):
                alternatives[-1].append(Term(tokens, excluded))
            negated = False
    return Query(tuple(tuple(terms) for terms in alternatives if terms), tuple(qualifiers))


def _qualifier(part: str, *, excluded: bool) -> Qualifier | None:
    """Parse `name:value`; with an unknown name it is ordinary text, as at GitHub."""
    name, colon, value = part.removeprefix("-").partition(":")
    if not colon or name.lower() not in QUALIFIERS:
        return None
    return Qualifier(name.lower(), value.strip('"').lower(), excluded)


def words(text: str) -> tuple[str, ...]:
    """Split a text into lower-case whole tokens."""
    return tuple(token.lower() for token in _TOKEN.findall(text))


def camel_words(text: str) -> tuple[str, ...]:
    """Split a text into lower-case tokens, and camelCase tokens into their parts."""
    return tuple(part.lower() for token in _TOKEN.findall(text) for part in _CAMEL.findall(token))
