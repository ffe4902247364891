"""The repositories of the loopback GitHub, and the search for them, by words and qualifiers without operators."""

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import log10
from typing import Any

from tests.support.loopback.github_repository import Repository

QUERY_LIMIT = 256
MAX_RESULTS = 1000
"""Of one search, on all its pages."""
QUALIFIERS = frozenset((
    "archived", "created", "fork", "forks", "in", "is", "language", "license", "org", "pushed", "repo", "sort", "stars",
    "topic", "user",
))  # fmt: skip
_PART = re.compile(r'-?(?:\w+:)?"[^"]*"|\S+')
# One ideograph or kana is one token, because those scripts put no space between words.
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
SORT_KEYS: dict[str, Callable[[Repository], int | str]] = {
    "stars": lambda repository: repository.stars,
    "updated": lambda repository: repository.pushed_at or "",
}


@dataclass(frozen=True)
class Query:
    """Terms, each of tokens that must follow each other, and the qualifiers as pairs of name and value."""

    terms: tuple[tuple[str, ...], ...]
    qualifiers: tuple[tuple[str, str], ...]


def parse(text: str) -> Query:
    """Parse a query; raises NotImplementedError for an operator, a negation, or more than GitHub reads."""
    if len(text) > QUERY_LIMIT:
        raise NotImplementedError(f"goldpan writes no query of more than {QUERY_LIMIT} characters: {text}")
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


class Catalogue:
    """All repositories by name, and the number of searches."""

    def __init__(self, repositories: Iterable[Mapping[str, Any]]) -> None:
        self.searches = 0
        self._lock = threading.Lock()
        stored = map(Repository.stored, repositories)
        self._by_name = {repository.full_name.lower(): repository for repository in stored}
        self._former = {name.lower(): each for each in self._by_name.values() for name in each.former_names}
        self._with_word = defaultdict[str, dict[str, Repository]](dict)
        for name, each in self._by_name.items():
            for word in {word for text in _fields(each) for word in words(text)}:
                self._with_word[word][name] = each

    def find(self, owner: str, name: str) -> Repository | None:
        """Find a repository by its name in any letter case, or by a former one."""
        full_name = f"{owner}/{name}".lower()
        return self._by_name.get(full_name) or self._former.get(full_name)

    def search(self, text: str, sort: str = "") -> list[Repository]:
        """Search; the order is that of a sort beside the query or in it, else of the best match."""
        with self._lock:
            self.searches += 1
        query, possible = parse(text), self._by_name
        for word in (word for term in query.terms for word in term):
            possible = min(possible, self._with_word.get(word, {}), key=len)
        hits = [repository for repository in possible.values() if _matches(repository, query)]
        hits.sort(key=lambda repository: (-_score(repository, query), -repository.stars, repository.full_name))
        key = SORT_KEYS.get(sort or dict(query.qualifiers).get("sort", ""))
        return sorted(hits, key=key, reverse=True) if key else hits


def _matches(repository: Repository, query: Query) -> bool:
    """Return whether a repository has every term and meets every qualifier."""
    meets = all(_meets(repository, name, value) for name, value in query.qualifiers)
    return meets and all(_weight(repository, term) for term in query.terms)


def _score(repository: Repository, query: Query) -> float:
    return sum(_weight(repository, term) for term in query.terms) + log10(repository.stars + 1) / 5


def _weight(repository: Repository, term: tuple[str, ...]) -> int:
    """Weigh the fields in which a term occurs."""
    weight, size = 0, len(term)
    for text, own in _fields(repository).items():
        tokens = words(text)
        weight += own * any(tokens[start : start + size] == term for start in range(len(tokens)))
    return weight


def _fields(repository: Repository) -> dict[str, int]:
    """Return the texts that are searched, with their weights."""
    return {repository.name: 4, " \n ".join(repository.topics): 2, repository.description or "": 1}


def _meets(repository: Repository, name: str, value: str) -> bool:
    """Return whether a repository meets a qualifier; raises NotImplementedError for one that goldpan never writes."""
    match name:
        case "sort":
            return True
        case "language":
            return (repository.language or "").lower() == value
        case "license":
            return (repository.license or "").lower() == value
        case "topic":
            return value in [topic.lower() for topic in repository.topics]
        case "stars":
            low, high = _bounds(value)
            return int(low or 0) <= repository.stars <= int(high or repository.stars)
        case "created" | "pushed":
            low, high = _bounds(value)
            moment = repository.created_at if name == "created" else repository.pushed_at
            return moment is not None and low <= moment[:10] <= (high or moment[:10])
    raise NotImplementedError(f"goldpan writes no qualifier {name}")


def _bounds(text: str) -> tuple[str, str]:
    """Return the lowest and the highest value of `>=10`, `<=50`, `10..50` or `10`; an open end is empty."""
    if text.startswith(">="):
        return text[2:], ""
    if text.startswith("<="):
        return "", text[2:]
    low, dots, high = text.partition("..")
    return low, high if dots else low
