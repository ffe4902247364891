"""Categories: the kinds of thing that developers search for, and the well-known repositories that are of each kind.

A text says which words belong to a repository, not what it is: a client, a plugin and a tutorial share most words with
the thing itself. `categories.sqlite` of goldpan-data has for each category its names ("terminal file manager"), needs
in other words ("find and delete identical files"), the notes of its repositories, and a vector of all of them.

    fit = (words + 0.75 x closeness) / 1.75
    words = the mean of BM25 for the question as typed and for what was read of it, as shares of the best category's

The closeness is that of the word table, whichever encoder orders the results, since the vectors are the table's.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import goldpan_data

from goldpan.infra.encoder.port import cosine_distances, matrix
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.sqlite_file import SqliteReader
from goldpan.kinds.repositories.concepts import liked_words, names_own_kind
from goldpan.kinds.repositories.models import Repository, SearchParams
from goldpan.kinds.repositories.names import is_full_name
from goldpan.kinds.repositories.repository_text import nameless_text
from goldpan.kinds.repositories.vocabulary import vocabulary
from goldpan.text import STOP_WORDS, phrase, terms, words

LISTED = "listed as: "
"""How the evidence begins that a repository is of a category."""
CLOSENESS_WEIGHT = 0.75
COLUMN_WEIGHTS = "2.0, 1.0, 1.0"
"""Of names, needs and notes."""
MAX_FITTING = 20
SHARPNESS = 10
"""Of the softmax: what fits 0.1 less than the best category has 0.37 of its share."""

GUESSED_SHARE, GUESS_SHARPNESS = 0.7, 20
"""What the guess of a category from a text alone counts, and how fast it falls for those that are less close to it."""


class Category(NamedTuple):
    """A category that may be meant: its first name, its repositories in lower case, and its share, 0 to 1.

    The share says how surely it is meant: the softmax of the fits, so that one far behind the first has next to none.
    """

    name: str
    other_names: tuple[str, ...]
    repositories: frozenset[str]
    number: int
    share: float


class CategoryIndex:
    """The index of goldpan-data, open for reading; safe to share between threads."""

    def __init__(self) -> None:
        self._file = SqliteReader.of_file(goldpan_data.file("categories.sqlite"))
        ((self._vectors,),) = self._file.select("SELECT content FROM vectors")
        rows = self._file.select("SELECT id, name, other_names, repositories FROM categories")
        self.rows: dict[int, tuple[str, str, str]] = {number: (*row,) for number, *row in rows}
        """By the numbers of the categories, from 1: first name, other names, and repositories in lower case."""

    @cached_property
    def listed(self) -> frozenset[str]:
        """The repositories of all categories, in lower case."""
        return frozenset(" ".join(repositories for _, _, repositories in self.rows.values()).split())

    def words(self, text: str) -> dict[int, float]:
        """Return the categories that share a word with a text, by number, with BM25 as a share of the best one's."""
        found = dict.fromkeys(term for word in words(text) if word not in STOP_WORDS for term in terms(word))
        if not found:
            return {}
        statement = f"SELECT rowid, -bm25(texts, {COLUMN_WEIGHTS}) AS score FROM texts WHERE texts MATCH ?"  # noqa: S608 - constants
        scores: dict[int, float] = dict(self._file.select(statement, [" OR ".join(f'"{term}"' for term in found)]))
        best = max(scores.values(), default=0.0) or 1.0
        return {number: score / best for number, score in scores.items()}

    def distances(self, texts: Sequence[str]) -> list[list[float]]:
        """Return how far in meaning each text is from each category, 0 to 2, in the order of their numbers."""
        table = shipped_table()
        vectors = b"".join(table.encode(texts))
        return cosine_distances(matrix(vectors, table.dimensions), matrix(self._vectors, table.dimensions))

    def repositories(self, names: Iterable[str]) -> frozenset[str]:
        """Return the repositories of the categories with these first names, in lower case."""
        wanted = frozenset(names)
        return frozenset(" ".join(listed for name, _, listed in self.rows.values() if name in wanted).split())


category_index = cache(CategoryIndex)
"""Returns the index; the first call opens it."""


