"""The flow on one machine: translate, scout, shortlist, score and rank for every kind side by side, then assemble.

The same flow is written in statemachine/search.asl.yaml for AWS, and nowhere else.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from goldpan.config import Frozen
from goldpan.contracts import ExecutionTime, SearchRequest
from goldpan.engine.answers import assemble, log_summary
from goldpan.engine.deadlines import Clock, Deadline, Stage, stage_deadline, stage_end
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.events import SearchEvent, execution_time, latest, spans
from goldpan.engine.failures import ENDING, kind_failure, known_so_far, log_defect
from goldpan.engine.kind import AnyKind
from goldpan.engine.stage_values import (
    Batch,
    KindFailure,
    KindResult,
    ResultT,
    Shortlist,
    Task,
    TaskFailure,
    Translation,
    with_scout_errors,
    with_task_failures,
)
from goldpan.errors import Cancelled, Defect, TerminalError
from goldpan.infra.threads import merge_iterators, run_parallel
from goldpan.kinds.registry import get_kind

MAX_CONCURRENT_SCOUTS = 40
GRACE_SECONDS = 0.25
"""How long a stage may exceed its deadline to report how it ended, before it is abandoned."""


def run(request: SearchRequest, dependencies: Dependencies, *, sources: Sequence[str]) -> Iterator[SearchEvent]:
    """Run a search and yield an event for each finished stage; the last one has the answer with all its results.

    `sources` are queried if the request names none. Raises `TerminalError` or `Defect`, with what was known by then.
    """
    started_at = dependencies.clock.now()
    runs = [_KindRun(get_kind(name), request, dependencies, started_at) for name in request.kinds]
    streams = [run.events(sources) for run in runs]
    yield from streams[0] if len(streams) == 1 else merge_iterators(streams)
    try:
        answer = assemble(request, [run.outcome for run in runs], ExecutionTime(), dependencies.clock.now())
    except Defect as error:
        raise error from next((run.defect for run in runs if run.defect), error.__cause__)
    now, ended = dependencies.clock.now(), latest(each for run in runs for each in run.ended.items())
    answer = answer.model_copy(update={"execution_time_ms": execution_time(started_at, ended, now)})
    log_summary(answer, dict(zip((*ended, "assemble"), spans(started_at, *ended.values(), now), strict=True)))
    yield SearchEvent("assemble", "Answered", answer.execution_time_ms, answer=answer)


class _KindRun:
    """The stages of one kind."""

    outcome: KindResult | KindFailure
    defect: Exception | None = None

    def __init__(self, kind: AnyKind, request: SearchRequest, dependencies: Dependencies, started_at: datetime) -> None:
        self._kind, self._request, self._dependencies, self._started_at = kind, request, dependencies, started_at
        self._stages = kind.stages()
        self._limits = kind.scoring_limits(request.config)
        self._translation: Translation | None = None
        self._found: Sequence[Batch] | Shortlist = ()
        self.ended: dict[Stage, datetime] = {}

    def events(self, sources: Sequence[str]) -> Iterator[SearchEvent]:
        """Run the stages and yield an event for each; a terminal error or a defect becomes the outcome of this kind."""
        try:
            yield from self._run_stages(sources)
        except (Cancelled, ModuleNotFoundError):
            raise
        except Exception as error:  # noqa: BLE001 - logged; the others of the search are answered
            if not isinstance(error, (TerminalError, Defect)):
                self.defect = error
                log_defect(error, f"the search for {self._kind.name}")
            known = known_so_far(self._kind, self._translation, self._found)
            self.outcome = kind_failure(error, self._kind.name, known)

    def _run_stages(self, sources: Sequence[str]) -> Iterator[SearchEvent]:
        stages, request, dependencies = self._stages, self._request, self._dependencies
        names = self._kind.select_sources(request, sources)
        self._translation = translation = stages.translate(request, names, dependencies, self._deadline("translate"))
        yield self._event("translate", stages.summaries.translate, translation)
        end = self._deadline("scout")
        rows = self._run_tasks("scout", translation.tasks, self._scout, MAX_CONCURRENT_SCOUTS, end)
        self._found = batches = with_task_failures(translation.tasks, rows, stages.failed_batch)
        yield self._event("scout", stages.summaries.scout(batches), batches)
        made = stages.shortlist(batches, translation, request, dependencies, self._deadline("shortlist"))
        self._found = shortlist = with_scout_errors(made, rows, dependencies.clock.now())
        event = self._event("shortlist", stages.summaries.shortlist(shortlist), shortlist)
        yield replace(event, preview=stages.preview(shortlist))
        end = stage_end("score", *self._times())
        scored = self._run_tasks("score", shortlist.tasks, self._score, self._limits.at_once, end)
        verdicts = with_task_failures(shortlist.tasks, scored, stages.unscored)
        yield self._event("score", stages.summaries.score(verdicts), verdicts)
        ranked = stages.rank(shortlist, verdicts, translation, request, dependencies.clock.now())
        self.outcome = result = KindResult.model_validate(ranked)  # that of another distribution could be anything
        yield self._event("rank", stages.summaries.rank(result), result)

    def _scout(self, task: Task, deadline: Deadline) -> Batch:
        return self._stages.timed_scout(task, self._dependencies, deadline)

    def _score(self, task: Task, deadline: Deadline) -> Frozen:
        return self._stages.score(task, self._request, self._dependencies, deadline)

    def _run_tasks(
        self, stage: Stage, tasks: Sequence[Task], run: Callable[[Task, Deadline], ResultT], at_once: int, end: Deadline
    ) -> list[ResultT | TaskFailure]:
        """Run tasks in parallel, each with its own deadline; a defect costs its own task, and is logged once."""
        started, defects = set[str](), dict[str, Exception]()

        def run_task(task: Task) -> ResultT | TaskFailure:
            deadline = self._deadline(stage)
            if deadline.left:
                started.add(task.id)
            try:
                return run(task, deadline)
            except ENDING:
                raise
            except Exception as error:  # noqa: BLE001 - logged below
                defects.setdefault(str(traceback.extract_tb(error.__traceback__)[-1:]), error)
                return TaskFailure(task_id=task.id, failure="failed")

        results = run_parallel(tasks, run_task, at_once, end.before(-GRACE_SECONDS))
        for error in defects.copy().values():
            log_defect(error, f"a task of {stage}")
        return [
            result or TaskFailure(task_id=task.id, failure="timeout" if task.id in started else "not_started")
            for task, result in zip(tasks, results, strict=True)
        ]

    def _event(self, stage: Stage, message: str, value: object) -> SearchEvent:
        self.ended[stage] = now = self._dependencies.clock.now()
        times = execution_time(self._started_at, self.ended, now)
        return SearchEvent(stage, message, times, kind=self._kind.name, result=value)

    def _deadline(self, stage: Stage) -> Deadline:
        return stage_deadline(stage, *self._times())

    def _times(self) -> tuple[datetime, SearchRequest, Clock, float | None]:
        return self._started_at, self._request, self._dependencies.clock, self._limits.target_seconds
