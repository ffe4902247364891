"""Checks every pinned version against a vulnerability database: `python -m tests.contract.stack.audit`.

pip-audit exits with 1 both if it found something and if it could not reach the database. So the database is called
first: if it cannot be reached, the audit is skipped and prints why; otherwise anything but a clean report is a failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx2

from tests.contract.stack.documents import ROOT

OSV = "https://api.osv.dev/v1/query"
PINNED = ("constraints.txt", "constraints-sam.txt", "constraints-checkov.txt", "layers/goldpan/requirements.txt")
"""The versions of the project and its tests, of the SAM CLI, of checkov, and of the layer."""
LISTS = tuple(ROOT / each for each in PINNED)
SECONDS = 15


def main(service: str = OSV, files: Sequence[Path] = LISTS) -> int:
    """Audit the files; return the exit code: 0 clean or skipped, 1 a finding, 2 an audit that did not work."""
    package = {"package": {"name": "pip", "ecosystem": "PyPI"}, "version": "0"}
    try:
        httpx2.post(service, json=package, timeout=SECONDS)
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
        reason = str(error) or type(error).__name__
        print(f"skipped: the vulnerability database cannot be reached ({reason}); nothing was audited")  # noqa: T201
        return 0
    except httpx2.HTTPError:
        pass  # it can be reached; the audit reports what is wrong with it
    return max(_audit(service, file) for file in files)


def _audit(service: str, file: Path) -> int:
    """Run pip-audit over one list of exact versions."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(file), "--no-deps", "--disable-pip"]
    command += ["--vulnerability-service", "osv", "--osv-url", service, "--format", "json", "--progress-spinner", "off"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    code, text = summarize(run.returncode, run.stdout)
    print(f"{file.name}: {text}{run.stderr if code > 1 else ''}", file=sys.stderr if code else sys.stdout)
    return code


def summarize(exit_code: int, report: str) -> tuple[int, str]:
    """Return the exit code and a text for a report; only a complete one without findings is clean."""
    try:
        rows = json.loads(report)["dependencies"]
        found = [f"{row['name']} {row['version']}: {each['id']}" for row in rows for each in row.get("vulns", ())]
        skipped = [f"{row['name']}: {row['skip_reason']}" for row in rows if "skip_reason" in row]
    except (ValueError, KeyError, TypeError):
        return 2, f"pip-audit wrote no report and exited with {exit_code}\n"
    if found:
        return 1, ", ".join(found)
    if skipped or exit_code or not rows:
        return 2, f"incomplete, pip-audit exited with {exit_code}: {', '.join(skipped)}\n"
    return 0, f"{len(rows)} versions, no known vulnerability"


if __name__ == "__main__":
    sys.exit(main())
