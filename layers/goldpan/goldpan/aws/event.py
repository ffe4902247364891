"""The base of what passes between a state machine and a handler."""

from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict, Field

NOW = Field(default_factory=lambda: datetime.now(UTC))


class Event(BaseModel):
    """A value that passes between a state machine and a handler."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)


def dump(value: BaseModel) -> dict[str, object]:
    """Convert a value to JSON for the state machine. Omit defaults: the payload is limited."""
    return value.model_dump(mode="json", exclude_defaults=True)
