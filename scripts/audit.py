"""Checks every pinned version against a vulnerability database: `python -m scripts.audit`.

pip-audit exits with 1 both if it found something and if it could not reach the database. So the database is called
first: if it cannot be reached, the audit is skipped and prints why; otherwise any exit code but 0 is a failure,
also for a package that pip-audit would skip.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx2

ROOT = Path(__file__).parents[1]
OSV = "https://api.osv.dev/v1/query"
PINNED = (
    "constraints.txt",
    "constraints-sam.txt",
    "constraints-checkov.txt",
    "constraints-rehearse.txt",
    "layers/goldpan/requirements.txt",
    "encoder/packages/requirements.txt",
)
"""The versions of the project and its tests, of the SAM CLI, of checkov, of the emulator, and of the layers."""
LISTS = tuple(ROOT / each for each in PINNED)
SECONDS = 15


def main(service: str = OSV, files: Sequence[Path] = LISTS) -> int:
    """Audit the files; return how many failed: 0 if all are clean or the audit is skipped."""
    package = {"package": {"name": "pip", "ecosystem": "PyPI"}, "version": "0"}
    try:
        httpx2.post(service, json=package, timeout=SECONDS)
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
        reason = str(error) or type(error).__name__
        print(f"skipped: the vulnerability database cannot be reached ({reason}); nothing was audited")
        return 0
    except httpx2.HTTPError:
        pass  # it can be reached; the audit reports what is wrong with it
    options = ["--no-deps", "--disable-pip", "--strict", "--progress-spinner", "off", "--osv-url", service]
    command = [sys.executable, "-m", "pip_audit", "--vulnerability-service", "osv", *options, "--requirement"]
    runs = (subprocess.run([*command, str(file)], check=False) for file in files)  # noqa: S603 - the command of this project
    return sum(run.returncode != 0 for run in runs)


if __name__ == "__main__":
    sys.exit(main())
