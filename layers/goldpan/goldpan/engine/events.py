"""The events of a search: one for each finished stage, with what it found and how long the functions took."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from goldpan.contracts import ExecutionTime
from goldpan.engine.deadlines import Clock, Stage
from goldpan.kinds.answer import Answer
from goldpan.known import Preview

FUNCTIONS: dict[Stage, str] = {
    "translate": "query_translator",
    "scout": "scout",
    **dict.fromkeys(("shortlist", "score", "rank", "assemble"), "screener"),
}
"""The function that runs each stage."""


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


class StageTimer:
    """Attributes the time of a search to the functions that run its stages."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.started_at = self._last = clock.now()
        self.times = ExecutionTime()
        self.stage_ms: dict[str, int] = {}

    def continue_from(self, timers: Sequence[Self]) -> None:
        """Take over the times of timers that ran side by side: of each function and stage, the longest time counts."""
        names = [name for name in ExecutionTime.model_fields if name != "total"]
        longest = {name: max(getattr(timer.times, name) for timer in timers) for name in names}
        for stage in dict.fromkeys(stage for timer in timers for stage in timer.stage_ms):
            self.stage_ms[stage] = max(timer.stage_ms[stage] for timer in timers if stage in timer.stage_ms)
        self.times, self._last = ExecutionTime(**longest), max(timer._last for timer in timers)  # noqa: SLF001

    def finish(self, stage: Stage) -> ExecutionTime:
        """Attribute the time since the last call to the function of this stage, and return the times so far."""
        previous, self._last = self._last, self._clock.now()
        function = FUNCTIONS[stage]
        self.stage_ms[stage] = round(1000 * (self._last - previous).total_seconds())
        spent = getattr(self.times, function) + self.stage_ms[stage]
        total = round(1000 * (self._last - self.started_at).total_seconds())
        self.times = self.times.model_copy(update={function: spent, "total": total})
        return self.times
