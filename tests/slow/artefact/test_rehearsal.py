"""What was built, deployed to an emulator of AWS: first, changed, broken, rolled back, again, deleted."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.stack.documents import ROOT
from tests.support.loopback.lambda_template import BUILT


@pytest.mark.usefixtures("artefact")
def test_every_step_of_a_rehearsal_passes(tmp_path: Path) -> None:
    """Each step of `make rehearse` shows what it should; skipped where the emulator cannot be installed."""
    environments = [".venv-rehearse/.installed", ".venv-sam/.installed"]
    installed = subprocess.run(["make", *environments], check=False, cwd=ROOT, capture_output=True, text=True)
    if installed.returncode:
        pytest.skip(f"the emulator cannot be installed: {installed.stderr[-300:]}")
    command = [sys.executable, "-m", "scripts.rehearse", "--built", str(BUILT), "--folder", str(tmp_path)]
    rehearsed = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=1800)
    assert rehearsed.returncode == 0, f"{rehearsed.stdout}{rehearsed.stderr}"
