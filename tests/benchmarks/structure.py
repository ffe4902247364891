"""Counts our modules that run in a search, and our frames above translate: what a reader has to follow.

The command searches the sample catalogue without a language model, with a new cache file; a module counts if a function
or class body of it runs. The handlers search without a language model for what is not cached, after a search that
loaded everything, called in the order of the state machine, with the sample catalogue in the place of GitHub.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
OURS = tuple(f"{ROOT / folder}/" for folder in ("layers/goldpan", "local"))
sys.path[:0] = [*OURS, str(ROOT)]  # a script sees only its own folder

from tests.benchmarks.figures import Limit, report  # noqa: E402

COMMAND = ["goldpan", "search", "React animation library", "--source", "catalogue", "--quiet"]
FRAMES: list[int] = []
MODULES: set[str] = set()


def profile(frame: FrameType | None, event: str, _: object) -> None:
    """Add the module of a function or class body of ours, and the number of our frames above translate."""
    if frame and event == "call" and frame.f_code.co_filename.startswith(OURS) and frame.f_code.co_name != "<module>":
        MODULES.add(frame.f_globals["__name__"])
        if frame.f_code.co_name == "translate":
            FRAMES.append(0)
            while frame := frame.f_back:
                FRAMES[-1] += frame.f_code.co_filename.startswith(OURS)


def modules_of(run: Callable[[], object]) -> list[str]:
    """Return our modules that run in this thread and in all others."""
    MODULES.clear()
    sys.setprofile(profile)
    run()
    sys.setprofile(None)
    return sorted(MODULES)


def search_by_command() -> None:
    """Import and run the command. Raises `SystemExit` if it fails."""
    from goldpan_local.command import main as command  # noqa: PLC0415 - its class body counts

    with TemporaryDirectory() as folder, patch.dict(os.environ, {"GOLDPAN_CACHE": f"{folder}/cache"}, clear=True):
        try:
            command()
        except SystemExit as end:
            if end.code:
                raise


def search_by_handlers() -> list[str]:
    """Return our modules that run in the second of two searches by the handlers."""
    from goldpan_local.bootstrap import sample_catalogue  # noqa: PLC0415 - after the command has been measured

    from tests.support.handler_search import deployed_search  # noqa: PLC0415

    with deployed_search(sample_catalogue()) as search:
        search("Rust web framework")
        return modules_of(lambda: search("Vue component library"))


def main() -> int:
    """Measure, print, and check the limits."""
    threading.setprofile(profile)
    with redirect_stdout(TextIOWrapper(BytesIO())), patch.object(sys, "argv", COMMAND):
        command = modules_of(search_by_command)
        frames, handlers = FRAMES[0], search_by_handlers()
    limits = [
        Limit("modules in a search by the command", len(command), 75),
        Limit("frames above translate in a search by the command", frames, 9),
        Limit("modules in a search by the handlers", len(handlers), 46),
    ]
    return report("Our modules in a search:", {"command": command, "frames": frames, "handlers": handlers}, limits)


if __name__ == "__main__":
    sys.exit(main())
