"""The same flow in LangGraph; runs in the benchmark's own environment, where goldpan is not installed."""

from __future__ import annotations

import argparse
import asyncio
import json
import operator
import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph  # type: ignore[import-not-found]
from langgraph.types import Send  # type: ignore[import-not-found]

from tests.benchmarks import payload
from tests.benchmarks.figures import peak_megabytes
from tests.benchmarks.sleeping import Sleeper

Update = dict[str, Any]
Times = dict[str, list[float]]
BATCHES = {row["strategy"]: row for row in payload.batches()}
TASKS = payload.score_tasks()
VERDICTS = {task["repository"]["full_name"]: payload.verdict(number) for number, task in enumerate(TASKS)}
CONFIG = {"max_concurrency": payload.SCORED_AT_ONCE}


class SearchState(TypedDict, total=False):
    """The state of the graph; the two fan-outs add to their lists."""

    query: str
    strategies: list[str]
    batches: Annotated[list[Update], operator.add]
    tasks: list[Update]
    verdicts: Annotated[list[Update], operator.add]
    results: list[Update]


STAGES: dict[str, Callable[[Any], Update]] = {
    "translate": lambda _: {"strategies": list(payload.STRATEGIES)},
    "scout": lambda task: {"batches": [BATCHES[task["strategy"]]]},
    "shortlist": lambda _: {"tasks": TASKS},
    "score": lambda task: {"verdicts": [VERDICTS[task["repository"]["full_name"]]]},
    "rank": lambda state: {"results": state["tasks"][: payload.RESULTS]},
}


def _sleeping(name: str, sleeper: Sleeper) -> Callable[[Any], Update]:
    def node(given: Any) -> Update:
        sleeper.sleep(name)
        return STAGES[name](given)

    return node


def _sleeping_async(name: str, sleeper: Sleeper) -> Callable[[Any], Awaitable[Update]]:
    async def node(given: Any) -> Update:
        await sleeper.sleep_async(name)
        return STAGES[name](given)

    return node


def compiled(sleeper: Sleeper, *, asynchronous: bool) -> Any:
    """Build the graph as LangGraph's own guide to map-reduce does: one Send a task, and a reducer."""
    graph = StateGraph(SearchState)
    for name in STAGES:
        graph.add_node(name, (_sleeping_async if asynchronous else _sleeping)(name, sleeper))
    graph.add_edge(START, "translate")
    graph.add_conditional_edges(
        "translate", lambda state: [Send("scout", {"strategy": name}) for name in state["strategies"]], ["scout"]
    )
    graph.add_edge("scout", "shortlist")
    graph.add_conditional_edges("shortlist", lambda state: [Send("score", task) for task in state["tasks"]], ["score"])
    graph.add_edge("score", "rank")
    graph.add_edge("rank", END)
    return graph.compile()


def _checked(state: SearchState) -> None:
    if len(state["verdicts"]) != payload.SHORTLISTED or len(state["results"]) != payload.RESULTS:
        raise SystemExit("the flow lost results")


def _timed(graph: Any, sleeper: Sleeper, runs: int) -> Times:
    walls, paths = [], []
    for _ in range(runs):
        begin = time.perf_counter()
        state = graph.invoke({"query": "React animation library"}, CONFIG)
        walls.append(time.perf_counter() - begin)
        paths.append(sleeper.critical_path())
        _checked(state)
    return {"walls": walls, "paths": paths}


async def _timed_async(graph: Any, sleeper: Sleeper, runs: int) -> Times:
    """Time the runs inside one event loop, so that LangGraph is not charged for making it."""
    walls, paths = [], []
    for _ in range(runs):
        begin = time.perf_counter()
        state = await graph.ainvoke({"query": "React animation library"}, CONFIG)
        walls.append(time.perf_counter() - begin)
        paths.append(sleeper.critical_path())
        _checked(state)
    return {"walls": walls, "paths": paths}


def main() -> None:
    """Run the flow as often as asked for; building and compiling the graph is not timed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sleep", type=float, default=0.0)
    parser.add_argument("--runs", type=int, default=6)
    parser.add_argument("--asynchronous", action="store_true")
    asked = parser.parse_args()
    sleeper = Sleeper(asked.sleep)
    graph = compiled(sleeper, asynchronous=asked.asynchronous)
    timed = _timed_async(graph, sleeper, asked.runs) if asked.asynchronous else None
    times = asyncio.run(timed) if timed else _timed(graph, sleeper, asked.runs)
    print(json.dumps({**times, "peak_mb": peak_megabytes()}))


if __name__ == "__main__":
    main()
