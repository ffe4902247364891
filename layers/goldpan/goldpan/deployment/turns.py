"""Whose turn it is: one search for all who ask the same at once."""

from __future__ import annotations

from goldpan.deadline import Clock
from goldpan.deployment.translator_messages import BeginAsked, Begun
from goldpan.repositories.ports import Ports
from goldpan.services.answers import WAITING_SHARE, Answers


def begin(asked: BeginAsked, ports: Ports) -> Begun:
    """Tell whether to search, to wait for another who does, or to read what another has found meanwhile.

    Whoever is late searches whatever is remembered: what the state machine cannot read must not hold it up.
    """
    answers, key, owner = ports.answers, asked.key, asked.owner
    if answers is None or not key:
        return Begun(turn="search")
    turn = answers.turn(key, owner, asked.request, asked.asked_at)
    if turn == "wait" or _late(asked, ports.clock) or not _found_meanwhile(answers, asked):
        return Begun(turn=turn)
    answers.end(key, owner)
    return Begun(turn="read")


def _late(asked: BeginAsked, clock: Clock) -> bool:
    waited = (clock.now() - asked.asked_at).total_seconds()
    return waited >= WAITING_SHARE * asked.request.max_seconds


def _found_meanwhile(answers: Answers, asked: BeginAsked) -> bool:
    """Tell whether there is an answer that was not there when the execution looked; to a warm-up, a newer one."""
    known = answers.fresh(asked.key)
    return known is not None and (not asked.refresh or known.answered_at >= asked.asked_at)
