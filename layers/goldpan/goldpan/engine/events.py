"""The events of a search: one for each finished stage, with what it found and how long the functions took."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from goldpan.contracts import ExecutionTime
from goldpan.engine.deadlines import Stage
from goldpan.kinds.answer import Answer
from goldpan.known import Preview


@dataclass(frozen=True)
class SearchEvent:
    """A finished stage: a short message for people, the times so far, and the value that the stage returned.

    `kind` is None for the last event, which alone has the answer. `result` is the kind's own value: a translation, a
    list of batches, a shortlist, a list of verdicts, a `KindResult`.
    """

    stage: Stage
    message: str
    execution_time: ExecutionTime
    kind: str | None = None
    result: object = None
    preview: tuple[Preview, ...] = ()
    """The best of a shortlist, for people who watch the search."""
    answer: Answer | None = None


def execution_time(started_at: datetime, ended: Mapping[Stage, datetime], now: datetime) -> ExecutionTime:
    """Divide the time since the start among the functions, by when the last of all kinds had translated and scouted."""
    translated = ended.get("translate", started_at)
    query_translator, scout, screener = spans(started_at, translated, ended.get("scout", translated), now)
    [total] = spans(started_at, now)
    return ExecutionTime(query_translator=query_translator, scout=scout, screener=screener, total=total)


def latest(ended: Iterable[tuple[Stage, datetime | None]]) -> dict[Stage, datetime]:
    """Return when the last of all kinds had ended each stage."""
    found: dict[Stage, datetime] = {}
    for stage, at in ended:
        if at is not None:
            found[stage] = max(at, found.get(stage, at))
    return found


def spans(*times: datetime) -> list[int]:
    """Return the milliseconds between each time and the next one."""
    return [max(0, round(1000 * (end - begin).total_seconds())) for begin, end in pairwise(times)]
