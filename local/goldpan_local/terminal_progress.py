"""Draws the progress of a search or a build on a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from goldpan.engine.deadlines import Stage
from goldpan.engine.events import SearchEvent
from goldpan.engine.search import OnEvent
from rich.console import Console, Group
from rich.live import Live
from rich.progress import Progress
from rich.spinner import Spinner
from rich.text import Text

from goldpan_local.exit_codes import write_stderr

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
def list_stages() -> Iterator[OnEvent]:
    """List the finished stages above a spinner for the running one; erase both at the end."""
    console = Console(stderr=True, highlight=False)
    if console.is_dumb_terminal:
        yield lambda event: write_stderr(f"{event.message} ({event.execution_time.total} ms)\n")
        return
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
def draw_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Draw a bar; give the function to call with the steps done and all steps."""
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def draw_activity(label: str) -> Iterator[Callable[[str], None]]:
    """Draw a spinner beside a text; give the function that changes the text."""
    with Console(stderr=True).status(label) as status:
        yield status.update
