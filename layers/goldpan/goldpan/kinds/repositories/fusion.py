"""Merges what the strategies found: reciprocal rank fusion, one vote a strategy.

score = sum over the strategies of weight / (60 + rank), after Cormack, Clarke and Buettcher, SIGIR 2009, with their
constant. A strategy that lists an item twice, or at two sources, votes once, with the better rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from goldpan.contracts import FoundBy
from goldpan.kinds.repositories.models import Batch, Repository

RRF_CONSTANT = 60


@dataclass(frozen=True)
class Candidate:
    """A repository as merged from all batches, the strategies' agreement on it (0-1) and who found it."""

    repository: Repository
    source: str
    agreement: float
    found_by: tuple[FoundBy, ...]


def fuse(batches: Iterable[Batch], weights: Mapping[str, float]) -> tuple[Candidate, ...]:
    """Merge by full name (of any case), best score first; nothing that a batch holds is lost."""
    ranks: dict[str, dict[str, int]] = {}
    facts: dict[str, tuple[Repository, str]] = {}
    for batch in batches:
        for rank, repository in enumerate(batch.candidates, start=1):
            key = repository.full_name.lower()
            votes = ranks.setdefault(key, {})
            votes[batch.status.strategy] = min(rank, votes.get(batch.status.strategy, rank))
            known = facts.get(key)
            facts[key] = (_merged(known[0], repository), known[1]) if known else (repository, batch.status.source)
    found = (
        Candidate(
            repository=facts[key][0],
            source=facts[key][1],
            agreement=_agreement(votes, weights),
            found_by=tuple(FoundBy(strategy=strategy, rank=rank) for strategy, rank in sorted(votes.items())),
        )
        for key, votes in ranks.items()
    )
    return tuple(sorted(found, key=_order))


def _agreement(votes: Mapping[str, int], weights: Mapping[str, float]) -> float:
    """Fuse the votes, as a share of what the first rank in every strategy would give."""
    most = sum(weights.values()) / (RRF_CONSTANT + 1)
    return sum(weights.get(strategy, 0.0) / (RRF_CONSTANT + rank) for strategy, rank in votes.items()) / most


def _order(candidate: Candidate) -> tuple[float, int, str]:
    return (-candidate.agreement, -(candidate.repository.stars or 0), candidate.repository.full_name.lower())


def _merged(one: Repository, other: Repository) -> Repository:
    """Fill what the first record does not know from the other; the day of observation goes with its fact."""
    filled = {name: value for name, value in other if getattr(one, name) in (None, ()) and name != "observed"}
    days = {name: day for name, day in other.observed.items() if name in filled}
    return one.model_copy(update={**filled, "observed": {**one.observed, **days}})
