"""A group of commands that are imported when they are called."""

from __future__ import annotations

import gc

import pytest
from goldpan_local.lazy_group import LazyCommand

from tests.unit.local.conftest import Run


def test_help_and_completion_import_no_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their lines are known without; a wrong name is refused with the same speed."""

    def fail(command: LazyCommand) -> None:
        raise AssertionError(command.target)

    monkeypatch.setattr(LazyCommand, "load", fail)
    assert "Compare repositories side by side." in run("-h").stdout
    completion = {"_GOLDPAN_COMPLETE": "complete_bash", "COMP_WORDS": "goldpan\nse", "COMP_CWORD": "1"}
    assert run(env=completion).stdout.split() == ["search", "serve"]
    assert run("serach").exit_code == 2


@pytest.mark.parametrize(("command", "collects"), [("search", False), ("serve", True), ("library", True)])
def test_only_short_commands_collect_no_garbage(run: Run, command: str, *, collects: bool) -> None:
    """A search ends before it matters; a server and an import do not."""
    gc.disable()
    try:
        run(command, "-h")
        assert gc.isenabled() is collects
    finally:
        gc.enable()
