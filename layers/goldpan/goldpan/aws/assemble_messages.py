"""What the state machine hands to the assembling of all kinds: how each of them ended, and when."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Literal

from pydantic import AwareDatetime, Field

from goldpan.aws.messages import Message, this_moment
from goldpan.contracts import ExecutionTime, KindFailure, KindResult, SearchRequest, parse_request


class Line(Message):
    """How one kind ended: with an outcome and its times, or with a failure as Step Functions tells it."""

    kind: Any
    """As the request has it, which may be no name at all."""
    request: SearchRequest | None = None
    outcome: KindResult | None = None
    translated_at: AwareDatetime | None = None
    scouted_at: AwareDatetime | None = None
    failure: dict[str, str] | None = None

    def told(self) -> KindResult | KindFailure:
        """Give the outcome, or the failure with the function's own words, without its stack trace."""
        if self.outcome is not None:
            return self.outcome
        failure = self.failure or {}
        return KindFailure(
            kind=str(self.kind), error=failure.get("Error", "nothing"), message=_words(failure.get("Cause", ""))
        )


class AssembleAsked(Message):
    """The outcomes of all kinds are to become the answer; without lines the request is what has to be refused.

    The answer is remembered under the key and its asking counted, with the request as `asked` writes it; without a key
    nothing is. A warm-up, which is told as `refresh`, is no asking.
    """

    stage: Literal["assemble"]
    request: Any
    begun_at: AwareDatetime = Field(default_factory=this_moment)
    lines: tuple[Line, ...]
    key: str = ""
    owner: str = ""
    asked: str = ""
    refresh: bool = False

    def checked_request(self) -> SearchRequest:
        """Give the request that the lines were searched for. Raises `InvalidRequest` where there was none."""
        checked = next((line.request for line in self.lines if line.request), None)
        return checked or parse_request(self.request)

    def times(self, now: datetime) -> ExecutionTime:
        """Tell how long each function took; kinds run side by side, so the slowest counts."""
        translated = max((line.translated_at for line in self.lines if line.translated_at), default=self.begun_at)
        scouted = max((line.scouted_at for line in self.lines if line.scouted_at), default=translated)
        return ExecutionTime(
            query_translator=_milliseconds(self.begun_at, translated),
            scout=_milliseconds(translated, scouted),
            screener=_milliseconds(scouted, now),
            total=_milliseconds(self.begun_at, now),
        )


def _words(cause: str) -> str:
    try:
        told = json.loads(cause)
    except ValueError:  # a text of the flow's own, or a report that was cut, whose stack trace nobody is told
        return "" if cause.lstrip().startswith("{") else cause
    return str(told.get("errorMessage", "")) if isinstance(told, dict) else cause


def _milliseconds(begin: datetime, end: datetime) -> int:
    return max(0, round(1000 * (end - begin).total_seconds()))
