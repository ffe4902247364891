"""Whole answers at the doors: one search for all who ask the same at once, remembered for those who ask it later."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from goldpan.contracts import Answer
from goldpan.deadline import Clock
from goldpan.deployment.messages import AssembleAsked, BeginAsked, Begun
from goldpan.errors import Misconfigured
from goldpan.repositories.ports import Ports
from goldpan.services.answers import WAITING_SHARE, Answers

LARGEST_TEXT = 200 * 1024
"""A state holds an answer as text in JSON, where each quote of it takes two bytes, beside the request and its key."""
_LOG = logging.getLogger(__name__)


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


class Keeping:
    """Remembers the answer of one search, and counts its asking; where it has no key, or no ports, it does nothing."""

    def __init__(self, asked: AssembleAsked, ports: Ports | None) -> None:
        self._asked, self._ports = asked, ports

    def keep(self, answer: Answer) -> None:
        """Remember the answer, if a state can carry it; a warm-up asks nothing, so it is not counted."""
        asked, ports = self._asked, self._ports
        if ports is None:
            return
        if ports.answers and len(json.dumps(answer.to_json(), ensure_ascii=False).encode()) <= LARGEST_TEXT:
            ports.answers.keep(asked.key, answer)
        if ports.popularity and not asked.refresh:
            ports.popularity.count(asked.key, asked.asked)

    def end(self) -> None:
        """Let others search for this, where they still have to."""
        if self._ports and self._ports.answers:
            self._ports.answers.end(self._asked.key, self._asked.owner)


@contextmanager
def keeping(asked: AssembleAsked, ports: Callable[[], Ports]) -> Iterator[Keeping]:
    """Give what remembers the answer; whatever becomes of the search, it counts as ended after that."""
    kept = Keeping(asked, _reached(ports) if asked.key else None)
    try:
        yield kept
    finally:
        kept.end()


def _reached(ports: Callable[[], Ports]) -> Ports | None:
    """Make the ports; a setting that is wrong must not hide what ended the search, which is to be told by its name."""
    try:
        return ports()
    except Misconfigured as wrong:
        _LOG.warning("Nothing of this search is remembered: %s", wrong)
        return None
