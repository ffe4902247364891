"""Shows on a terminal's stderr how far a search or a build has come; stdout carries the answer alone."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from goldpan.engine.dependencies import Runtime

COUNT_STEP = 500
"""Records between two updates; updates at every record would take longer than the reading."""


@contextmanager
def show_activity(label: str, *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show what goes on, unless quiet, and erase it at the end; give the function that changes the text."""
    if quiet or not sys.stderr.isatty():
        yield lambda _text: None
        return
    from rich.console import Console  # noqa: PLC0415 - 0.1 s, for a terminal only
    from rich.text import Text  # noqa: PLC0415 - as above

    with Console(stderr=True).status(Text(label)) as status:
        yield lambda text: status.update(Text(text))


@contextmanager
def show_share(label: str) -> Iterator[Callable[[int, int], None]]:
    """Give the function to call with the steps done and all steps."""
    with show_activity(label) as update:
        yield lambda done, total: update(f"{label}: {done:,} of {total:,}")


@contextmanager
def show_count(label: str) -> Iterator[Callable[[int], None]]:
    """Give the function to call after each record with the number of records so far."""
    with show_activity(label) as update:
        yield lambda count: None if count % COUNT_STEP else update(f"{label}: {count:,} records")


@contextmanager
def cancelling(runtime: Runtime) -> Iterator[None]:
    """End the calls of a runtime on Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        runtime.clock.cancel()
        raise
