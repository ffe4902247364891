"""Shows on stderr how far a search or a build has come; stdout carries the answer alone."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import ModuleType

from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import OnEvent

COUNT_STEP = 500
"""Records between two updates; updates at every record would take longer than the reading."""


def show_progress(*, quiet: bool = False) -> AbstractContextManager[OnEvent]:
    """Give the function to call with each event of a search: it updates a list of the finished stages, unless quiet."""
    terminal = None if quiet else _terminal()
    return terminal.list_stages() if terminal else nullcontext(_ignore)


def show_share(label: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """Give the function to call with the steps done and all steps: it updates a bar."""
    terminal = _terminal()
    return terminal.draw_bar(label) if terminal else nullcontext(_ignore)


def show_activity(label: str, *, quiet: bool = False) -> AbstractContextManager[Callable[[str], None]]:
    """Show what goes on, unless quiet; give the function that changes the text."""
    terminal = None if quiet else _terminal()
    return terminal.draw_activity(label) if terminal else nullcontext(_ignore)


@contextmanager
def cancelling(runtime: Runtime) -> Iterator[None]:
    """End the calls of a runtime on Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        runtime.clock.cancel()
        raise


@contextmanager
def show_count(label: str) -> Iterator[Callable[[int], None]]:
    """Give the function to call after each record with the number of records so far."""
    with show_activity(label) as update:
        yield lambda count: None if count % COUNT_STEP else update(f"{label}: {count:,} records")


def _terminal() -> ModuleType | None:
    """Return what draws on a terminal; None if stderr is none, where nothing is shown."""
    if not sys.stderr.isatty():
        return None
    from goldpan_local import terminal_progress  # noqa: PLC0415 - rich, 0.1 s, for a terminal only

    return terminal_progress


def _ignore(*_progress: object) -> None:
    """Show nothing."""
