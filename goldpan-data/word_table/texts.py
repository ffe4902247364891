"""The texts that the word table is fitted on: what owners of repositories wrote, whole, in parts, pairs and words.

Parts matter because the table is a sum over words: the vector of a few words says more about each of them than the
vector of a paragraph. Texts of lists of repositories and questions are never read.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from goldpan.infra.encoder.table import significant_words
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.repository_text import meaning_text, notes, spaced_name, without_addresses
from goldpan.text import words

WEIGHTS = {"whole": 1.0, "part": 0.5, "topic": 0.5, "name": 0.3, "word": 0.3, "pair": 0.3, "vocabulary": 0.1}
"""How much the fit to a text of each form counts."""
PARTS, PART_WORDS = 6, (2, 8)
"""How many parts are taken from a description at random, and their shortest and longest length in words."""
SEED = 7
LEAST = 2
"""Texts that a word, or a pair of words, must occur in."""


class Text(NamedTuple):
    """A text and its form, one of `WEIGHTS`."""

    text: str
    form: str


def corpus(repositories: Iterable[Repository], vocabulary: Iterable[str]) -> list[Text]:
    """Return the texts to fit on, each once; `vocabulary` is the sentence encoder's own."""
    forms: dict[str, str] = {}
    occurrences, pairs = Counter[str](), Counter[str]()
    for repository in repositories:
        for text, form in _texts(repository):
            forms.setdefault(text, form)
        occurrences.update(set(words(meaning_text(repository))))
        pairs.update(set(map(" ".join, pairwise(significant_words(meaning_text(repository))))))
    for counts, form in ((occurrences, "word"), (pairs, "pair")):
        for text, count in counts.items():
            if count >= LEAST:
                forms.setdefault(text, form)
    for word in vocabulary:
        if re.fullmatch("[a-z]{3,}", word):
            forms.setdefault(word, "vocabulary")
    return [Text(text, form) for text, form in forms.items() if text]


def described_as(repository: Repository) -> list[str]:
    """Return what the owner says of a repository, and its note, those that there are, each with the name."""
    topics = ", ".join(repository.topics or ()).replace("-", " ")
    said = (
        f"{without_addresses(repository.description)}. {topics}".strip(". "),
        notes().get(repository.full_name.lower()),
    )
    return [f"{spaced_name(repository)}. {text}" for text in said if text]


def _texts(repository: Repository) -> Iterator[Text]:
    name = spaced_name(repository)
    yield Text(meaning_text(repository), "whole" if repository.description else "name")
    if repository.description:
        yield Text(repository.description, "whole")
        yield from (Text(part, "part") for part in _parts(repository.full_name, repository.description.split()))
        yield Text(name, "name")
    yield from (Text(topic.replace("-", " "), "topic") for topic in repository.topics or ())


def _parts(name: str, found: list[str]) -> Iterator[str]:
    """Draw parts of a description, the same at each run."""
    draw = random.Random(f"{SEED} {name}")  # noqa: S311 - no secret
    for _ in range(PARTS):
        length = draw.randint(*PART_WORDS)
        if length < len(found):
            start = draw.randrange(len(found) - length + 1)
            yield " ".join(found[start : start + length]).strip(".,;:()")


def occurrences(found: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> Any:
    """Return a sparse matrix of shape (texts, vocabulary): 1 where a text has a term."""
    numbers = {term: number for number, term in enumerate(vocabulary)}
    rows = [sorted({numbers[term] for term in terms if term in numbers}) for terms in found]
    columns = np.fromiter((number for row in rows for number in row), np.int64)
    starts = np.cumsum([0, *map(len, rows)])
    return scipy.sparse.csr_matrix((np.ones(len(columns), np.float32), columns, starts), (len(rows), len(vocabulary)))
