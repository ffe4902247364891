"""Shows on stderr how far a search or a build has come; stdout carries the answer alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

from goldpan.engine.search import OnEvent


def _terminal() -> ModuleType | None:
    """Return what draws on a terminal; None if stderr is none, where nothing is shown."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    from goldpan_local import terminal_progress  # noqa: PLC0415 - rich, 0.1 s, for a terminal only

    return terminal_progress


@contextmanager
def show_progress() -> Iterator[OnEvent]:
    """Give the function to call with each event of a search: it updates a list of the finished stages."""
    terminal = _terminal()
    if terminal is None:
        yield lambda _event: None
        return
    with terminal.list_stages() as on_event:
        yield on_event


@contextmanager
def show_share(label: str) -> Iterator[Callable[[int, int], None]]:
    """Give the function to call with the steps done and all steps: it updates a bar."""
    terminal = _terminal()
    if terminal is None:
        yield lambda _done, _total: None
        return
    with terminal.draw_bar(label) as report:
        yield report


@contextmanager
def show_count(label: str) -> Iterator[Callable[[int], None]]:
    """Give the function to call with the number of records so far."""
    with show_activity(label) as update:
        yield lambda count: update(f"{label}: {count:,} records")


@contextmanager
def show_activity(label: str) -> Iterator[Callable[[str], None]]:
    """Show what goes on; give the function that changes the text."""
    terminal = _terminal()
    if terminal is None:
        yield lambda _text: None
        return
    with terminal.Console(stderr=True).status(label) as status:
        yield status.update
