"""The flow on one machine: translate, scout, shortlist, score, rank, assemble.

The same flow stands in statemachine/search.asl.yaml for AWS, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from goldpan.assemble import assemble
from goldpan.contracts import (
    Answer,
    Outcome,
    SearchRequest,
    Source,
    SourceStatus,
    Usage,
)
from goldpan.deadline import Deadline
from goldpan.errors import InvalidRequest, OutOfTime
from goldpan.parallel import run_parallel
from goldpan.progress import Progress, SearchEvent, Stage
from goldpan.repositories import rank, score, scout, shortlist, translate
from goldpan.repositories.contracts import (
    Batch,
    ScoreTask,
    ScoutTask,
    Shortlist,
    Translation,
    Verdict,
)
from goldpan.repositories.ports import Ports

SECONDS: dict[Stage, float] = {"translate": 5, "scout": 6, "shortlist": 4, "score": 10, "rank": 1}
"""What each stage may take at most; where the asker allows less in all, each gets its share of that."""
SCOUTS_AT_ONCE = 40


@dataclass(frozen=True)
class Nodes:
    """The stages of a kind; a test or a benchmark may put others in their place."""

    translate: Callable[[SearchRequest, Sequence[Source], Ports, Deadline], Translation] = translate.translate
    scout: Callable[[ScoutTask, Ports, Deadline], Batch] = scout.scout
    shortlist: Callable[[Sequence[Batch], Translation, SearchRequest, Ports, Deadline], Shortlist] = shortlist.shortlist
    score: Callable[[ScoreTask, SearchRequest, Ports, Deadline], Verdict] = score.score
    rank: Callable[[Shortlist, Sequence[Verdict], Translation, SearchRequest, datetime], Outcome] = rank.rank


KINDS = {"repositories": Nodes()}


def stream_search(
    request: SearchRequest,
    ports: Ports,
    *,
    sources: Sequence[Source],
    fallback: Sequence[Source] = (),
    nodes: Nodes | None = None,
) -> Iterator[SearchEvent]:
    """Run a search and tell each stage as it ends; the last event holds the answer.

    `sources` are asked where the request names none; `fallback` where they all fail. Raises `SearchEnded`.
    """
    return _Run(request, ports, nodes or _nodes_of(request)).events(request.sources or sources, fallback)


def search(
    request: SearchRequest,
    ports: Ports,
    *,
    sources: Sequence[Source],
    fallback: Sequence[Source] = (),
    nodes: Nodes | None = None,
) -> Answer:
    """Run a search and give its answer. Raises `SearchEnded`."""
    *_, last = stream_search(request, ports, sources=sources, fallback=fallback, nodes=nodes)
    return cast("Answer", last.answer)


def _nodes_of(request: SearchRequest) -> Nodes:
    unknown = [kind for kind in request.kinds if kind not in KINDS]
    if unknown:
        message = f"kinds: {unknown[0]!r} cannot be searched yet; allowed: {', '.join(KINDS)}"
        raise InvalidRequest(message)
    return KINDS[request.kinds[0]]


class _Run:
    """One search."""

    def __init__(self, request: SearchRequest, ports: Ports, nodes: Nodes) -> None:
        self._request, self._ports, self._nodes = request, ports, nodes
        self._progress = Progress(request, ports.clock)

    def events(self, sources: Sequence[Source], fallback: Sequence[Source]) -> Iterator[SearchEvent]:
        request, ports, nodes, until = self._request, self._ports, self._nodes, self._stage_deadline
        ended = self._progress.ended
        translation = nodes.translate(request, sources, ports, until("translate"))
        yield ended("translate", "Query translated", translation.errors, search_params=translation.params)
        batches = self._scout(translation.tasks)
        if fallback and all(batch.status.status in shortlist.FAILED for batch in batches):
            translation = translate.replan(translation, request, fallback, ports, _why(batches, fallback))
            batches += self._scout(translation.tasks, "shortlist")
        merged = {item.full_name.lower(): item for batch in batches for item in batch.candidates}
        yield ended("scout", f"Found {len(merged)} candidates", candidate_repos=tuple(merged.values()))
        shortlisted = nodes.shortlist(batches, translation, request, ports, until("shortlist"))
        kept = tuple(task.repository for task in shortlisted.tasks)
        yield ended("shortlist", f"Shortlisted {len(kept)} repositories", coarse_filtered_repos=kept)
        verdicts = self._score(shortlisted)
        yield ended("score", f"Scored {len(verdicts)} repositories")
        now = ports.clock.now()
        outcome = nodes.rank(shortlisted, verdicts, translation, request, now)
        results = outcome.repositories.results if outcome.repositories else ()
        yield ended("rank", f"Ranked {len(results)} repositories", top_repos=results)
        yield self._progress.answered(assemble(request, (outcome,), self._progress.times, now))

    def _scout(self, tasks: Sequence[ScoutTask], stage: Stage = "scout") -> list[Batch]:
        """Run the scouts side by side; a second round, for a fallback, has the time of the stage after."""
        until = self._stage_deadline(stage)
        batches = run_parallel(tasks, lambda task: self._nodes.scout(task, self._ports, until), SCOUTS_AT_ONCE, until)
        return [batch or _timed_out(task) for task, batch in zip(tasks, batches, strict=True)]

    def _score(self, shortlisted: Shortlist) -> list[Verdict]:
        """Score the tasks side by side, best first; what the clock cuts is judged by rules, a call begun is counted."""
        until = self._stage_deadline("score")
        target = self._request.config.target_seconds
        if target is not None:
            until = Deadline(min(until.at, self._progress.begun + timedelta(seconds=target)), until.clock)
        begun: set[str] = set()

        def judge(task: ScoreTask) -> Verdict:
            begun.add(task.repository.full_name)
            return self._nodes.score(task, self._request, self._ports, until)

        verdicts = run_parallel(shortlisted.tasks, judge, self._request.config.llm_concurrency, until)
        return [
            verdict or _cut_short(task, asked=task.ask_llm and task.repository.full_name in begun)
            for task, verdict in zip(shortlisted.tasks, verdicts, strict=True)
        ]

    def _stage_deadline(self, stage: Stage) -> Deadline:
        """Give a stage its seconds, and leave those of the stages after it, whatever the ones before it took.

        Raises `OutOfTime` where no time is left to find anything; what was found is always answered.
        """
        clock, allowed = self._ports.clock, self._request.max_seconds
        names = list(SECONDS)
        by_then = sum(SECONDS[name] for name in names[: names.index(stage) + 1])
        share = min(1.0, allowed / sum(SECONDS.values()))
        until = Deadline(self._progress.begun + timedelta(seconds=by_then * share), clock).within(SECONDS[stage])
        if not until.left and stage in {"translate", "scout"}:
            message = f"max_seconds: {allowed} seconds were not enough to find anything"
            raise OutOfTime(message)
        return until


def _why(batches: Sequence[Batch], fallback: Sequence[Source]) -> str:
    """Say in one line what failed and what was asked instead."""
    failed = next(
        iter(dict.fromkeys(f"{batch.status.source}: {batch.status.detail}" for batch in batches)), "no source"
    )
    return f"{failed}; asked the {', '.join(fallback)} instead."


def _cut_short(task: ScoreTask, *, asked: bool) -> Verdict:
    spent = Usage(llm_calls=1) if asked else Usage()
    return rank.by_rules(task).model_copy(update={"failure": "the time for scoring was up", "usage": spent})


def _timed_out(task: ScoutTask) -> Batch:
    detail = "no answer before the deadline of the stage"
    return Batch(
        status=SourceStatus(
            kind="repositories", strategy=task.strategy, source=task.source, status="timeout", detail=detail
        )
    )
