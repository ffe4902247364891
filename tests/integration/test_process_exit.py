"""The end of the process, with work that was given up and still hangs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.enable_socket

LIBRARY = Path(__file__).resolve().parents[2] / "layers" / "goldpan"


def test_a_thread_that_hangs_does_not_hold_the_exit() -> None:
    """The process ends at once although work that was given up still hangs."""
    program = (
        "import threading\n"
        "from goldpan.engine.deadlines import Deadline, WallClock\n"
        "from goldpan.infra.threads import run_parallel\n"
        "deadline = Deadline.after(0.2, WallClock())\n"
        "print(run_parallel([0, 60], lambda s: threading.Event().wait(s) or 'answered', 2, deadline))\n"
    )
    began = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(LIBRARY)},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert time.monotonic() - began < 10
    assert ended.stdout == "['answered', None]\n"