def fitting_categories(params: SearchParams) -> tuple[Category, ...]:
    """Return the categories that a question means, by its words or by what it wants something like, the best first.

    What is like a repository that goldpan lists is of a category that lists it.
    """
    wanted = [] if names_own_kind(params) else [f"{' '.join(name)} alternative" for name in liked_words(params)]
    if not params.keywords and not wanted:
        return ()
    typed = params.question or params.meaning
    for like in params.likes:
        typed = typed.replace(like, " ")  # the words of a name say what it is by chance alone: "example-org/motion-kit"
    references = tuple(like.lower() for like in params.likes if is_full_name(like))
    return _fitting(" ".join((typed, *wanted, *params.constraints.languages)), params.meaning, references)


def subject_words(name: str) -> tuple[str, ...]:
    """Return the words of a name that say what the thing is, without platforms, function words and generic words."""
    platforms = [one for one in vocabulary().concepts(name) if one.platform and one.platform.compatible_languages]
    named = {word for concept in platforms for word in concept.words}
    plain = [word for word in words(name) if word not in named]
    return tuple(word for word in plain if word not in STOP_WORDS and phrase(word) not in vocabulary().generic)


@lru_cache(maxsize=64)
def _fitting(typed: str, read: str, references: tuple[str, ...]) -> tuple[Category, ...]:
    index = category_index()
    by_typed, by_read, (distances,) = index.words(typed), index.words(read or typed), index.distances([read or typed])
    listing = [number for number, row in index.rows.items() if any(f" {one} " in f" {row[-1]} " for one in references)]
    fits = dict[int, float]()
    for number in listing or by_typed.keys() | by_read.keys():
        shared = 0.5 * (by_typed.get(number, 0.0) + by_read.get(number, 0.0))
        fit = (shared + CLOSENESS_WEIGHT * (1 - distances[number - 1])) / (1 + CLOSENESS_WEIGHT)
        fits |= {number: round(fit, 4)} if fit > 0 else {}
    best = sorted(fits, key=lambda number: (-fits[number], index.rows[number][0]))[:MAX_FITTING]
    weights = [math.exp(SHARPNESS * fits[number]) for number in best]
    found = list[Category]()
    for number, weight in zip(best, weights, strict=True):
        name, others, listed = index.rows[number]
        other_names, repositories = tuple(filter(None, others.split("; "))), frozenset(listed.split())
        found.append(Category(name, other_names, repositories, number, weight / sum(weights)))
    return tuple(found)


class CategoryShares:
    """The categories that one question means, and how surely repositories are of them."""

    def __init__(self, params: SearchParams) -> None:
        self._fitting = fitting_categories(params)
        self._listed: dict[str, tuple[float, str]] = {}
        """How surely each repository is of a category that is meant, and the name of the first one."""
        for category in self._fitting:
            for repository in category.repositories:
                share, name = self._listed.get(repository, (0.0, category.name))
                self._listed[repository] = (share + category.share, name)

    def name(self, repository: Repository) -> str:
        """Return the category that is meant most surely of those that list a repository; empty if none does."""
        return self._listed.get(repository.full_name.lower(), (0.0, ""))[1]

    def of(self, repositories: Sequence[Repository]) -> list[float]:
        """Return how surely each repository is of a category that is meant, 0 to 1.

        What is listed as something else alone has 0. Of what no category lists nothing says that it is of none: its
        text, with the note that a person or a language model wrote on it, is compared with the categories.
        """
        names = [one.full_name.lower() for one in repositories]
        listed = category_index().listed
        others = {name: nameless_text(one) for name, one in zip(names, repositories, strict=True) if name not in listed}
        asked = self._fitting and others
        distances = category_index().distances([*others.values()]) if asked else [()] * len(others)
        guessed = {name: _guess(self._fitting, each) for name, each in zip(others, distances, strict=True)}
        return [guessed.get(name, self._listed.get(name, (0.0, ""))[0]) for name in names]


def _guess(categories: Sequence[Category], distances: Sequence[float]) -> float:
    """Return how surely a repository is of the categories, 0 to 1, from how far its text is from each one of all.

    The category that is closest in meaning counts in full, others by how much farther they are.
    """
    least = min(distances, default=1)
    if least >= 1:  # the encoder knows no word of the text
        return 0.0
    weights = (one.share * math.exp(GUESS_SHARPNESS * (least - distances[one.number - 1])) for one in categories)
    return GUESSED_SHARE * sum(weights)
