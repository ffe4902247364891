"""The stages as the handlers call them: parse the kind's values, run the stage, return what the next one needs."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import uuid4

from goldpan.aws import events
from goldpan.aws.telemetry import measure_response, measure_usage
from goldpan.config import Frozen
from goldpan.contracts import SearchRequest, parse_request
from goldpan.contracts.progress import FinishedStage
from goldpan.contracts.request import require_waiting
from goldpan.engine.answer_cache import AnswerCache
from goldpan.engine.answers import page_of_kind
from goldpan.engine.deadlines import STAGE_SECONDS, Deadline, Stage
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.failures import known_so_far
from goldpan.engine.payload import RESERVED_BYTES, STATE_BYTES, json_text_size
from goldpan.engine.problem_details import Response, answered, problem
from goldpan.engine.rounds import round_message
from goldpan.engine.search import run_search
from goldpan.engine.stage_values import Batch, Shortlist, TaskFailure, with_scout_errors, with_task_failures
from goldpan.errors import GoldpanError, InvalidRequest, Misconfigured
from goldpan.infra.locks import has_waited_enough
from goldpan.infra.table import Change, Comparison, ConditionFailed
from goldpan.kinds.registry import analyzer as find_analyzer
from goldpan.kinds.registry import get_kind, library_access
from goldpan.known import Preview

ANALYSIS_SECONDS, MAX_RESPONSE_SECONDS = 20.0, 27.0
"""How long an analysis may take: the function ends after 22 seconds, the gateway responds within 29 of the request."""
NO_CLIENT = "async_"
"""How the names of executions for which no client waits begin; statemachine/accept.asl.yaml gives them."""
ROUND = re.compile(r"round_(.+)_(\d+)")
"""The name of an execution that is one round of such a search; statemachine/rounds.asl.yaml gives it."""
KEPT = "kept:"
"""How the keys of what one stage stores for a later one begin."""
KEPT_TTL = timedelta(minutes=6)
"""How long the cache has what one stage stores for a later one: no search lasts longer, in all of its rounds."""
ModelT = TypeVar("ModelT", bound=Frozen)


def begin(event: events.BeginEvent, dependencies: Dependencies) -> events.BeginResult:
    """Decide whether to refuse, to search, to wait for another execution, or to read what another one has stored."""
    try:
        request = require_waiting(parse_request(event.request))
    except InvalidRequest:
        return events.BeginResult(decision="refuse")
    return events.BeginResult(decision=_decide(event, request, dependencies), kinds=request.kinds)


def _decide(event: events.BeginEvent, request: SearchRequest, dependencies: Dependencies) -> events.Decision:
    """Decide; an execution that has waited long enough, or could not read what was stored, searches in any case.

    A stored answer is read even if its lock is still held: its release may have been throttled. The page that the
    machine reads is stored here, if others of the answer were asked for before.
    """
    cache, locks, key, owner = dependencies.cache, dependencies.locks, event.key, event.owner
    if cache is None or locks is None or not key:
        return "search"
    seconds, waited = request.max_seconds, dependencies.clock.now() - event.requested_at
    free = locks.may_run(key, owner, seconds, waited)
    if event.last_decision == "read" or has_waited_enough(seconds, waited):
        return "search" if free else "wait"
    newer_than = event.requested_at if event.refresh else None  # a warm-up wants a newer one
    if AnswerCache(cache, dependencies.clock).get(key, request, newer_than) is None:
        return "search" if free else "wait"
    if free:
        locks.release(key, owner)
    return "read"


def translate(event: events.TranslateEvent, dependencies: Dependencies) -> events.TranslateResult:
    """Translate the question for one kind."""
    kind = get_kind(event.kind)
    sources = kind.select_sources(event.request, kind.default_sources)
    stages = kind.stages()
    translation = stages.translate(event.request, sources, dependencies, event.deadline(dependencies.clock))
    report(event, "translate", stages.summaries.translate, dependencies)
    return events.TranslateResult(request=event.request, translation=translation, ended_at=dependencies.clock.now())


def scout(event: events.ScoutEvent, dependencies: Dependencies) -> Batch:
    """Run one strategy."""
    kind = get_kind(event.kind)
    task = kind.models.scout_task.model_validate(event.task)
    return kind.stages().timed_scout(task, dependencies, event.deadline(dependencies.clock))


def library(event: events.LibraryEvent, dependencies: Callable[[], Dependencies]) -> Response:
    """Run a request of a library, or describe why it has no answer; it is measured like a search."""
    projects = None if event.projects == events.ALL_PROJECTS else event.projects.split(",")
    try:
        made = dependencies()
        if made.libraries is None:
            raise Misconfigured("LIBRARY_BUCKET: is required")
        deadline = Deadline.after(STAGE_SECONDS["scout"], made.clock)
        response = library_access()[1].respond(event.path, event.request, made.libraries, projects, deadline)
        if json_text_size(response.body) > STATE_BYTES - RESERVED_BYTES:
            raise InvalidRequest("the results are too large for one response: ask for fewer")
    except GoldpanError as error:
        response = problem(error, datetime.now(UTC))
    measure_response(response, None)
    return response


def shortlist(event: events.ShortlistEvent, dependencies: Dependencies) -> events.ShortlistResult:
    """Merge all batches."""
    scouted_at, kind = dependencies.clock.now(), get_kind(event.kind)
    stages = kind.stages()
    translation = kind.models.translation.model_validate(event.translation)
    results = _parse_results(event.batches, kind.models.batch)
    batches = with_task_failures(translation.tasks, results, stages.failed_batch)
    report(event, "scout", stages.summaries.scout(batches), dependencies)
    made = stages.shortlist(batches, translation, event.request, dependencies, event.deadline(dependencies.clock))
    report(event, "shortlist", stages.summaries.shortlist(made), dependencies, stages.preview(made))
    key = keep(made.model_dump_json(include={"further"}, exclude_defaults=True), dependencies) if made.further else ""
    carried = made.model_copy(update={"further": (), "further_key": key})
    return events.ShortlistResult(
        shortlist=with_scout_errors(carried, results, dependencies.clock.now()),
        concurrency=kind.scoring_limits(event.request.config).at_once,
        scouted_at=scouted_at,
    )


def score(event: events.ScoreEvent, dependencies: Dependencies) -> Frozen:
    """Score one candidate."""
    kind = get_kind(event.kind)
    task = kind.models.score_task.model_validate(event.task)
    return kind.stages().score(task, event.request, dependencies, event.deadline(dependencies.clock))


def analyze(event: events.AnalyzeEvent, dependencies: Callable[[], Dependencies]) -> Response:
    """Analyze one result, or describe the terminal error."""
    try:
        made, analyzer = dependencies(), find_analyzer()
        request = analyzer.parse(event.request)
        latest = Deadline(event.requested_at + timedelta(seconds=MAX_RESPONSE_SECONDS), made.clock)
        analyzed = analyzer.analyze(request, made, run_search, latest.within(ANALYSIS_SECONDS))
        measure_usage(analyzed.usage)
        response = answered(analyzed.to_json())
    except GoldpanError as error:
        response = problem(error, datetime.now(UTC))
    measure_response(response, None)
    return response


def rank(event: events.RankEvent, shared: Dependencies) -> events.KindOutcome:
    """Rank the verdicts of one kind; no state carries more than a page."""
    kind = get_kind(event.kind)
    stages = kind.stages()
    translation = kind.models.translation.model_validate(event.translation)
    further = read_kept(str(event.shortlist.get("further_key", "")), shared) or b"{}"
    tasks = kind.models.shortlist.model_validate({**event.shortlist, **json.loads(further)})
    verdicts = with_task_failures(tasks.tasks, _parse_results(event.verdicts, kind.models.verdict), stages.unscored)
    report(event, "score", stages.summaries.score(verdicts), shared)
    result = stages.rank(tasks, verdicts, translation, event.request, datetime.now(UTC))
    report(event, "rank", stages.summaries.rank(result), shared)
    page = page_of_kind(result, event.request)
    return events.KindOutcome(
        kind=event.kind,
        request=event.request,
        result=page,
        whole_key="" if page.section.is_whole else keep(result.model_dump_json(exclude_defaults=True), shared),
        translated_at=event.translated_at,
        scouted_at=event.scouted_at,
    )


def fail(event: events.FailEvent) -> events.KindOutcome:
    """Describe how the stages of a kind failed: the error, and what the finished stages found."""
    kind = get_kind(event.kind)
    translation = kind.models.translation.model_validate(event.translation)
    found: Sequence[Batch] | Shortlist
    if isinstance(event.batches, Mapping):
        found = kind.models.shortlist.model_validate(event.batches["shortlist"])
    else:
        results = _parse_results(event.batches, kind.models.batch)
        found = with_task_failures(translation.tasks, results, kind.stages().failed_batch)
    return events.KindOutcome(kind=event.kind, failure=event.failure, known=known_so_far(kind, translation, found))


def report(
    event: events.StageEvent, stage: Stage, message: str, shared: Dependencies, preview: Sequence[Preview] = ()
) -> None:
    """Report a finished stage of a kind with the message of its event, if no client waits."""
    name, number, of_round = event.execution, 1, ROUND.fullmatch(event.execution)
    if of_round:
        name, number = f"{NO_CLIENT}{of_round[1]}", int(of_round[2])
    if shared.progress is not None and name.startswith(NO_CLIENT):
        text, at = round_message(number, message), shared.clock.now()
        finished = FinishedStage(stage=stage, kind=event.kind, message=text, at=at, preview=tuple(preview))
        attribute = f"{stage} {event.kind}" + (f" {number}" if number > 1 else "")
        change = Change({attribute: finished.model_dump_json()}, conditions=[[Comparison("ttl", ">", 0)]])
        with suppress(ConditionFailed):  # the state machines make the item, and store the response in it
            shared.progress.update(f"progress:{name}", change)


def keep(text: str, dependencies: Dependencies) -> str:
    """Store for a later stage what no state could carry, and return its key; "" if nothing can be stored."""
    if dependencies.cache is None:
        return ""
    key = f"{KEPT}{uuid4().hex}"
    dependencies.cache.write({key: text.encode()}, KEPT_TTL)
    return key


def read_kept(key: str, dependencies: Dependencies) -> bytes | None:
    """Return what an earlier stage stored, None if that is lost."""
    found = dependencies.cache.read([key], latest=True) if key and dependencies.cache else {}
    return found[key].value if key in found else None


def _parse_results(rows: Sequence[events.Values], model: type[ModelT]) -> list[ModelT | TaskFailure]:
    """Parse the results of a Map state: values of the kind, or `{task_id, failure}`."""
    return [TaskFailure.model_validate(row) if "task_id" in row else model.model_validate(row) for row in rows]
