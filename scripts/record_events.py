"""Record one real input of each handler, stage and kind in events/.

Those of repositories come from a search of the sample catalogue, those of papers, in events/papers/, from the real
sources on a loopback port.

Run by `make events`, which writes the same in every run. Times are left out, since an event with an old time would be
out of time, and so is the key, so that an event that is tried by hand caches and locks nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.comparison import Stack
from tests.support.paper_search_fakes import PaperFakes, papers
from tests.support.paper_sources import LoopbackPapers
from tests.support.sample import catalogue_in_memory, sample_records
from tests.support.search_fakes import Fakes
from tests.support.simulated_aws import simulated_aws
from tests.support.state_machine import search_machine

FOLDER = Path(__file__).parents[1] / "events"
REQUEST = {"query": "Rust web framework", "max_results": 5, "config": {"shortlist_size": 6, "max_candidates": 20}}
PAPERS_REQUEST = {"query": "graph neural networks for molecules since 2018", "kinds": ["papers"], "max_results": 5}
OF_A_KIND = {"search", "translate", "scout", "shortlist", "score", "rank"}
"""What differs by kind; the other stages have the values of any kind."""
TIMES = {"started_at", "requested_at", "translated_at", "scouted_at"}
WITHOUT_KEYS = {"OPENALEX_API_KEY": "", "SERPAPI_API_KEY": "", "SEMANTIC_SCHOLAR_API_KEY": ""}
ANALYZE = {
    "stage": "analyze",
    "request": {"repo": "pallets/flask", "query": "Python web framework"},
    "daily_cost_limit": "5",
}
"""What the state machine sends, without the time."""
COMBINE = {"stage": "combine", "request": REQUEST | {"max_seconds": 120}}
"""What begins the first round of a search without a client."""
REPLACED = {"key": "", "owner": "example", "execution": "example", "request_text": "", "duration_ms": 0}


def record() -> dict[str, Any]:
    """Run a search of each kind and return the input of the state machine, and the first event of each stage."""
    with simulated_aws() as platform, LoopbackPapers(papers(6)) as server:
        stack = Stack(platform, search_machine(platform))
        few = [one for one in sample_records() if one.language == "Rust" and "framework" in (one.description or "")][:8]
        fakes = Fakes({"github": catalogue_in_memory(few, title="some sample records")}, llm=None)
        recorded = _run(stack, fakes, REQUEST)
        paper_fakes = PaperFakes({}, llm=None, environment=server.environment() | WITHOUT_KEYS)
        of_papers = _run(stack, paper_fakes, PAPERS_REQUEST)
        paper_fakes.http.close()
    return (
        recorded
        | {"analyze": ANALYZE, "combine": COMBINE}
        | {f"papers/{name}": event for name, event in of_papers.items() if name in OF_A_KIND}
    )


def _run(stack: Stack, fakes: Fakes, request: Mapping[str, Any]) -> dict[str, Any]:
    stack.execute(fakes, {"request": request})
    examples = sorted(filter(_is_example, reversed(stack.events)), key=_task_order)
    stages = {event["stage"]: _repeatable(event) for event in examples}
    return {"search": {"request": request}, **stages}


def _is_example(event: Mapping[str, Any]) -> bool:
    """Of the scouts of papers, take the one of Crossref, which needs no key."""
    return event["stage"] != "scout" or event["kind"] != "papers" or bool(event["task"]["source"] == "crossref")


def _task_order(event: Mapping[str, Any]) -> tuple[float, str]:
    """Order the tasks of a stage, which run side by side, so that the same one is last in every run."""
    task = event.get("task", {})
    return task.get("relevance", 0.0), task.get("id", "")


def _repeatable(value: Any) -> Any:
    if isinstance(value, list):
        return [_repeatable(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {name: _repeatable(item) for name, item in value.items() if name not in TIMES}
    return kept | {name: given for name, given in REPLACED.items() if name in kept}


if __name__ == "__main__":
    (FOLDER / "papers").mkdir(exist_ok=True)
    for name, event in record().items():
        (FOLDER / f"{name}.json").write_text(json.dumps(event, indent=2, ensure_ascii=False) + "\n", "utf-8")
