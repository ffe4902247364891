"""The same flow in LangGraph; runs in its own environment, where goldpan is not installed."""

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
from tests.benchmarks.critical_path import CONCURRENCY
from tests.benchmarks.figures import peak_megabytes
from tests.benchmarks.sleeping import Sleeper

Update = dict[str, Any]
BATCHES = {name: {"strategy": name, "candidates": candidates} for name, candidates in payload.batches().items()}
TASKS = payload.score_tasks()
VERDICTS = {task["id"]: payload.verdict(number) for number, task in enumerate(TASKS)}
QUESTION, CONFIG = {"query": "React animation library"}, {"max_concurrency": CONCURRENCY}


class SearchState(TypedDict, total=False):
    """The state of the graph; the two fan-outs append to their lists."""

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
    "score": lambda task: {"verdicts": [VERDICTS[task["id"]]]},
    "rank": lambda state: {"results": state["tasks"][: payload.RESULTS]},
}


def _node(name: str, sleeper: Sleeper) -> Callable[[Any], Update]:
    def node(state: Any) -> Update:
        sleeper.sleep(name)
        return STAGES[name](state)

    return node


def _async_node(name: str, sleeper: Sleeper) -> Callable[[Any], Awaitable[Update]]:
    async def node(state: Any) -> Update:
        await sleeper.sleep_async(name)
        return STAGES[name](state)

    return node


def compiled(sleeper: Sleeper, *, asynchronous: bool) -> Any:
    """Build the graph as LangGraph's guide to map-reduce does: one Send a task, and a reducer."""
    graph = StateGraph(SearchState)
    for name in STAGES:
        graph.add_node(name, (_async_node if asynchronous else _node)(name, sleeper))
    graph.add_edge(START, "translate")
    graph.add_conditional_edges(
        "translate", lambda state: [Send("scout", {"strategy": name}) for name in state["strategies"]], ["scout"]
    )
    graph.add_edge("scout", "shortlist")
    graph.add_conditional_edges("shortlist", lambda state: [Send("score", task) for task in state["tasks"]], ["score"])
    graph.add_edge("score", "rank")
    graph.add_edge("rank", END)
    return graph.compile()


async def _run(graph: Any, sleeper: Sleeper, runs: int, *, asynchronous: bool) -> dict[str, list[float]]:
    """Time the runs; inside one event loop, so that LangGraph need not make one for each."""
    walls, paths = [], []
    for _ in range(runs):
        start = time.perf_counter()
        state = await graph.ainvoke(QUESTION, CONFIG) if asynchronous else graph.invoke(QUESTION, CONFIG)
        walls.append(time.perf_counter() - start)
        paths.append(sleeper.critical_path())
        if len(state["verdicts"]) != payload.SHORTLISTED or len(state["results"]) != payload.RESULTS:
            raise SystemExit("the flow lost results")
    return {"walls": walls, "paths": paths}


def main() -> None:
    """Run the flow several times; building and compiling the graph is not timed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sleep", type=float, default=0.0)
    parser.add_argument("--runs", type=int, default=6)
    parser.add_argument("--asynchronous", action="store_true")
    options = parser.parse_args()
    sleeper = Sleeper(options.sleep)
    graph = compiled(sleeper, asynchronous=options.asynchronous)
    times = asyncio.run(_run(graph, sleeper, options.runs, asynchronous=options.asynchronous))
    print(json.dumps({**times, "peak_mb": peak_megabytes()}))


if __name__ == "__main__":
    main()
