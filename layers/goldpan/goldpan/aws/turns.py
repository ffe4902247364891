"""Whose turn it is: one search for all who ask the same at once."""

from __future__ import annotations

from goldpan.aws.translator_messages import BeginAsked, Begun
from goldpan.engine.answer_cache import MAX_WAIT_SHARE, Answers
from goldpan.engine.deadlines import Clock
from goldpan.kinds.repositories.ports import Dependencies


def begin(asked: BeginAsked, dependencies: Dependencies) -> Begun:
    """Tell whether to search, to wait for another who does, or to read what another has found meanwhile.

    Whoever is late searches whatever is remembered: what the state machine cannot read must not hold it up.
    """
    answers, key, owner = dependencies.answers, asked.key, asked.owner
    if answers is None or not key:
        return Begun(turn="search")
    turn = answers.turn(key, owner, asked.request, asked.asked_at)
    if turn == "wait" or _late(asked, dependencies.clock) or not _found_meanwhile(answers, asked):
        return Begun(turn=turn)
    answers.end(key, owner)
    return Begun(turn="read")


def _late(asked: BeginAsked, clock: Clock) -> bool:
    waited = (clock.now() - asked.asked_at).total_seconds()
    return waited >= MAX_WAIT_SHARE * asked.request.max_seconds


def _found_meanwhile(answers: Answers, asked: BeginAsked) -> bool:
    """Tell whether there is an answer that was not there when the execution looked; to a warm-up, a newer one."""
    known = answers.fresh(asked.key)
    return known is not None and (not asked.refresh or known.answered_at >= asked.asked_at)
