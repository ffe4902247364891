"""The table of kinds: what each brings to the stages. A further kind is one folder and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from goldpan.contracts import Kind, Outcome, SearchRequest, Source
from goldpan.deadline import Deadline
from goldpan.errors import InvalidRequest
from goldpan.repositories import rank, score, scout, shortlist, translate
from goldpan.repositories.contracts import Batch, ScoreTask, ScoutTask, Shortlist, Translation, Unscored, Verdict
from goldpan.repositories.ports import Ports


@dataclass(frozen=True)
class Nodes:
    """The stages of a kind; a test or a benchmark may put others in their place."""

    translate: Callable[[SearchRequest, Sequence[Source], Ports, Deadline], Translation] = translate.translate
    scout: Callable[[ScoutTask, Ports, Deadline], Batch] = scout.scout
    shortlist: Callable[[Sequence[Batch], Translation, SearchRequest, Ports, Deadline], Shortlist] = shortlist.shortlist
    score: Callable[[ScoreTask, SearchRequest, Ports, Deadline], Verdict] = score.score
    rank: Callable[[Shortlist, Sequence[Verdict | Unscored], Translation, SearchRequest, datetime], Outcome] = rank.rank


KINDS: dict[Kind, Nodes] = {"repositories": Nodes()}


def nodes_of(kind: str) -> Nodes:
    """Give the stages of a kind. Raises `InvalidRequest` for one that cannot be searched."""
    nodes = next((nodes for name, nodes in KINDS.items() if name == kind), None)
    if nodes is None:
        message = f"kinds: {kind!r} cannot be searched yet; allowed: {', '.join(KINDS)}"
        raise InvalidRequest(message)
    return nodes
