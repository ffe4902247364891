"""The fit of the word table: rows whose sums come close to the vectors of the sentence encoder."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

PENALTY = 0.3
"""What the squared length of a row costs; chosen by the fit to texts that were held out."""
SHORTEST = 2
"""Sums below this percentile of all lengths count as longer than they are."""
MAX_STORED = 255


def most_frequent(found: Sequence[Sequence[str]], singles: int, pairs: int, least: int) -> list[str]:
    """Return the single terms, then the pairs, that occur in at least `least` texts, the most frequent first."""
    counts = Counter(term for terms in found for term in set(terms))
    kept = [(term, count) for term, count in counts.items() if count >= least]
    ordered = [term for term, _ in sorted(kept, key=lambda entry: (-entry[1], entry[0]))]
    return [term for term in ordered if " " not in term][:singles] + [term for term in ordered if " " in term][:pairs]


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
