"""The stages of the artefact: the door of each, its event, and what of a result stays the same."""

from __future__ import annotations

import json
from typing import Any

from tests.support.loopback.lambda_template import ROOT

DOORS = {
    "begin": "query_translator",
    "translate": "query_translator",
    "scout": "scout",
    "shortlist": "screener",
    "score": "screener",
    "rank": "screener",
    "assemble": "screener",
}
TIMES = {"ended_at", "scouted_at", "translated_at", "begun_at", "answered_at", "timestamp", "execution_time_ms"}


def event_of(stage: str, **changes: Any) -> dict[str, Any]:
    """Read the event of a stage, with changes to its request."""
    event: dict[str, Any] = json.loads((ROOT / "events" / f"{stage}.json").read_text(encoding="utf-8"))
    return event | {"request": event["request"] | changes}


def asking_event(stage: str, **changes: Any) -> dict[str, Any]:
    """Read the event of a stage as the flow hands it over where a model is configured."""
    event = event_of(stage, **changes)
    return event | {"task": event["task"] | {"ask_llm": True}} if stage == "score" else event


def timeless(value: Any) -> Any:
    """Give a result without its times; a body is read, for it is JSON in a string."""
    if isinstance(value, dict):
        kept = {name: timeless(inner) for name, inner in value.items() if name not in TIMES}
        return kept | ({"body": timeless(json.loads(value["body"]))} if "body" in value else {})
    return [timeless(inner) for inner in value] if isinstance(value, list) else value
