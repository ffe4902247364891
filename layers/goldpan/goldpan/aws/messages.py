"""What all messages between the state machine and the doors share; those of each door lie in a module of its own."""

from __future__ import annotations

from datetime import UTC, datetime
from math import ceil
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.engine.events import Stage
from goldpan.engine.schedule import stage_deadline

Request = Annotated[SearchRequest, BeforeValidator(parse_request)]


def this_moment() -> datetime:
    """Give the time of a message that names none, as one that is tried by hand."""
    return datetime.now(UTC)


def dump(value: BaseModel) -> dict[str, Any]:
    """Write a value as the state machine carries it: what has its default is left out, because bytes are dear."""
    return value.model_dump(mode="json", exclude_defaults=True)


class Message(BaseModel):
    """A value that crosses the border between the state machine and a door."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)


class Asked(Message):
    """What every stage is told: the request as it came in, and when the search began (now, where nobody says).

    It may have been asked for earlier, and waited for another search meanwhile.
    """

    stage: Stage
    request: Request
    begun_at: AwareDatetime = Field(default_factory=this_moment)
    asked_at: AwareDatetime | None = None

    def deadline(self, clock: Clock) -> Deadline:
        """Tell when this stage must have ended, within what waiting has left. Raises `OutOfTime`."""
        waited = self.begun_at - (self.asked_at or self.begun_at)
        left = max(0, ceil(self.request.max_seconds - waited.total_seconds()))
        return stage_deadline(self.stage, self.begun_at, self.request.model_copy(update={"max_seconds": left}), clock)
