"""The progress on a terminal; that a pipe gets none is tested with the command."""

import io
import sys
import time
from contextlib import suppress

import pytest
from goldpan.contracts import ExecutionTime
from goldpan.engine.events import SearchEvent
from goldpan_local.progress import show_activity, show_count, show_progress, show_share

ERASE_LINE, SHOW_CURSOR = "\x1b[2K", "\x1b[?25h"


def terminal_on_stderr(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Put a terminal in the place of stderr; no fixture, because pytest replaces stderr after the fixtures."""
    monkeypatch.setenv("TERM", "xterm-256color")
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown)
    return shown


def test_a_terminal_shows_the_last_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is erased at the end, and the cursor is back, however the search ends."""
    terminal = terminal_on_stderr(monkeypatch)
    with suppress(KeyboardInterrupt), show_progress() as on_event:
        on_event(SearchEvent("scout", "Found [red] 40 candidates", ExecutionTime(total=12), "repositories"))
        time.sleep(0.2)  # it is drawn ten times a second
        raise KeyboardInterrupt
    shown = terminal.getvalue()
    wanted = ("Found [red] 40 candidates (12 ms)", SHOW_CURSOR)
    assert [text for text in wanted if text not in shown] == []
    assert shown.endswith(ERASE_LINE)


def test_records_and_steps_are_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal both are erased at the end; a pipe gets no progress."""

    def show() -> None:
        with show_count("Reading") as report:
            report(1500)
            time.sleep(0.2)
        with show_share("Comparing") as report_share:
            report_share(1, 2)
            time.sleep(0.2)
        with show_activity("Quietly", quiet=True):
            pass

    show()
    assert capsys.readouterr().err == ""
    terminal = terminal_on_stderr(monkeypatch)
    show()
    shown = terminal.getvalue()
    assert ("Reading: 1,500 records" in shown, "Comparing: 1 of 2" in shown, "Quietly" in shown) == (True, True, False)
    assert shown.endswith(ERASE_LINE)
