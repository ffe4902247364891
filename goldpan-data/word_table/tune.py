"""Tune the word table that make.py wrote, in place: questions come close to the texts of what serves them.

    PYTHONPATH=goldpan-data/word_table .venv-encoder/bin/python goldpan-data/word_table/tune.py RECORDS

A sentence encoder knows which texts say the same, not that "find and delete identical files" asks for a duplicate
finder. The categories of goldpan-data do. Each step draws some, of each a name or a need and a text of one of its
repositories, by its owner or a note, and moves the rows of the words so that each question is closer to its own text
than to the others, and each text to its own question (InfoNCE, van den Oord et al. 2018; Adam, Kingma and Ba 2015).

RECORDS is the input of make.py. Takes about five minutes; the sample and the categories have vectors of the table.
"""

import hashlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import goldpan_data
import numpy as np
from goldpan.infra.encoder.table import shipped_table, table_bytes, table_terms
from goldpan.kinds.repositories.sources.catalogue.build import records_from_lines
from make import occurrences, quantised_rows
from texts import described_as

TABLE, ORIGIN = goldpan_data.file("word_table.bin"), Path(__file__).with_name("origin.md")
SUFFIX = "-tuned"
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


def main(records: Path) -> None:
    """Tune the table, and say so in the note on its origin. Raises `ValueError` if it is tuned already."""
    table = shipped_table()
    name, vocabulary = table.name.partition("/")[0], table.vocabulary
    if name.endswith(SUFFIX):
        raise ValueError("the word table is tuned already: make it again first")
    scales = np.array([table.scale(row) for row in range(len(vocabulary))], np.float32)
    stored = np.frombuffer(table.components(range(len(vocabulary))), np.int8).reshape(len(vocabulary), -1)
    repositories = [record.repository() for record in records_from_lines(records)]
    described = {one.full_name.lower(): described_as(one) for one in repositories}
    parts = quantised_rows(tuned_rows(stored * scales[:, None], vocabulary, described))
    version = hashlib.sha256(b"".join(parts)).hexdigest()[:8]
    content = table_bytes(f"{name}{SUFFIX}/{version}", vocabulary, *parts)
    TABLE.write_bytes(content)
    tuning = f"{STEPS:,} steps by tune.py, by categories.txt, needs.txt, the notes and the same texts of owners"
    tuned = f"- Tuning: {tuning}\n- Tuned content: SHA-256 {hashlib.sha256(content).hexdigest()}\n"
    ORIGIN.write_text(ORIGIN.read_text("utf-8") + tuned, "utf-8")


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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
