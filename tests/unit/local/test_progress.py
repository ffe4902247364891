"""The progress on a terminal; that a pipe gets none is tested with the command."""

import io
import sys
import time
from contextlib import suppress

import pytest
from goldpan_local.progress import show_activity, show_count, show_share

ERASE_LINE, SHOW_CURSOR = "\x1b[2K", "\x1b[?25h"


def terminal_on_stderr(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Put a terminal in the place of stderr; no fixture, because pytest replaces stderr after the fixtures."""
    monkeypatch.setenv("TERM", "xterm-256color")
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown)
    return shown


def test_a_terminal_shows_what_goes_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """All is erased at the end, and the cursor is back, however it ends; a pipe gets no progress."""

    def show() -> None:
        with show_count("Reading") as report:
            report(1500)
            time.sleep(0.2)  # it is drawn ten times a second
        with suppress(KeyboardInterrupt), show_share("Comparing [red]") as report_share:
            report_share(1, 2)
            time.sleep(0.2)
            raise KeyboardInterrupt
        with show_activity("Quietly", quiet=True):
            pass

    show()
    assert capsys.readouterr().err == ""
    terminal = terminal_on_stderr(monkeypatch)
    show()
    shown = terminal.getvalue()
    wanted = ("Reading: 1,500 records", "Comparing [red]: 1 of 2", SHOW_CURSOR)
    assert [text for text in wanted if text not in shown] == []
    assert ("Quietly" in shown, shown.endswith(ERASE_LINE)) == (False, True)
