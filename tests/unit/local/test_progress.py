"""The progress on a terminal; that a pipe gets none is tested with the command."""

import io
import sys
from contextlib import suppress
from dataclasses import replace

import pytest
from goldpan.contracts import ExecutionTime
from goldpan.engine.events import SearchEvent
from goldpan_local.progress import show_activity, show_count, show_progress, show_share

EVENT = SearchEvent("translate", "Query translated", ExecutionTime(total=12), "repositories")
ERASE_LINE, SHOW_CURSOR = "\x1b[2K", "\x1b[?25h"


def terminal_on_stderr(monkeypatch: pytest.MonkeyPatch, term: str = "xterm-256color") -> io.StringIO:
    """Put a terminal in the place of stderr; no fixture, because pytest replaces stderr after the fixtures."""
    monkeypatch.setenv("TERM", term)
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown)
    return shown


def test_a_terminal_shows_finished_stages_and_the_running_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is erased at the end, and the cursor is back, however the search ends."""
    terminal = terminal_on_stderr(monkeypatch)
    with suppress(KeyboardInterrupt), show_progress() as on_event:
        on_event(EVENT)
        on_event(replace(EVENT, stage="scout", message="40 found"))
        raise KeyboardInterrupt
    shown = terminal.getvalue()
    wanted = ("12 ms", "Shortlisting", SHOW_CURSOR)
    assert [text for text in wanted if text not in shown] == []
    assert shown.rindex("Query translated") < shown.rindex("40 found")
    assert shown.endswith(ERASE_LINE)


def test_a_terminal_without_cursor_control_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """TERM=dumb gets a line for each stage."""
    terminal = terminal_on_stderr(monkeypatch, "dumb")
    with show_progress() as on_event:
        on_event(EVENT)
    assert terminal.getvalue() == "Query translated (12 ms)\n"


def test_records_are_counted_and_shares_are_bars(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a terminal both are erased at the end; a pipe gets no progress."""

    def show() -> None:
        with show_count("Reading") as report:
            report(1500)
        with show_share("Comparing") as report_share:
            report_share(1, 2)
        with show_activity("Quietly", quiet=True):
            pass

    show()
    assert capsys.readouterr().err == ""
    terminal = terminal_on_stderr(monkeypatch)
    show()
    assert "Comparing" in terminal.getvalue()
    assert "50%" in terminal.getvalue()
    assert "Quietly" not in terminal.getvalue()
    assert terminal.getvalue().endswith(ERASE_LINE)
