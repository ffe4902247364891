"""Record one real input of each handler and stage in events/, from a search of the sample catalogue.

Run by `make events`. Times are left out, since an event with an old time would be out of time, and so is the key, so
that an event that is tried by hand caches and locks nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

from tests.e2e.comparison import Stack
from tests.support.sample import sample_records
from tests.support.search_fakes import Fakes
from tests.support.simulated_aws import simulated_aws
from tests.support.state_machine import search_machine

FOLDER = Path(__file__).parents[2] / "events"
REQUEST = {"query": "Rust web framework", "max_results": 5, "config": {"shortlist_size": 6, "max_candidates": 20}}
TIMES = {"started_at", "requested_at", "translated_at", "scouted_at"}
REPLACED = {"key": "", "owner": "example", "request_text": ""}


def record() -> dict[str, Any]:
    """Run a search and return the input of the state machine, and the first event of each stage."""
    with simulated_aws() as platform:
        stack = Stack(platform, search_machine(platform))
        few = [one for one in sample_records() if one.language == "Rust" and "framework" in (one.description or "")][:8]
        fakes = Fakes({"github": Catalogue.in_memory(few, title="some sample records")}, llm=None)
        stack.execute(fakes, {"request": REQUEST})
        stages = {event["stage"]: _repeatable(event) for event in reversed(stack.events)}
    return {"search": {"request": REQUEST}, **stages}


def _repeatable(value: Any) -> Any:
    if isinstance(value, list):
        return [_repeatable(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {name: _repeatable(item) for name, item in value.items() if name not in TIMES}
    return kept | {name: text for name, text in REPLACED.items() if name in kept}


if __name__ == "__main__":
    for name, event in record().items():
        (FOLDER / f"{name}.json").write_text(json.dumps(event, indent=2, ensure_ascii=False) + "\n", "utf-8")
