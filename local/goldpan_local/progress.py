"""Shows on stderr how far a search or a build has come; stdout carries the answer alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from goldpan.engine.deadlines import Stage
from goldpan.engine.events import SearchEvent
from goldpan.engine.search import OnEvent

NEXT_STEP: dict[Stage | None, str] = {
    None: "Reading the question",
    "translate": "Looking for candidates",
    "scout": "Shortlisting",
    "shortlist": "Scoring",
    "score": "Ranking",
    "rank": "Writing the answer",
}
"""What runs after a stage has ended."""


@contextmanager
def show_progress() -> Iterator[OnEvent]:
    """Give the function to call with each event: it updates a list on a terminal; elsewhere nothing is shown."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _event: None
        return
    with _live_list() as on_event:
        yield on_event


def write_line(event: SearchEvent) -> None:
    """Write the result of a stage and the milliseconds since the search began, on a terminal without a cursor."""
    sys.stderr.write(f"{event.message} ({event.execution_time.total} ms)\n")
    sys.stderr.flush()


@contextmanager
def _live_list() -> Iterator[OnEvent]:
    """List the finished stages above a spinner for the running one; erase both at the end."""
    from rich.console import Console, Group  # noqa: PLC0415 - 0.1 s, for a terminal only

    console = Console(stderr=True, highlight=False)
    if console.is_dumb_terminal:
        yield write_line
        return
    from rich.live import Live  # noqa: PLC0415
    from rich.spinner import Spinner  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    finished: list[Text] = []
    spinner = Spinner("dots", NEXT_STEP[None], style="cyan")

    def on_event(event: SearchEvent) -> None:
        total = f"  {event.execution_time.total} ms"
        finished.append(Text.assemble(("✓ ", "green"), event.message, (total, "dim")))
        spinner.update(text=NEXT_STEP.get(event.stage, ""))
        live.update(Group(*finished, spinner))

    with Live(spinner, console=console, transient=True, refresh_per_second=12) as live:
        yield on_event


@contextmanager
def show_share(label: str) -> Iterator[Callable[[int, int], None]]:
    """Give the function to call with the steps done and all steps: a bar on a terminal; elsewhere nothing is shown."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - for a terminal only
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def show_count(label: str) -> Iterator[Callable[[int], None]]:
    """Give the function to call with the number of records so far; it shows nothing unless stderr is a terminal."""
    with show_activity(label) as update:
        yield lambda count: update(f"{label}: {count:,} records")


@contextmanager
def show_activity(label: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal what goes on; give the function that changes the text."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _text: None
        return
    from rich.console import Console  # noqa: PLC0415 - for a terminal only

    with Console(stderr=True).status(label) as status:
        yield status.update
