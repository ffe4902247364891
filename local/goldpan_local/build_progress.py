"""Shows on stderr how far the making of a catalogue has come."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from goldpan.kinds.repositories.sources.catalogue.build import Record

STEP = 500
"""Records between two signs of life: more often would cost more than the reading."""


class BuildProgress:
    """Counts the records that pass; after the last one the index is written, for an unknown time."""

    def __init__(self, advance: Callable[[int], None], reading_ended: Callable[[], None]) -> None:
        self._advance, self._reading_ended = advance, reading_ended

    def counted(self, records: Iterable[Record]) -> Iterator[Record]:
        """Pass the records on."""
        for number, record in enumerate(records, start=1):
            if number % STEP == 0:
                self._advance(STEP)
            yield record
        self._reading_ended()


@contextmanager
def shown_build(lines: int) -> Iterator[BuildProgress]:
    """Show a bar where stderr is a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield BuildProgress(lambda _: None, lambda: None)
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    shown = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*shown, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading", total=lines)
        yield BuildProgress(
            lambda count: bar.advance(task, count), lambda: bar.update(task, description="Indexing", total=None)
        )
