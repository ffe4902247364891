"""Warms up as the server or as a function before its snapshot, searches, and prints what was loaded only then.

To be run in a process of its own, which has loaded nothing before: `python -m tests.integration.late_imports server`.
"""

import gc
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

Search = Callable[[Mapping[str, Any]], object]
REQUESTS: tuple[dict[str, Any], ...] = (
    {
        "query": "cats in graphs since 2019",
        "kinds": ["papers"],
        "sources": ["openalex", "crossref", "arxiv", "europe_pmc"],
    },
    {"query": "React animation library", "kinds": ["repositories"], "sources": ["github"]},
)
"""The other sources of papers make a caller wait for a second."""


@contextmanager
def server() -> Iterator[Search]:
    """Warm up as `goldpan serve` does."""
    from goldpan.contracts import parse_request  # noqa: PLC0415 - each of the two loads its own modules
    from goldpan.engine.search import get_or_search  # noqa: PLC0415
    from goldpan.local.bootstrap import open_runtime  # noqa: PLC0415
    from goldpan_local.server.http_server import warm_up  # noqa: PLC0415

    with open_runtime(os.environ) as runtime:
        warm_up(runtime)
        yield lambda request: get_or_search(parse_request(request), runtime)


@contextmanager
def functions() -> Iterator[Search]:
    """Run the hooks that the three functions have before their snapshot."""
    from snapshot_restore_py import get_before_snapshot  # noqa: PLC0415

    from tests.support.handler_search import deployed_search  # noqa: PLC0415

    with deployed_search(None, os.environ) as search:
        for hook, arguments, named in list(get_before_snapshot()):
            hook(*arguments, **named)
        yield lambda request: search(request["query"], kinds=request["kinds"], sources=request["sources"])


def main(name: str) -> None:
    """Print our modules that the searches loaded, and whether what was loaded before is left out of collections."""
    with {"server": server, "functions": functions}[name]() as search:
        loaded = {*sys.modules}
        errors = sys.modules["goldpan.errors"]
        frozen = all(each is not errors.GoldpanError for each in gc.get_objects())
        for request in REQUESTS:
            search(request)
        late = sorted(module for module in {*sys.modules} - loaded if module.startswith("goldpan"))
    print(json.dumps({"late": late, "frozen": frozen}))  # noqa: T201 - its result


if __name__ == "__main__":
    main(sys.argv[1])
