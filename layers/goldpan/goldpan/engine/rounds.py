"""Rounds: a search of more time than a client waits for is several searches, whose answers become one.

Each round asks differently, by the strategies of the rounds before it. On AWS the same functions decide, between two
executions of the search machine.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import merge

from goldpan.config import Frozen
from goldpan.contracts import ExecutionTime, SearchRequest, Section
from goldpan.contracts.kinds import PARSED_BY_KINDS
from goldpan.contracts.request import MAX_WAITING_SECONDS
from goldpan.engine import pipeline
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.events import SearchEvent
from goldpan.engine.feedback import SAME
from goldpan.errors import Cancelled, GoldpanError
from goldpan.infra.llm.spending import LIMIT_REACHED
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import get_kind

ROUND_SECONDS, MIN_ROUND_SECONDS, MAX_ROUNDS = 25, 10, 8
"""The time of a round, the least with which another one begins, and how many there are at most."""
PARTS = ("results", "weaker")


class Rounds(Frozen):
    """What the rounds so far have found, and the kinds that are searched again; none before the first one."""

    answer: Answer | None = None
    count: int = 0
    kinds: tuple[str, ...] = ()


def run(request: SearchRequest, dependencies: Dependencies, *, sources: Sequence[str]) -> Iterator[SearchEvent]:
    """Run a search, in rounds if it has time, as `pipeline.run`; a round after the first that fails is a warning."""
    if request.max_seconds <= MAX_WAITING_SECONDS:
        yield from pipeline.run(request, dependencies, sources=sources)
        return
    until, rounds, spent = Deadline.after(request.max_seconds, dependencies.clock), Rounds(), ExecutionTime()
    while asked := next_request(request, rounds, until.left):
        try:
            for one in pipeline.run(asked, dependencies, sources=sources):
                event = replace(one, execution_time=spent + one.execution_time)
                if event.answer is None:
                    yield replace(event, message=round_message(rounds.count + 1, event.message))
                else:
                    rounds, last = with_round(request, rounds, event.answer), event
            spent = last.execution_time
        except GoldpanError as error:
            if rounds.answer is None or isinstance(error, Cancelled):
                raise
            rounds = without_round(rounds, str(error))
    yield replace(last, answer=rounds.answer)


def round_message(number: int, message: str) -> str:
    """Return the message of a finished stage, with the number of its round unless that is the first."""
    return message if number == 1 else f"Round {number}: {message}"


def next_request(request: SearchRequest, rounds: Rounds, seconds_left: float) -> SearchRequest | None:
    """Return the request of the next round, None if there is nothing more to find or nothing left to find it with."""
    answer = rounds.answer
    if answer is None:
        return request.model_copy(update={"max_seconds": ROUND_SECONDS})
    calls = request.max_llm_calls - answer.usage.llm_calls
    is_spent = bool(request.max_llm_calls) and calls <= 0
    is_spent |= any(LIMIT_REACHED in each.error for each in answer.errors)
    is_last = not rounds.kinds or rounds.count >= MAX_ROUNDS or seconds_left < MIN_ROUND_SECONDS
    if request.compare or is_spent or is_last:
        return None
    changed = {
        "max_seconds": min(ROUND_SECONDS, int(seconds_left)),
        "max_llm_calls": calls,
        "previous_strategies": tuple(each for kind in rounds.kinds for each in answer.sections[kind].strategies),
    }
    return for_kinds(request, rounds.kinds).model_copy(update=changed)


def for_kinds(request: SearchRequest, kinds: tuple[str, ...]) -> SearchRequest:
    """Return a request for some of its kinds, without what is for the others alone."""
    own = {name for kind in kinds for name in get_kind(kind).filters.model_fields}
    filters = {name: value for name, value in request.filters.items() if name in own}
    changed: dict[str, object] = {"kinds": kinds, "filters": filters}
    for name, parse in PARSED_BY_KINDS.items():
        try:
            parse(changed.get(name, getattr(request, name)), kinds)
        except ValueError:  # none of these kinds has it
            changed[name] = SearchRequest.model_fields[name].default
    return request.model_copy(update=changed)


def with_round(request: SearchRequest, rounds: Rounds, answer: Answer) -> Rounds:
    """Add the answer of a round; a kind goes on if the round found new results of it that are not weaker ones."""
    before, joined = rounds.answer, answer if rounds.answer is None else join_answers(rounds.answer, answer, request)
    able = (name for name, section in answer.sections.items() if section.strategies)
    gained = tuple(name for name in able if before is None or _gained(name, before, joined))
    return Rounds(answer=joined, count=rounds.count + 1, kinds=gained)


def without_round(rounds: Rounds, why: str) -> Rounds:
    """Note that a round has failed, which is the last one."""
    number, answer = rounds.count + 1, rounds.answer
    warning = f"Round {number} of the search failed; the answer has what was found before it: {why.rstrip('.')}."
    noted = answer and answer.model_copy(update={"warnings": (*answer.warnings, warning)})
    return Rounds(answer=noted, count=number)


def join_answers(before: Answer, after: Answer, request: SearchRequest) -> Answer:
    """Return one answer with what two rounds found, what went wrong, and what they took together."""
    own = {name: _join(name, before.sections[name], section, request) for name, section in after.sections.items()}
    further = (warning for warning in after.warnings if not warning.startswith(SAME.partition(" {")[0]))
    links = {each.model_copy(update={"evidence": ""}): each for each in (*before.links, *after.links)}
    changed = {
        "sections": before.sections | own,
        "links": tuple(links.values()),
        "sources": (*before.sources, *after.sources),
        "errors": tuple({(each.stage, each.error): each for each in (*before.errors, *after.errors)}.values()),
        "warnings": tuple(dict.fromkeys((*before.warnings, *further))),
        "execution_time_ms": before.execution_time_ms + after.execution_time_ms,
        "usage": before.usage + after.usage,
        "answered_at": after.answered_at,
    }
    return before.model_copy(update=changed)


def _join(kind: str, before: Section, after: Section, request: SearchRequest) -> Section:
    """Join the sections of a kind; rounds find much the same, so its counts are those that are certain."""
    join = get_kind(kind).stages().join
    own = _union(kind, before, after) if join is None else join(before, after, request)
    total = len(own.results) + len(own.weaker)
    grown = max(0, total - max(before.total, after.total))
    changed = {
        "total_candidates": max(before.total_candidates, after.total_candidates) + grown,
        "shortlisted": max(before.shortlisted, after.shortlisted) + grown,
        "dropped": dict(Counter(before.dropped) | Counter(after.dropped)),
        "total": total,
        "total_weaker": len(own.weaker),
        "nothing_fits": before.nothing_fits and after.nothing_fits,
        "strategies": after.strategies,
    }
    return own.model_copy(update=changed)


def _union(kind: str, before: Section, after: Section) -> Section:
    """Return each result once, by relevance."""
    read, kept = get_kind(kind).present().identity.read, dict[object, tuple[str, object]]()
    for part in PARTS:
        for one in merge(getattr(before, part), getattr(after, part), key=lambda one: -one.relevance):
            kept.setdefault(read(one), (part, one))
    parts = {part: tuple(one for place, one in kept.values() if place == part) for part in PARTS}
    return before.model_copy(update=parts)


def _gained(kind: str, before: Answer, joined: Answer) -> bool:
    read, section = get_kind(kind).present().identity.read, before.sections[kind]
    known = {read(one) for one in (*section.results, *section.weaker)}
    return any(read(one) not in known for one in joined.sections[kind].results)
