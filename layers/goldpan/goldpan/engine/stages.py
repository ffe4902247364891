"""The five stages of a kind: plain functions over an input, the request, dependencies and a deadline."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from goldpan.config import Frozen
from goldpan.contracts import SearchRequest, Section
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.stage_values import Batch, KindResult, Shortlist, Task, TaskFailure, Translation
from goldpan.known import Preview

ScoutTaskT = TypeVar("ScoutTaskT", bound=Task)
TranslationT = TypeVar("TranslationT", bound=Translation)
BatchT = TypeVar("BatchT", bound=Batch)
ScoreTaskT = TypeVar("ScoreTaskT", bound=Task)
ShortlistT = TypeVar("ShortlistT", bound=Shortlist)
VerdictT = TypeVar("VerdictT", bound=Frozen)


@dataclass(frozen=True)
class Models(Generic[ScoutTaskT, TranslationT, BatchT, ScoreTaskT, ShortlistT, VerdictT]):
    """The models of a kind's values, by which the values are parsed at the border of each function."""

    scout_task: type[ScoutTaskT]
    translation: type[TranslationT]
    batch: type[BatchT]
    shortlist: type[ShortlistT]
    score_task: type[ScoreTaskT]
    verdict: type[VerdictT]


@dataclass(frozen=True)
class Summaries(Generic[BatchT, ShortlistT, VerdictT]):
    """Describe the value of each finished stage in one short sentence."""

    scout: Callable[[Sequence[BatchT]], str]
    shortlist: Callable[[ShortlistT], str]
    score: Callable[[Sequence[VerdictT]], str]
    rank: Callable[[KindResult], str]
    translate: str = "Query translated"


@dataclass(frozen=True)
class Stages(Generic[ScoutTaskT, TranslationT, BatchT, ScoreTaskT, ShortlistT, VerdictT]):
    """The stages of a kind, and what takes the place of lost work."""

    translate: Callable[[SearchRequest, Sequence[str], Dependencies, Deadline], TranslationT]
    scout: Callable[[ScoutTaskT, Dependencies, Deadline], BatchT]
    shortlist: Callable[[Sequence[BatchT], TranslationT, SearchRequest, Dependencies, Deadline], ShortlistT]
    score: Callable[[ScoreTaskT, SearchRequest, Dependencies, Deadline], VerdictT]
    rank: Callable[[ShortlistT, Sequence[VerdictT], TranslationT, SearchRequest, datetime], KindResult]
    failed_batch: Callable[[ScoutTaskT, TaskFailure], BatchT]
    """Make the batch of a scout task that has no result."""
    unscored: Callable[[ScoreTaskT, TaskFailure], VerdictT]
    """Make the verdict of a scoring task that has no result."""
    summaries: Summaries[BatchT, ShortlistT, VerdictT]
    preview: Callable[[Sequence[BatchT] | ShortlistT], tuple[Preview, ...]] = lambda _: ()
    """List the best of a shortlist or the first of the batches, for people who watch a search, and for errors."""
    join: Callable[[Any, Any, SearchRequest], Section] | None = None
    """Return the section of a round with the results of a later one, each once; None for the order by relevance."""

    def timed_scout(self, task: ScoutTaskT, dependencies: Dependencies, deadline: Deadline) -> BatchT:
        """Run a scout task, and put how long it took into the status of its source."""
        started_at = deadline.clock.now()
        batch = self.scout(task, dependencies, deadline)
        took = round(1000 * (deadline.clock.now() - started_at).total_seconds())
        return batch.model_copy(update={"status": batch.status.model_copy(update={"duration_ms": max(0, took)})})
