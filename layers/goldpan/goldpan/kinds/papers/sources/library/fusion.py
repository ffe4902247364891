"""Fuses rankings by reciprocal rank: an item's score is the sum of weight / (60 + rank) over the rankings that have it.

Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods", SIGIR
2009, with their constant 60.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)
RANK_CONSTANT = 60


def fuse(rankings: Sequence[tuple[Sequence[Item], float]]) -> list[Item]:
    """Return all items of some rankings, each with its weight, best first; equal ones in the order of the rankings."""
    scores: dict[Item, float] = {}
    for ranking, weight in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), 1):
            scores[item] = scores.get(item, 0.0) + weight / (RANK_CONSTANT + rank)
    return sorted(scores, key=lambda item: -scores[item])


def calibrate_scores(order: Sequence[Item], evidence: Mapping[Item, float]) -> list[tuple[Item, float]]:
    """Give the items of a fused order values between 0 and 1 that fall with it: the n-th has the n-th largest evidence.

    The sums of reciprocal ranks say nothing about how good a result is: the first one of nonsense has the same as the
    first one of a title that was typed word by word.
    """
    values = sorted((min(1.0, max(0.0, evidence.get(item, 0.0))) for item in order), reverse=True)
    return list(zip(order, (round(value, 4) for value in values), strict=True))
