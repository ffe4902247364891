"""The process that asks goldpan, as a library would be used: one runtime, one file, many threads."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import cast

from goldpan.engine import library
from goldpan.engine.dependencies import Runtime
from goldpan.errors import TerminalError
from goldpan.infra.rate_limits.limits import Limit
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS
from goldpan_local.bootstrap import local_runtime

from tests.benchmarks.load_asker import Ask, Ended, serve
from tests.benchmarks.load_recording import request_of, settings_of

CALLS = 26
ROOM = (Limit(3600, 10_000_000), Limit(60, 10_000_000))
"""GitHub's own limits would end the load after a quarter of it: they are counted all the same, and never reached."""


def asking(runtime: Runtime) -> Ask:
    """Make what asks one question and looks at its answer."""

    def ask(number: int) -> Ended:
        began = time.perf_counter()
        try:
            answer = library.search(request_of(number), runtime=runtime)
        except TerminalError as ended:
            return Ended(time.perf_counter() - began, problem=f"{type(ended).__name__}: {ended}")
        seconds = time.perf_counter() - began
        said = [*answer.warnings, *(error.error for error in answer.errors)]
        said += [f"{row.strategy}: {row.status}" for row in answer.sources if row.status != "ok"]
        if answer.usage.llm_calls != CALLS or not answer.repositories or len(answer.repositories.results) != 10:
            said.append(f"{answer.usage.llm_calls} calls of the model, or too few results")
        return Ended(seconds, answer.cached, "; ".join(said))

    return ask


def main() -> None:
    """Ask until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("github")
    parser.add_argument("llm")
    parser.add_argument("file", type=Path)
    asked = parser.parse_args()
    cast("dict[str, object]", RATE_LIMITS)["github:graphql:token"] = ROOM
    serve(asking(local_runtime(settings_of(asked.github, asked.llm, asked.file), None)))


if __name__ == "__main__":
    main()
