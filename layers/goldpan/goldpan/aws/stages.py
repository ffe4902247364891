"""The four stages of the screener: each reads what it was asked, runs its stage, and says what the next one needs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from goldpan.aws.answering import answer_recorder
from goldpan.aws.assemble_messages import AssembleAsked, Line
from goldpan.aws.metrics import measure_response
from goldpan.aws.screener_messages import RankAsked, ScoreAsked, ShortlistAsked, Shortlisted
from goldpan.contracts import Answer
from goldpan.engine.assemble import assemble as assembled
from goldpan.engine.assemble import raise_terminal_error
from goldpan.engine.events import log_summary
from goldpan.engine.problem_details import Response, respond
from goldpan.kinds.registry import stages_of
from goldpan.kinds.repositories.models import Verdict
from goldpan.kinds.repositories.ports import Dependencies


def shortlist(asked: ShortlistAsked, dependencies: Dependencies) -> Shortlisted:
    """Make one list of all batches."""
    begun = dependencies.clock.now()
    run = stages_of(asked.kind).shortlist
    made = run(asked.batches, asked.translation, asked.request, dependencies, asked.deadline(dependencies.clock))
    return Shortlisted(shortlist=made, at_once=asked.request.config.llm_concurrency, scouted_at=begun)


def score(asked: ScoreAsked, dependencies: Dependencies) -> Verdict:
    """Judge one repository."""
    return stages_of(asked.kind).score(asked.task, asked.request, dependencies, asked.deadline(dependencies.clock))


def rank(asked: RankAsked) -> Line:
    """Order what was judged, and end the line of this kind."""
    now, run = datetime.now(UTC), stages_of(asked.kind).rank
    return Line(
        kind=asked.kind,
        request=asked.request,
        outcome=run(asked.shortlist, asked.verdicts, asked.translation, asked.request, now),
        translated_at=asked.translated_at,
        scouted_at=asked.scouted_at,
    )


def assemble(asked: AssembleAsked, dependencies: Callable[[], Dependencies]) -> Response:
    """Bring the kinds together, or say what ended the search; an answer is remembered, an ending is not."""
    answers: list[Answer] = []

    def answer() -> Answer:
        answers.append(_answer(asked))
        return answers[0]

    with answer_recorder(asked, dependencies) as kept:
        response = respond(answer, lambda: datetime.now(UTC))
        for made in answers:
            kept.keep(made)
    measure_response(response, next(iter(answers), None))
    return response


def _answer(asked: AssembleAsked) -> Answer:
    now, lines = datetime.now(UTC), [line.told() for line in asked.lines]
    raise_terminal_error(lines)
    made = assembled(asked.checked_request(), lines, asked.times(now), now)
    log_summary(made)
    return made
