"""The four stages of the screener: each reads what it was asked, runs its stage, and says what the next one needs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from goldpan.assemble import assemble as assembled
from goldpan.assemble import raise_endings
from goldpan.contracts import Answer
from goldpan.deployment.answering import keeping
from goldpan.deployment.assemble_messages import AssembleAsked, Line
from goldpan.deployment.metrics import measure_response
from goldpan.deployment.screener_messages import RankAsked, ScoreAsked, ShortlistAsked, Shortlisted
from goldpan.kinds import nodes_of
from goldpan.progress import log_summary
from goldpan.repositories.contracts import Verdict
from goldpan.repositories.ports import Ports
from goldpan.responses import Response, respond


def shortlist(asked: ShortlistAsked, ports: Ports) -> Shortlisted:
    """Make one list of all batches."""
    begun = ports.clock.now()
    run = nodes_of(asked.kind).shortlist
    made = run(asked.batches, asked.translation, asked.request, ports, asked.deadline(ports.clock))
    return Shortlisted(shortlist=made, at_once=asked.request.config.llm_concurrency, scouted_at=begun)


def score(asked: ScoreAsked, ports: Ports) -> Verdict:
    """Judge one repository."""
    return nodes_of(asked.kind).score(asked.task, asked.request, ports, asked.deadline(ports.clock))


def rank(asked: RankAsked) -> Line:
    """Order what was judged, and end the line of this kind."""
    now, run = datetime.now(UTC), nodes_of(asked.kind).rank
    return Line(
        kind=asked.kind,
        request=asked.request,
        outcome=run(asked.shortlist, asked.verdicts, asked.translation, asked.request, now),
        translated_at=asked.translated_at,
        scouted_at=asked.scouted_at,
    )


def assemble(asked: AssembleAsked, ports: Callable[[], Ports]) -> Response:
    """Bring the kinds together, or say what ended the search; an answer is remembered, an ending is not."""
    answers: list[Answer] = []

    def answer() -> Answer:
        answers.append(_answer(asked))
        return answers[0]

    with keeping(asked, ports) as kept:
        response = respond(answer, lambda: datetime.now(UTC))
        for made in answers:
            kept.keep(made)
    measure_response(response, next(iter(answers), None))
    return response


def _answer(asked: AssembleAsked) -> Answer:
    now, lines = datetime.now(UTC), [line.told() for line in asked.lines]
    raise_endings(lines)
    made = assembled(asked.checked_request(), lines, asked.times(now), now)
    log_summary(made)
    return made
