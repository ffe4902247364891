"""When each stage must have ended, counted from the begin of the search, wherever the stage runs."""

from __future__ import annotations

from datetime import datetime, timedelta

from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.engine.events import Stage
from goldpan.errors import OutOfTime

SECONDS: dict[Stage, float] = {"translate": 5, "scout": 6, "shortlist": 4, "score": 10, "rank": 1}
"""What each stage may take at most; where the asker allows less in all, each gets its share of that."""


def stage_deadline(stage: Stage, begun: datetime, request: SearchRequest, clock: Clock) -> Deadline:
    """Give a stage its seconds, and leave those of the stages after it, whatever the ones before it took.

    Scoring ends at the latest at `target_seconds`. Raises `OutOfTime` where no time is left to translate; after that
    every part says for itself that it was late, and what was found is answered.
    """
    names, allowed = list(SECONDS), request.max_seconds
    by_then = sum(SECONDS[name] for name in names[: names.index(stage) + 1])
    share = min(1.0, allowed / sum(SECONDS.values()))
    until = Deadline(begun + timedelta(seconds=by_then * share), clock).within(SECONDS[stage])
    if not until.left and stage == "translate":
        message = f"max_seconds: {allowed} seconds were not enough to find anything"
        raise OutOfTime(message)
    target = request.config.target_seconds
    if stage == "score" and target is not None:
        return Deadline(min(until.at, begun + timedelta(seconds=target)), clock)
    return until
