"""Runs the fault campaign and writes docs/reliability.md from what its tests saw.

Run as `python -m tests.slow.fault_table`; nothing is written where a test fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.slow.faults.campaign import CASES
from tests.slow.faults.page import PAGE, RECORDS, recorded, rendered

PROCESSES = "2"
CAMPAIGN = Path(__file__).with_name("test_faults.py")


def main() -> int:
    """Run and write; gives the exit code of the tests."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", str(CAMPAIGN), "--quiet", "--numprocesses", PROCESSES]
        ended = subprocess.run(command, env={**os.environ, RECORDS: folder}, check=False).returncode
        if ended == 0:
            PAGE.write_text(rendered(CASES, recorded(Path(folder))), "utf-8")
    return ended


if __name__ == "__main__":
    sys.exit(main())
