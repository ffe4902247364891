"""`python -m goldpan`."""

import sys

import pytest
from goldpan.__main__ import main
from goldpan.version import __version__


def test_the_module_runs_the_installed_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is found by its name."""
    monkeypatch.setattr(sys, "argv", ["goldpan", "--version"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, capsys.readouterr().out) == (0, f"goldpan {__version__}\n")


def test_the_library_alone_has_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a function on AWS."""
    monkeypatch.setattr("goldpan.__main__.entry_points", lambda **_: ())
    with pytest.raises(SystemExit, match="without the command"):
        main()
