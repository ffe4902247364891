"""The events that the state machine sends to the handlers, and what the handlers return."""

from collections.abc import Mapping
from datetime import UTC, datetime
from math import ceil
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, SerializeAsAny

from goldpan.aws.failures import reported_error
from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.deadlines import Clock, Deadline, Stage, stage_deadline
from goldpan.engine.failures import kind_failure
from goldpan.engine.problem_details import Response
from goldpan.engine.stage_values import KindFailure, KindResult, Shortlist, Translation
from goldpan.kinds.registry import get_kind
from goldpan.known import Known

Request = Annotated[SearchRequest, BeforeValidator(parse_request)]
Values = Mapping[str, object]
"""A value of a kind, as JSON."""
Decision = Literal["search", "wait", "read", "refuse"]
WARM_UP_SHARE = 0.25
"""The share of each rate limit, and of the daily cost limit, up to which warm-ups may still call."""
ALL_PROJECTS = "*"
NOW = Field(default_factory=lambda: datetime.now(UTC))


class Event(BaseModel):
    """A value that passes between a state machine and a handler."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)


class HandlerEvent(Event):
    """What a handler receives; `EVENTS` has its form for each stage."""

    stage: str


class BeginEvent(HandlerEvent):
    """Ask whether this execution searches, waits for another one, or reads what another one has just stored.

    The owner is the execution. The last decision is "read" if it could not read the answer that it was sent to.
    """

    key: str
    owner: str
    request: object
    requested_at: AwareDatetime = NOW
    refresh: bool = False
    last_decision: str = ""


class BeginResult(Event):
    """What the execution does next, and the kinds to search; a refusal is no exception, which counts as an error."""

    decision: Decision
    kinds: tuple[str, ...] = ()


class LimitedEvent(HandlerEvent):
    """What a function receives that may ask the language model; a warm-up (`refresh`) has a share of each limit."""

    daily_cost_limit: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """What the language model may cost in a day, in US dollars."""
    refresh: bool = False


class StageEvent(LimitedEvent):
    """What every stage of a kind receives; times default to now, for events that are sent by hand.

    The request may have waited for another search between `requested_at` and `started_at`.
    """

    stage: Stage
    kind: str
    request: Request
    started_at: AwareDatetime = NOW
    requested_at: AwareDatetime | None = None
    execution: str = ""
    """The name of the execution."""

    def deadline(self, clock: Clock) -> Deadline:
        """Return the deadline of this stage, within the time that waiting has left. Raises `OutOfTime`."""
        waited = self.started_at - (self.requested_at or self.started_at)
        left = max(0, ceil(self.request.max_seconds - waited.total_seconds()))
        request = self.request.model_copy(update={"max_seconds": left})
        target = get_kind(self.kind).scoring_limits(request.config).target_seconds
        return stage_deadline(self.stage, self.started_at, request, clock, target)


class TranslateEvent(StageEvent):
    """Translate the question for one kind."""


class TranslateResult(Event):
    """The translation, its time, and the validated request without its defaults, for the later stages."""

    request: SearchRequest
    translation: SerializeAsAny[Translation]
    ended_at: AwareDatetime


class ScoutEvent(StageEvent):
    """Run one strategy; returns a batch."""

    task: Values


class LibraryEvent(HandlerEvent):
    """Run a request of a library; `projects` are those of the caller's key, with commas between them, or `*`."""

    path: str
    request: object
    projects: str = ALL_PROJECTS


class ShortlistEvent(StageEvent):
    """Merge all batches; a lost one is `{task_id, failure}`."""

    translation: Values
    batches: tuple[Values, ...]


class ShortlistResult(Event):
    """The shortlist, how many of its tasks are scored at once, and when the last scout had ended."""

    shortlist: SerializeAsAny[Shortlist]
    concurrency: int
    scouted_at: AwareDatetime


class ScoreEvent(StageEvent):
    """Score one candidate; returns a verdict."""

    task: Values


class RankEvent(StageEvent):
    """Rank the verdicts; a lost one is `{task_id, failure}`."""

    translation: Values
    shortlist: Values
    verdicts: tuple[Values, ...]
    translated_at: AwareDatetime | None = None
    scouted_at: AwareDatetime | None = None


class FailEvent(HandlerEvent):
    """Describe how the stages of a kind failed after translate; the batches may have been replaced by a shortlist."""

    kind: str
    failure: dict[str, str]
    translation: Values
    batches: tuple[Values, ...] | Values


class KindOutcome(Event):
    """How the stages of one kind ended: with a result and its times, or with a failure as Step Functions reports it.

    The result has one page; the cache has all of it under `whole_key`, unless that is empty.
    With a failure it has what was known by then, if that could be described.
    """

    kind: str
    request: SearchRequest | None = None
    result: KindResult | None = None
    whole_key: str = ""
    translated_at: AwareDatetime | None = None
    scouted_at: AwareDatetime | None = None
    failure: dict[str, str] = {}
    known: Known = Known()

    def ended(self) -> tuple[tuple[Stage, datetime | None], ...]:
        """Return when its first stages had ended."""
        return ("translate", self.translated_at), ("scout", self.scouted_at)

    def unwrap(self) -> KindResult | KindFailure:
        """Return the result, or the failure as an error of goldpan."""
        return self.result or kind_failure(reported_error(self.failure), self.kind, self.known)


class AssembleEvent(HandlerEvent):
    """Assemble the outcomes of all kinds; without outcomes the request is invalid and is refused.

    The answer is cached under the key, and the request is counted with the text in `request_text`, unless it is a
    warm-up (`refresh`). Without a key neither happens.
    """

    request: object
    started_at: AwareDatetime = NOW
    outcomes: tuple[KindOutcome, ...]
    key: str = ""
    owner: str = ""
    request_text: str = ""
    refresh: bool = False
    execution: str = ""
    """The name of the execution."""


class CombineEvent(HandlerEvent):
    """Join the last round with those that the cache has under `rounds_key`.

    `round` is what Step Functions returns of its execution, or its error; empty before the first round.
    """

    request: object
    started_at: AwareDatetime = NOW
    rounds_key: str = ""
    round: dict[str, object] = {}


class CombineResult(Event):
    """The number and the request of the next round, or the response to the whole search."""

    number: int
    rounds_key: str
    request: SearchRequest | None = None
    response: Response | None = None


class AnalyzeEvent(LimitedEvent):
    """Analyze one result on demand; the request is parsed when an error can be answered."""

    request: object
    requested_at: AwareDatetime = NOW


EVENTS: Mapping[str, type[HandlerEvent]] = {
    "begin": BeginEvent, "translate": TranslateEvent, "scout": ScoutEvent, "library": LibraryEvent,
    "shortlist": ShortlistEvent, "score": ScoreEvent, "rank": RankEvent, "fail": FailEvent,
    "assemble": AssembleEvent, "combine": CombineEvent, "analyze": AnalyzeEvent,
}  # fmt: skip


def parse_event(event: Mapping[str, object]) -> HandlerEvent:
    """Parse an event by its stage. Raises `InvalidRequest`, or `ValueError` if the machine and this module disagree."""
    model = EVENTS.get(str(event.get("stage")))
    if model is None:
        message = f"stage: must be one of {', '.join(EVENTS)}"  # without the value: Lambda logs the message
        raise ValueError(message)
    return model.model_validate(event)


def dump(value: BaseModel) -> dict[str, object]:
    """Convert a value to JSON for the state machine. Omit defaults: the payload is limited."""
    return value.model_dump(mode="json", exclude_defaults=True)
