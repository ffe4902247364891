"""The end of a search at its door: its answer is remembered for those who ask later, its asking is counted."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from goldpan.aws.assemble_messages import AssembleAsked
from goldpan.contracts import Answer
from goldpan.errors import Misconfigured
from goldpan.kinds.repositories.ports import Dependencies

MAX_TEXT = 200 * 1024
"""A state holds an answer as text in JSON, where each quote of it takes two bytes, beside the request and its key."""
_LOG = logging.getLogger(__name__)


class AnswerRecorder:
    """Remembers the answer of one search, and counts its asking; where it has no key, or no ports, it does nothing."""

    def __init__(self, asked: AssembleAsked, dependencies: Dependencies | None) -> None:
        self._asked, self._ports = asked, dependencies

    def keep(self, answer: Answer) -> None:
        """Remember the answer, if a state can carry it; a warm-up asks nothing, so it is not counted."""
        asked, dependencies = self._asked, self._ports
        if dependencies is None:
            return
        if dependencies.answers and len(json.dumps(answer.to_json(), ensure_ascii=False).encode()) <= MAX_TEXT:
            dependencies.answers.keep(asked.key, answer)
        if dependencies.popularity and not asked.refresh:
            dependencies.popularity.count(asked.key, asked.asked)

    def end(self) -> None:
        """Let others search for this, where they still have to."""
        if self._ports and self._ports.answers:
            self._ports.answers.end(self._asked.key, self._asked.owner)


@contextmanager
def answer_recorder(asked: AssembleAsked, dependencies: Callable[[], Dependencies]) -> Iterator[AnswerRecorder]:
    """Give what remembers the answer; whatever becomes of the search, it counts as ended after that."""
    kept = AnswerRecorder(asked, _reached(dependencies) if asked.key else None)
    try:
        yield kept
    finally:
        kept.end()


def _reached(dependencies: Callable[[], Dependencies]) -> Dependencies | None:
    """Make the ports; a setting that is wrong must not hide what ended the search, which is to be told by its name."""
    try:
        return dependencies()
    except Misconfigured as wrong:
        _LOG.warning("Nothing of this search is remembered: %s", wrong)
        return None
