"""`python -m goldpan`; `tests/contract/test_wheel.py` runs the command by it."""

import pytest
from goldpan.__main__ import main


def test_the_library_alone_has_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a function on AWS."""
    monkeypatch.setattr("goldpan.__main__.entry_points", lambda **_: ())
    with pytest.raises(SystemExit, match="without the command"):
        main()
