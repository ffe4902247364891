"""The flow on one machine: translate, scout, shortlist, score, rank, assemble.

The same flow stands in statemachine/search.asl.yaml for AWS, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import cast

from goldpan.contracts import Answer, Kind, KindFailure, KindResult, SearchRequest, Source, SourceStatus, Usage
from goldpan.engine.assemble import assemble
from goldpan.engine.deadlines import Deadline
from goldpan.engine.events import Progress, SearchEvent, Stage
from goldpan.engine.schedule import stage_deadline
from goldpan.errors import OutOfTime, SourcesFailed
from goldpan.infra.threads import run_parallel
from goldpan.kinds.registry import Stages, stages_of
from goldpan.kinds.repositories import shortlist, translate
from goldpan.kinds.repositories.models import Batch, ScoreTask, ScoutTask, Shortlist, Unscored, Verdict
from goldpan.kinds.repositories.ports import Dependencies
from goldpan.kinds.repositories.score import TIME_WAS_UP

SCOUTS_AT_ONCE = 40
GRACE_SECONDS = 0.25
"""What a stage may take beyond its deadline to say how it ended, before it is given up."""


def stream_search(
    request: SearchRequest,
    dependencies: Dependencies,
    *,
    sources: Sequence[Source],
    fallback: Sequence[Source] = (),
    nodes: Stages | None = None,
) -> Iterator[SearchEvent]:
    """Run a search and tell each stage as it ends; the last event holds the answer.

    `sources` are asked where the request names none; `fallback` where they all fail. Raises `TerminalError`.
    """
    lines = {kind: nodes or stages_of(kind) for kind in request.kinds}
    return _Run(request, dependencies, lines).events(request.sources or sources, fallback)


def search(
    request: SearchRequest,
    dependencies: Dependencies,
    *,
    sources: Sequence[Source],
    fallback: Sequence[Source] = (),
    nodes: Stages | None = None,
) -> Answer:
    """Run a search and give its answer. Raises `TerminalError`."""
    *_, last = stream_search(request, dependencies, sources=sources, fallback=fallback, nodes=nodes)
    return cast("Answer", last.answer)


class _Run:
    """One search."""

    def __init__(self, request: SearchRequest, dependencies: Dependencies, lines: dict[Kind, Stages]) -> None:
        self._request, self._ports, self._lines = request, dependencies, lines
        self._progress = Progress(request, dependencies.clock)

    def events(self, sources: Sequence[Source], fallback: Sequence[Source]) -> Iterator[SearchEvent]:
        lines: list[KindResult | KindFailure] = []
        for kind, nodes in self._lines.items():
            try:
                lines.append((yield from self._line(nodes, sources, fallback)))
            except (SourcesFailed, OutOfTime) as ended:
                lines.append(KindFailure(kind=kind, error=type(ended).__name__, message=str(ended)))
        now = self._ports.clock.now()
        yield self._progress.answered(assemble(self._request, lines, self._progress.times, now))

    def _line(
        self, nodes: Stages, sources: Sequence[Source], fallback: Sequence[Source]
    ) -> Generator[SearchEvent, None, KindResult]:
        """Run the stages of one kind."""
        request, dependencies, until, ended = self._request, self._ports, self._deadline, self._progress.ended
        translation = nodes.translate(request, sources, dependencies, until("translate"))
        yield ended("translate", "Query translated", translation.errors, search_params=translation.params)
        batches = self._scout(nodes, translation.tasks)
        if fallback and all(batch.status.status in shortlist.FAILED for batch in batches):
            translation = translate.replan(translation, request, fallback, dependencies, _why(batches, fallback))
            batches += self._scout(nodes, translation.tasks, "shortlist")
        merged = {item.full_name.lower(): item for batch in batches for item in batch.candidates}
        yield ended("scout", f"Found {len(merged)} candidates", candidate_repos=tuple(merged.values()))
        shortlisted = nodes.shortlist(batches, translation, request, dependencies, until("shortlist"))
        kept = tuple(task.repository for task in shortlisted.tasks)
        yield ended("shortlist", f"Shortlisted {len(kept)} repositories", coarse_filtered_repos=kept)
        verdicts = self._score(nodes, shortlisted)
        yield ended("score", f"Scored {len(verdicts)} repositories")
        outcome = nodes.rank(shortlisted, verdicts, translation, request, dependencies.clock.now())
        results = outcome.repositories.results if outcome.repositories else ()
        yield ended("rank", f"Ranked {len(results)} repositories", top_repos=results)
        return outcome

    def _scout(self, nodes: Stages, tasks: Sequence[ScoutTask], stage: Stage = "scout") -> list[Batch]:
        """Run the scouts side by side; a second round, for a fallback, has the time of the stage after."""
        until = self._deadline(stage)
        given_up = until.before(-GRACE_SECONDS)
        batches = run_parallel(tasks, lambda task: nodes.scout(task, self._ports, until), SCOUTS_AT_ONCE, given_up)
        return [batch or _timed_out(task) for task, batch in zip(tasks, batches, strict=True)]

    def _score(self, nodes: Stages, shortlisted: Shortlist) -> list[Verdict | Unscored]:
        """Score the tasks side by side, best first; what the clock cuts is judged by rules, a call begun is counted."""
        until = self._deadline("score")
        begun: set[str] = set()

        def judge(task: ScoreTask) -> Verdict:
            if until.left:
                begun.add(task.repository.full_name)
            return nodes.score(task, self._request, self._ports, until)

        given_up, at_once = until.before(-GRACE_SECONDS), self._request.config.llm_concurrency
        verdicts = run_parallel(shortlisted.tasks, judge, at_once, given_up)
        return [
            verdict or _unscored(task, asked=task.ask_llm and task.repository.full_name in begun)
            for task, verdict in zip(shortlisted.tasks, verdicts, strict=True)
        ]

    def _deadline(self, stage: Stage) -> Deadline:
        return stage_deadline(stage, self._progress.begun, self._request, self._ports.clock)


def _why(batches: Sequence[Batch], fallback: Sequence[Source]) -> str:
    """Say in one line what failed and what was asked instead."""
    failed = next(
        iter(dict.fromkeys(f"{batch.status.source}: {batch.status.detail}" for batch in batches)), "no source"
    )
    return f"{failed}; asked the {', '.join(fallback)} instead."


def _unscored(task: ScoreTask, *, asked: bool) -> Unscored:
    spent = Usage(llm_calls=1) if asked else Usage()
    return Unscored(full_name=task.repository.full_name, failure=TIME_WAS_UP, usage=spent)


def _timed_out(task: ScoutTask) -> Batch:
    detail = "no answer before the deadline of the stage"
    return Batch(
        status=SourceStatus(
            kind="repositories", strategy=task.strategy, source=task.source, status="timeout", detail=detail
        )
    )
