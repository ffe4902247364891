"""Tunes the rows of the word table: questions come close to the texts of what serves them.

A sentence encoder knows which texts say the same, not that "find and delete identical files" asks for a duplicate
finder. The categories of goldpan-data do. Each step draws some, of each a name or a need and a text of one of its
repositories, by its owner or a note, and moves the rows of the words so that each question is closer to its own text
than to the others, and each text to its own question (InfoNCE, van den Oord et al. 2018; Adam, Kingma and Ba 2015).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from goldpan.infra.encoder.table import table_terms
from texts import occurrences

CATEGORIES = Path(__file__).parents[1] / "categories"
STEPS, DRAWN, SEED = 1200, 384, 1
TEMPERATURE = 0.1
RATE, MOMENTUM, SQUARES = 1.5e-3, 0.9, 0.99
"""The length of a step, in mean lengths of a row; chosen, as the number of steps, by categories that were held out."""


class Category(NamedTuple):
    """The positions of its questions and texts in one list, and its repositories in lower case."""

    questions: Sequence[int]
    texts: Sequence[int]
    repositories: frozenset[str]


def tuned_rows(rows: Any, vocabulary: Sequence[str], texts: Mapping[str, Sequence[str]]) -> Any:
    """Return the rows after all steps; `texts` has those of each repository, by full name in lower case."""
    categories, found, owners = _read(texts)
    terms, draw = occurrences([table_terms(text) for text in found], vocabulary), np.random.default_rng(SEED)
    rows = (rows / np.linalg.norm(rows, axis=1).mean()).astype(np.float32)
    first, second = np.zeros_like(rows), np.zeros_like(rows)
    for _ in range(STEPS):
        drawn = [categories[number] for number in draw.choice(len(categories), DRAWN, replace=False)]
        asked = [draw.choice(one.questions) for one in drawn]
        given = [draw.choice(one.texts) for one in drawn]
        also = np.array([[owners[text] in one.repositories for text in given] for one in drawn])
        used, gradient = _gradient(rows, terms[[*asked, *given]], also & ~np.eye(DRAWN, dtype=bool))
        first[used] = MOMENTUM * first[used] + (1 - MOMENTUM) * gradient
        second[used] = SQUARES * second[used] + (1 - SQUARES) * gradient**2
        rows[used] -= RATE * first[used] / (np.sqrt(second[used]) + 1e-8)
    return rows


def _gradient(rows: Any, terms: Any, also: Any) -> tuple[Any, Any]:
    """Return the rows that the drawn pairs use, and their gradients; `also` has other pairs that fit, not counted."""
    used = np.unique(terms.indices)
    sums = terms[:, used] @ rows[used]
    lengths = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
    unit = sums / lengths
    questions, texts = unit[:DRAWN], unit[DRAWN:]
    similar = np.exp(np.where(also, -np.inf, (questions @ texts.T - 1) / TEMPERATURE))
    wrong = similar / similar.sum(1, keepdims=True) + similar / similar.sum(0, keepdims=True) - 2 * np.eye(DRAWN)
    wrong = (wrong / (2 * DRAWN * TEMPERATURE)).astype(np.float32)
    by_unit = np.vstack([wrong @ texts, wrong.T @ questions])
    by_sum = (by_unit - (by_unit * unit).sum(1, keepdims=True) * unit) / lengths
    return used, terms[:, used].T @ by_sum


def _read(texts: Mapping[str, Sequence[str]]) -> tuple[list[Category], list[str], dict[int, str]]:
    """Read the categories; returns them with all their questions and texts, and the repository of each text."""
    found, places, owners = list[str](), dict[str, range](), dict[int, str]()
    for name, own in texts.items():
        places[name] = range(len(found), len(found) + len(own))
        owners |= dict.fromkeys(places[name], name)
        found += own
    needs = dict(line.split("\t") for line in (CATEGORIES / "needs.txt").read_text("utf-8").splitlines())
    categories = []
    for line in (CATEGORIES / "categories.txt").read_text("utf-8").splitlines():
        names, _, listed = line.partition("\t")
        asked = [*names.split("; "), *needs[names.partition("; ")[0]].split("; ")]
        members = [place for name in listed.split() for place in places.get(name, ())]
        if members:
            categories.append(Category(range(len(found), len(found) + len(asked)), members, frozenset(listed.split())))
            found += asked
    return categories, found, owners
