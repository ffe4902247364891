"""The table of kinds: what each brings to the stages. A further kind is one folder and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from goldpan.contracts import Kind, KindResult, SearchRequest, Source
from goldpan.engine.deadlines import Deadline
from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories import rank, score, scout, shortlist, translate
from goldpan.kinds.repositories.models import Batch, ScoreTask, ScoutTask, Shortlist, Translation, Unscored, Verdict
from goldpan.kinds.repositories.ports import Dependencies


@dataclass(frozen=True)
class Stages:
    """The stages of a kind; a test or a benchmark may put others in their place."""

    translate: Callable[[SearchRequest, Sequence[Source], Dependencies, Deadline], Translation] = translate.translate
    scout: Callable[[ScoutTask, Dependencies, Deadline], Batch] = scout.scout
    shortlist: Callable[[Sequence[Batch], Translation, SearchRequest, Dependencies, Deadline], Shortlist] = (
        shortlist.shortlist
    )
    score: Callable[[ScoreTask, SearchRequest, Dependencies, Deadline], Verdict] = score.score
    rank: Callable[[Shortlist, Sequence[Verdict | Unscored], Translation, SearchRequest, datetime], KindResult] = (
        rank.rank
    )


KINDS: dict[Kind, Stages] = {"repositories": Stages()}


def stages_of(kind: str) -> Stages:
    """Give the stages of a kind. Raises `InvalidRequest` for one that cannot be searched."""
    nodes = next((nodes for name, nodes in KINDS.items() if name == kind), None)
    if nodes is None:
        message = f"kinds: {kind!r} cannot be searched yet; allowed: {', '.join(KINDS)}"
        raise InvalidRequest(message)
    return nodes
