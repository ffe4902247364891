"""The stages as the handlers call them: parse the kind's values, run the stage, and return what the next one needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from goldpan.aws.events import (
    AssembleEvent,
    KindOutcome,
    RankEvent,
    ScoreEvent,
    ScoutEvent,
    ShortlistEvent,
    ShortlistResult,
    TranslateEvent,
    TranslateResult,
    Values,
)
from goldpan.aws.single_flight import answer_recorder
from goldpan.aws.telemetry import measure_response
from goldpan.config import Frozen
from goldpan.contracts import Answer, ExecutionTime, parse_request
from goldpan.engine.assemble import assemble as assemble_answer
from goldpan.engine.assemble import log_summary, raise_terminal_error
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.kind import Batch, TaskFailure, with_task_failures
from goldpan.engine.problem_details import Response, respond
from goldpan.errors import Defect
from goldpan.kinds.registry import get_kind


def translate(event: TranslateEvent, dependencies: Dependencies) -> TranslateResult:
    """Translate the question for one kind."""
    kind = get_kind(event.kind)
    sources = kind.select_sources(event.request.sources, kind.default_sources)
    translation = kind.translate(event.request, sources, dependencies, event.deadline(dependencies.clock))
    return TranslateResult(request=event.request, translation=translation, ended_at=dependencies.clock.now())


def scout(event: ScoutEvent, dependencies: Dependencies) -> Batch:
    """Run one strategy."""
    kind = get_kind(event.kind)
    task = kind.models.scout_task.model_validate(event.task)
    batch: Batch = kind.scout(task, dependencies, event.deadline(dependencies.clock))
    return batch


def shortlist(event: ShortlistEvent, dependencies: Dependencies) -> ShortlistResult:
    """Merge all batches."""
    scouted_at, kind = dependencies.clock.now(), get_kind(event.kind)
    translation = kind.models.translation.model_validate(event.translation)
    batches = with_task_failures(translation.tasks, _parse_results(event.batches, kind.models.batch), kind.failed_batch)
    made = kind.shortlist(batches, translation, event.request, dependencies, event.deadline(dependencies.clock))
    return ShortlistResult(shortlist=made, concurrency=event.request.config.llm_concurrency, scouted_at=scouted_at)


def score(event: ScoreEvent, dependencies: Dependencies) -> Frozen:
    """Score one candidate."""
    kind = get_kind(event.kind)
    task = kind.models.score_task.model_validate(event.task)
    verdict: Frozen = kind.score(task, event.request, dependencies, event.deadline(dependencies.clock))
    return verdict


def rank(event: RankEvent) -> KindOutcome:
    """Rank the verdicts of one kind."""
    kind = get_kind(event.kind)
    translation = kind.models.translation.model_validate(event.translation)
    tasks = kind.models.shortlist.model_validate(event.shortlist)
    verdicts = with_task_failures(tasks.tasks, _parse_results(event.verdicts, kind.models.verdict), kind.unscored)
    return KindOutcome(
        kind=event.kind,
        request=event.request,
        result=kind.rank(tasks, verdicts, translation, event.request, datetime.now(UTC)),
        translated_at=event.translated_at,
        scouted_at=event.scouted_at,
    )


def assemble(event: AssembleEvent, dependencies: Callable[[], Dependencies]) -> Response:
    """Assemble the answer of all kinds and cache it, or describe the terminal error."""
    answers: list[Answer] = []

    def answer() -> Answer:
        answers.append(_answer(event))
        return answers[0]

    with answer_recorder(event, dependencies) as recorder:
        response = respond(answer, lambda: datetime.now(UTC))
        for made in answers:
            recorder.record(made)
    measure_response(response, next(iter(answers), None))
    return response


def _answer(event: AssembleEvent) -> Answer:
    now, outcomes = datetime.now(UTC), [outcome.unwrap() for outcome in event.outcomes]
    raise_terminal_error(outcomes)
    request = next((each.request for each in event.outcomes if each.request), None) or parse_request(event.request)
    if not outcomes:
        raise Defect("no kind was searched, although the request is valid")
    answer = assemble_answer(request, outcomes, execution_time(event, now), now)
    log_summary(answer)
    return answer


def execution_time(event: AssembleEvent, now: datetime) -> ExecutionTime:
    """Divide the time since the start among the functions; kinds run side by side, so the slowest counts."""
    translated = max((each.translated_at for each in event.outcomes if each.translated_at), default=event.started_at)
    scouted = max((each.scouted_at for each in event.outcomes if each.scouted_at), default=translated)
    times = (event.started_at, translated, scouted, now)
    spent = [max(0, round(1000 * (end - begin).total_seconds())) for begin, end in pairwise(times)]
    total = max(0, round(1000 * (now - event.started_at).total_seconds()))
    return ExecutionTime(query_translator=spent[0], scout=spent[1], screener=spent[2], total=total)


def _parse_results(rows: Sequence[Values], model: type[Frozen]) -> list[Any]:
    """Parse the results of a Map state: values of the kind, or `{task_id, failure}`."""
    return [TaskFailure.model_validate(row) if "task_id" in row else model.model_validate(row) for row in rows]
