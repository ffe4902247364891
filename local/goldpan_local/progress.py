"""Tells on stderr how far a search has come; stdout is the answer's alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from goldpan.engine.deadlines import Stage
from goldpan.engine.events import SearchEvent

NEXT: dict[Stage | None, str] = {
    None: "Reading the question",
    "translate": "Looking for candidates",
    "scout": "Shortlisting",
    "shortlist": "Scoring",
    "score": "Ranking",
    "rank": "Writing the answer",
}
"""What begins where a stage ends."""


class Progress(Protocol):
    """Is told of every stage that ended."""

    def tell(self, event: SearchEvent) -> None:
        """Show that a stage ended."""


class Silence:
    """Shows nothing."""

    def tell(self, event: SearchEvent) -> None:
        """Show nothing."""


class Lines:
    """Writes one plain line a stage: for logs, pipes and terminals that cannot move the cursor."""

    def tell(self, event: SearchEvent) -> None:
        """Write what the stage found, and the time since the search began."""
        sys.stderr.write(f"{event.message} ({event.execution_time.total} ms)\n")
        sys.stderr.flush()


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """Show the progress in the way that stderr can."""
    if quiet:
        yield Silence()
    elif not sys.stderr.isatty():
        yield Lines()
    else:
        with _live() as progress:
            yield progress


@contextmanager
def _live() -> Iterator[Progress]:
    """Show the stages as a list that grows under the eyes, and that gives way to the answer."""
    from rich.console import Console, Group  # noqa: PLC0415 - a tenth of a second, only for a terminal

    console = Console(stderr=True, highlight=False)
    if console.is_dumb_terminal:
        yield Lines()
        return
    from rich.live import Live  # noqa: PLC0415
    from rich.spinner import Spinner  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    ended: list[Text] = []
    spinner = Spinner("dots", NEXT[None], style="cyan")

    class Growing:
        """Adds a line for the stage that ended; the spinner below names the one that runs."""

        def tell(self, event: SearchEvent) -> None:
            """Show that a stage ended, and what begins."""
            took = f"  {event.execution_time.total} ms"
            ended.append(Text.assemble(("✓ ", "green"), event.message, (took, "dim")))
            spinner.update(text=NEXT.get(event.stage, ""))
            live.update(Group(*ended, spinner))

    with Live(spinner, console=console, transient=True, refresh_per_second=12) as live:
        yield Growing()
