"""What passed through an execution: every value that moved and every error that was reported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

MAX_PAYLOAD_BYTES = 262_144

HistoryEvent = dict[str, Any]  # as boto3 gives it


@dataclass(frozen=True)
class Payload:
    """A value that entered or left a state or its function.

    Attributes:
        state: The name of the state.
        moment: The type of the event, such as "TaskStateEntered" or "LambdaFunctionSucceeded".
        value: The value itself.
    """

    state: str
    moment: str
    value: Any

    @property
    def size(self) -> int:
        """Count the bytes as Step Functions does: compact JSON in UTF-8."""
        return len(json.dumps(self.value, ensure_ascii=False, separators=(",", ":")).encode())


@dataclass(frozen=True)
class Problem:
    """An error that a state reported, caught or not."""

    state: str
    error: str
    cause: str


def payloads(events: Iterable[HistoryEvent]) -> Iterator[Payload]:
    """Give every value that entered or left a state or a function, in order."""
    for state, event, details in _told(events):
        for field in ("input", "output"):
            if field in details:
                yield Payload(state, event["type"], json.loads(details[field]))


def problems(events: Iterable[HistoryEvent]) -> Iterator[Problem]:
    """Give every error that was reported, in order.

    An iteration that is cut off because another one failed may report an error of the simulator's own making.
    """
    for state, _, details in _told(events):
        if "error" in details:
            yield Problem(state, details["error"], details.get("cause", ""))


def caught(moved: Iterable[Payload]) -> Iterator[Problem]:
    """Give every error with which a Catch went on to another state; the history holds no event for those of a Map."""
    for payload in moved:
        fields = payload.value if isinstance(payload.value, dict) and payload.moment.endswith("StateEntered") else {}
        for value in fields.values():
            if isinstance(value, dict) and value.keys() == {"Error", "Cause"}:
                yield Problem(payload.state, value["Error"], value["Cause"])


def _told(events: Iterable[HistoryEvent]) -> Iterator[tuple[str, HistoryEvent, dict[str, Any]]]:
    """Give each event with its details, and the state to which it belongs: its own, else that of the event before."""
    state_at: dict[int, str] = {}
    for event in events:
        details: dict[str, Any] = next((value for name, value in event.items() if name.endswith("EventDetails")), {})
        state_at[event["id"]] = details.get("name") or state_at.get(event.get("previousEventId", 0), "")
        yield state_at[event["id"]], event, details
