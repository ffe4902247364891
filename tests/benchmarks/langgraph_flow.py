"""Runs the same flow in LangGraph, in an environment of its own, where goldpan is not installed."""

from __future__ import annotations

import asyncio
import json
import operator
import time
from collections.abc import Callable
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph  # type: ignore[import-not-found]
from langgraph.types import Send  # type: ignore[import-not-found]

from tests.benchmarks import payload
from tests.benchmarks.critical_path import SCORING_CALLS_AT_ONCE, Sleeper, measure_flow
from tests.benchmarks.figures import peak_megabytes

Update = dict[str, Any]
BATCHES, TASKS = payload.batches(), payload.score_tasks()
VERDICTS = {task["id"]: payload.verdict(number) for number, task in enumerate(TASKS)}
CONFIG = {"max_concurrency": SCORING_CALLS_AT_ONCE}
QUESTION = {"query": "React animation library"}


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
    "scout": lambda task: {"batches": [{"strategy": task["strategy"], "candidates": BATCHES[task["strategy"]]}]},
    "shortlist": lambda _: {"tasks": TASKS},
    "score": lambda task: {"verdicts": [VERDICTS[task["id"]]]},
    "rank": lambda state: {"results": state["tasks"][: payload.RESULTS]},
}


def _node(name: str, sleeper: Sleeper, *, asynchronous: bool) -> Callable[[Any], Any]:
    def node(value: Any) -> Update:
        sleeper.sleep(name)
        return STAGES[name](value)

    async def async_node(value: Any) -> Update:
        await sleeper.sleep_async(name)
        return STAGES[name](value)

    return async_node if asynchronous else node


def compile_graph(sleeper: Sleeper, *, asynchronous: bool) -> Any:
    """Build the graph as LangGraph's own guide to map-reduce does: one Send for a task, and a reducer."""
    graph = StateGraph(SearchState)
    for name in STAGES:
        graph.add_node(name, _node(name, sleeper, asynchronous=asynchronous))
    graph.add_edge(START, "translate")
    graph.add_conditional_edges(
        "translate", lambda state: [Send("scout", {"strategy": name}) for name in state["strategies"]], ["scout"]
    )
    graph.add_edge("scout", "shortlist")
    graph.add_conditional_edges("shortlist", lambda state: [Send("score", task) for task in state["tasks"]], ["score"])
    graph.add_edge("score", "rank")
    graph.add_edge("rank", END)
    return graph.compile()


async def _timed(graph: Any) -> tuple[SearchState, float]:
    """Time a run inside the event loop, so that the start of the loop does not count."""
    start = time.perf_counter()
    state = await graph.ainvoke(QUESTION, CONFIG)
    return state, time.perf_counter() - start


def prepare(sleeper: Sleeper, asynchronous: bool) -> Callable[[], float]:  # noqa: FBT001 - an option
    """Return a function that runs the flow once, and returns its seconds, without those of compiling the graph."""
    graph, loop = compile_graph(sleeper, asynchronous=asynchronous), asyncio.Runner()

    def run() -> float:
        if asynchronous:
            state, seconds = loop.run(_timed(graph))
        else:
            start = time.perf_counter()
            state = graph.invoke(QUESTION, CONFIG)
            seconds = time.perf_counter() - start
        if len(state["verdicts"]) != payload.SHORTLISTED or len(state["results"]) != payload.RESULTS:
            raise SystemExit("the flow lost results")
        return seconds

    return run


if __name__ == "__main__":
    print(json.dumps({**measure_flow(prepare), "peak_mb": peak_megabytes()}))
