"""On a terminal the progress is live, and leaves nothing behind when the answer comes."""

from __future__ import annotations

import io
import sys

import pytest
from goldpan.engine.events import SearchEvent
from goldpan.kinds.repositories.models import SearchState
from goldpan_local.build_progress import shown_build
from goldpan_local.progress import shown_progress

from tests.unit.local.made import records

EVENT = SearchEvent("translate", "Query translated", SearchState(user_query="x"))
ERASED = "\x1b[2K"


class Terminal(io.StringIO):
    """A stderr that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Say yes."""
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Put a terminal in the place of stderr."""
    monkeypatch.setenv("TERM", "xterm-256color")
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    return shown


def test_a_terminal_sees_what_ended_and_what_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage that ended gets its line, the next one the spinner, and all is erased at the end."""
    terminal = terminal_of(monkeypatch)
    with shown_progress(quiet=False) as progress:
        progress.tell(EVENT)
    shown = terminal.getvalue()
    assert "Query translated" in shown
    assert "Looking for candidates" in shown
    assert shown.endswith(ERASED)


def test_a_terminal_that_cannot_move_its_cursor_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """TERM=dumb gets the plain lines."""
    terminal = terminal_of(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    with shown_progress(quiet=False) as progress:
        progress.tell(EVENT)
    assert terminal.getvalue() == "Query translated (0 ms)\n"


def test_quiet_shows_nothing_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """--quiet holds on a terminal too."""
    terminal = terminal_of(monkeypatch)
    with shown_progress(quiet=True) as progress:
        progress.tell(EVENT)
    assert terminal.getvalue() == ""


def test_an_error_ends_the_live_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever ends the search, the cursor is shown again and the spinner is gone."""
    terminal = terminal_of(monkeypatch)
    with pytest.raises(KeyboardInterrupt), shown_progress(quiet=False):
        raise KeyboardInterrupt
    assert "\x1b[?25h" in terminal.getvalue()


def test_building_shows_a_bar_and_passes_every_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar reads, then indexes; the records pass through unchanged."""
    terminal = terminal_of(monkeypatch)
    with shown_build(lines=3) as progress:
        assert tuple(progress.counted(records())) == records()
    assert "Indexing" in terminal.getvalue()
