"""The exit of the process while abandoned work still hangs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.enable_socket
LIBRARY = Path(__file__).resolve().parents[2] / "layers" / "goldpan"
PROGRAM = """
import threading
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.infra.threads import run_parallel
deadline = Deadline.after(0.2, WallClock())
print(run_parallel([3600], lambda seconds: threading.Event().wait(seconds), 1, deadline))
"""


def test_a_hanging_thread_does_not_delay_the_exit() -> None:
    """The process ends although one of its threads would wait for an hour."""
    environment = os.environ | {"PYTHONPATH": str(LIBRARY)}
    command = [sys.executable, "-c", PROGRAM]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
    assert finished.stdout == "[None]\n"
