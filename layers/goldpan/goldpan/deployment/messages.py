"""What the state machine hands to each door, and what each hands back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from math import ceil
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from goldpan.contracts import ExecutionTime, Failure, Outcome, SearchRequest, parse_request
from goldpan.deadline import Clock, Deadline
from goldpan.progress import Stage
from goldpan.repositories.contracts import Batch, ScoreTask, ScoutTask, Shortlist, Translation, Unscored, Verdict
from goldpan.schedule import stage_deadline

Request = Annotated[SearchRequest, BeforeValidator(parse_request)]


def _now() -> datetime:
    return datetime.now(UTC)


def dump(value: BaseModel) -> dict[str, Any]:
    """Write a value as the state machine carries it: what has its default is left out, because bytes are dear."""
    return value.model_dump(mode="json", exclude_defaults=True)


class Message(BaseModel):
    """A value that crosses the border between the state machine and a door."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)


class Asked(Message):
    """What every door is told: the request as it came in, and when the search began (now, where nobody says).

    It may have been asked for earlier, and waited for another search meanwhile.
    """

    stage: Stage
    request: Request
    begun_at: AwareDatetime = Field(default_factory=_now)
    asked_at: AwareDatetime | None = None

    def deadline(self, clock: Clock) -> Deadline:
        """Tell when this stage must have ended, within what waiting has left. Raises `OutOfTime`."""
        waited = self.begun_at - (self.asked_at or self.begun_at)
        left = max(0, ceil(self.request.max_seconds - waited.total_seconds()))
        return stage_deadline(self.stage, self.begun_at, self.request.model_copy(update={"max_seconds": left}), clock)


class BeginAsked(Message):
    """Whose turn is it to search for what has this key?

    An owner is an execution: it may ask again, and again is told the same until it has ended its search.
    """

    stage: Literal["begin"]
    key: str
    owner: str
    request: Request
    asked_at: AwareDatetime = Field(default_factory=_now)
    refresh: bool = False


class Begun(Message):
    """To search, to wait for another who does, or to read what another has found meanwhile."""

    turn: Literal["search", "wait", "read"]


class TranslateAsked(Asked):
    """The question is to be translated for one kind."""

    stage: Literal["translate"]
    kind: str


class Translated(Message):
    """The translation, when it was there, and the request for the later doors: checked, without its frills."""

    request: SearchRequest
    translation: Translation
    ended_at: AwareDatetime


class ScoutAsked(Asked):
    """One strategy is to be run."""

    stage: Literal["scout"]
    kind: str
    task: ScoutTask
    refresh: bool = False


class ShortlistAsked(Asked):
    """All batches are to become one list."""

    stage: Literal["shortlist"]
    kind: str
    translation: Translation
    batches: tuple[Batch, ...]
    refresh: bool = False


class Shortlisted(Message):
    """The shortlist, how many of its tasks are scored at once, and when the last scout had ended."""

    shortlist: Shortlist
    at_once: int
    scouted_at: AwareDatetime


class ScoreAsked(Asked):
    """One scoring task is to be judged."""

    stage: Literal["score"]
    kind: str
    task: ScoreTask


class RankAsked(Asked):
    """The verdicts are to become the ranked section."""

    stage: Literal["rank"]
    kind: str
    translation: Translation
    shortlist: Shortlist
    verdicts: tuple[Verdict | Unscored, ...]
    translated_at: AwareDatetime | None = None
    scouted_at: AwareDatetime | None = None


class Line(Message):
    """How one kind ended: with an outcome and its times, or with a failure as Step Functions tells it."""

    kind: Any
    """As the request has it, which may be no name at all."""
    request: SearchRequest | None = None
    outcome: Outcome | None = None
    translated_at: AwareDatetime | None = None
    scouted_at: AwareDatetime | None = None
    failure: dict[str, str] | None = None

    def told(self) -> Outcome | Failure:
        """Give the outcome, or the failure with the function's own words, without its stack trace."""
        if self.outcome is not None:
            return self.outcome
        failure = self.failure or {}
        return Failure(
            kind=str(self.kind), error=failure.get("Error", "nothing"), message=_words(failure.get("Cause", ""))
        )


class AssembleAsked(Message):
    """The outcomes of all kinds are to become the answer; without lines the request is what has to be refused.

    The answer is remembered under the key and its asking counted, with the request as `asked` writes it; without a key
    nothing is. A warm-up, which is told as `refresh`, is no asking.
    """

    stage: Literal["assemble"]
    request: Any
    begun_at: AwareDatetime = Field(default_factory=_now)
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


TranslatorAsked = TranslateAsked | BeginAsked
ScreenerAsked = ShortlistAsked | ScoreAsked | RankAsked | AssembleAsked
SCREENER: dict[object, type[ScreenerAsked]] = {
    "shortlist": ShortlistAsked,
    "score": ScoreAsked,
    "rank": RankAsked,
    "assemble": AssembleAsked,
}


def read_translator_asked(event: Mapping[str, Any]) -> TranslatorAsked:
    """Read what query_translator is asked, by its stage; raises as `read_screener_asked`."""
    return (BeginAsked if event.get("stage") == "begin" else TranslateAsked).model_validate(event)


def read_screener_asked(event: Mapping[str, Any]) -> ScreenerAsked:
    """Read what the screener is asked, by its stage.

    Raises `InvalidRequest`, or pydantic's `ValidationError` where the state machine and this file disagree.
    """
    return SCREENER.get(event.get("stage"), AssembleAsked).model_validate(event)


def _words(cause: str) -> str:
    try:
        told = json.loads(cause)
    except ValueError:  # a text of the flow's own, or a report that was cut, whose stack trace nobody is told
        return "" if cause.lstrip().startswith("{") else cause
    return str(told.get("errorMessage", "")) if isinstance(told, dict) else cause


def _milliseconds(begin: datetime, end: datetime) -> int:
    return max(0, round(1000 * (end - begin).total_seconds()))
