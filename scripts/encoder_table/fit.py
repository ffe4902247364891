"""The fit of the word table: rows whose sums come close to the vectors of the sentence encoder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

RIDGE = 0.3
"""The penalty on the squared length of a row; chosen by the fit to texts that were held out."""
MAX_STORED = 255


def most_frequent(found: Sequence[Sequence[str]], limit: int, least: int) -> list[str]:
    """Return the terms that occur in at least `least` texts, the most frequent first."""
    counts = Counter(term for terms in found for term in set(terms))
    kept = [(term, count) for term, count in counts.items() if count >= least]
    return [term for term, _ in sorted(kept, key=lambda entry: (-entry[1], entry[0]))[:limit]]


def occurrences(found: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> Any:
    """Return a sparse matrix of shape (texts, vocabulary): 1 where a text has a term."""
    numbers = {term: number for number, term in enumerate(vocabulary)}
    rows = [sorted({numbers[term] for term in terms if term in numbers}) for terms in found]
    columns = np.fromiter((number for row in rows for number in row), np.int64)
    starts = np.cumsum([0, *map(len, rows)])
    return scipy.sparse.csr_matrix((np.ones(len(columns), np.float32), columns, starts), (len(rows), len(vocabulary)))


def principal_axes(vectors: Any, dimensions: int) -> Any:
    """Return the axes along which the vectors have the largest mean square, as columns; the mean stays in them.

    Dot products of projected vectors approximate those of the vectors.
    """
    values, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors.astype(np.float64))
    leading = axes[:, np.argsort(-values)[:dimensions]]
    # the sign of an axis is arbitrary; the largest component is made positive so that each run gives the same
    return leading * np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(dimensions)])


def ridge_rows(matrix: Any, targets: Any, weights: Any) -> Any:
    """Return the rows that minimise the weighted squared error of the sums, divided by the root of their length.

    Each text's sum is divided by the square root of its number of terms, since sums of unrelated rows grow so.
    """
    terms = np.maximum(np.asarray(matrix.sum(axis=1)).ravel(), 1)
    scale = scipy.sparse.diags(np.sqrt(weights / terms).astype(np.float32))
    scaled, weighted = scale @ matrix, targets * np.sqrt(weights)[:, None]
    gram = (scaled.T @ scaled).toarray().astype(np.float32)
    gram[np.diag_indices_from(gram)] += RIDGE
    return scipy.linalg.solve(gram, scaled.T @ weighted, assume_a="pos", overwrite_a=True, check_finite=False)


def quantised_rows(rows: Any) -> tuple[bytes, bytes]:
    """Return the scales, 1 to 255, and the components plus 128, of rows in one unit.

    A row's largest component becomes nearly 127; the unit is such that the longest row has the scale 255.
    """
    largest = np.abs(rows).max(axis=1)
    unit = largest.max() / (MAX_STORED * 127)
    scales = np.clip(np.ceil(largest / (unit * 127)), 1, MAX_STORED)
    components = np.rint(rows / (scales[:, None] * unit))
    return scales.astype(np.uint8).tobytes(), (components + 128).astype(np.uint8).tobytes()
