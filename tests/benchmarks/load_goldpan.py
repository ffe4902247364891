"""The process that searches with goldpan as a library: one runtime, one cache file, many threads."""

import sys
import time
from functools import partial
from typing import cast

from goldpan.engine.dependencies import Runtime
from goldpan.errors import TerminalError
from goldpan.infra.rate_limits.limits import Limit
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS
from goldpan.local.bootstrap import local_runtime
from goldpan.local.entry_points import search

from tests.benchmarks.load_client import Result, serve
from tests.benchmarks.questions import QUESTIONS
from tests.benchmarks.recording import search_request, settings

LLM_CALLS, RESULTS = 26, 10
CONFIG = {"target_seconds": None}
"""No call is cut, so that both sides make the same calls."""
NO_LIMIT = (Limit(3600, 10_000_000), Limit(60, 10_000_000))
"""GitHub's own limits would end the load after a quarter of it; these are counted in the same way and never reached."""


def run_search(runtime: Runtime, number: int) -> Result:
    """Run one search and check its answer."""
    start = time.perf_counter()
    try:
        answer = search(search_request(QUESTIONS[0], number, CONFIG), runtime=runtime)
    except TerminalError as error:
        return Result(time.perf_counter() - start, problem=f"{type(error).__name__}: {error}")
    seconds = time.perf_counter() - start
    problems = [error.error for error in answer.errors]
    problems += [f"{row.strategy}: {row.status}" for row in answer.sources if row.status != "ok"]
    if answer.usage.llm_calls != LLM_CALLS or len(answer.sections["repositories"].results) != RESULTS:
        problems.append(f"{answer.usage.llm_calls} calls of the model, or too few results")
    return Result(seconds, answer.cached, "; ".join(problems))


if __name__ == "__main__":
    cast("dict[str, object]", RATE_LIMITS)["github:graphql:token"] = NO_LIMIT
    serve(partial(run_search, local_runtime(settings(sys.argv[1], cache=sys.argv[2]))))
