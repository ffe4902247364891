"""Searches with goldpan as a library: one runtime, one file, many threads."""

from __future__ import annotations

import sys
import time
from typing import cast

from goldpan.engine.search import get_or_search
from goldpan.errors import TerminalError
from goldpan.infra.rate_limits.limits import Limit
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS
from goldpan_local.bootstrap import local_runtime

from tests.benchmarks.load_client import Ended, Search, serve
from tests.benchmarks.load_recording import environment_of, request_of

LLM_CALLS, RESULTS = 26, 10
UNLIMITED = (Limit(3600, 10_000_000), Limit(60, 10_000_000))
"""GitHub's own limits would end the load after a quarter of it: reservations are counted, and always granted."""


def searching(github: str, llm: str, file: str) -> Search:
    """Return what runs one search and checks its answer."""
    runtime = local_runtime(environment_of(github, llm, file))

    def search(number: int) -> Ended:
        start = time.perf_counter()
        try:
            answer = get_or_search(request_of(number), runtime)
        except TerminalError as error:
            return Ended(time.perf_counter() - start, problem=f"{type(error).__name__}: {error}")
        seconds = time.perf_counter() - start
        problems = [*answer.warnings, *(error.error for error in answer.errors)]
        problems += [f"{row.strategy}: {row.status}" for row in answer.sources if row.status != "ok"]
        if answer.usage.llm_calls != LLM_CALLS or len(answer.repositories.results) != RESULTS:
            problems.append(f"{answer.usage.llm_calls} calls of the model, or too few results")
        return Ended(seconds, answer.cached, "; ".join(problems))

    return search


if __name__ == "__main__":
    cast("dict[str, object]", RATE_LIMITS)["github:graphql:token"] = UNLIMITED
    serve(searching(*sys.argv[1:]))
