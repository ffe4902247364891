"""Asks a vulnerability service about every pinned version: `python -m tests.contract.stack.audit`.

pip-audit ends with 1 both where it found something and where it could ask nobody. So the service is called first: where
it cannot be reached, the audit is skipped and says why; from there on, whatever is no clean report is a failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2

from tests.contract.stack.documents import ROOT

OSV = "https://api.osv.dev/v1/query"
PINNED = ("constraints.txt", "constraints-sam.txt", "constraints-checkov.txt", "layers/goldpan/requirements.txt")
"""The versions of the tests and the command, of the SAM CLI, of checkov, and of the layer: each a whole, exact list."""
WHOLE_LISTS = tuple(ROOT / each for each in PINNED)
IGNORED: Mapping[str, str] = {}
"""Findings that do not touch goldpan, by their id, each with the reason."""
CLEAN, FOUND, UNASKED = 0, 1, 2
PATIENCE = 15


def main(service: str = OSV, files: Sequence[Path] = WHOLE_LISTS) -> int:
    """Audit the files; gives the exit code: 0 clean or skipped, 1 something was found, 2 the audit itself failed."""
    if reason := unreachable(service):
        print(f"skipped: the vulnerability service cannot be reached ({reason}); nothing was audited")  # noqa: T201
        return CLEAN
    codes = [audited(service, file) for file in files]
    return max(codes, key=(CLEAN, UNASKED, FOUND).index)


def unreachable(service: str) -> str:
    """Say why the service cannot be reached, or nothing where it answers, with whatever."""
    asked = {"package": {"name": "pip", "ecosystem": "PyPI"}, "version": "0"}
    try:
        httpx2.post(service, json=asked, timeout=PATIENCE)
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
        return str(error) or type(error).__name__
    except httpx2.HTTPError:
        return ""  # somebody is there, and the audit will tell what is wrong with it
    return ""


def audited(service: str, file: Path) -> int:
    """Run pip-audit over one list of exact versions, and tell what it found."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "pip_audit", "--requirement", str(file), "--no-deps", "--disable-pip"]
        command += ["--vulnerability-service", "osv", "--osv-url", service, "--cache-dir", cache]
        command += ["--format", "json", "--progress-spinner", "off"]
        command += [part for known in IGNORED for part in ("--ignore-vuln", known)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    return told(file.name, run.returncode, run.stdout, run.stderr)


def told(name: str, code: int, report: str, complaints: str) -> int:
    """Tell of a report; only one that is whole, and that names nothing, is clean."""
    try:
        rows: list[dict[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        print(f"{name}: pip-audit gave no report and ended with {code}\n{complaints}", file=sys.stderr)  # noqa: T201
        return UNASKED
    found = [f"{row['name']} {row['version']}: {vuln['id']}" for row in rows for vuln in row.get("vulns", ())]
    skipped = [f"{row['name']}: {row['skip_reason']}" for row in rows if "skip_reason" in row]
    for line in (*found, *skipped):
        print(f"{name}: {line}", file=sys.stderr)  # noqa: T201
    if found:
        return FOUND
    if skipped or code or not rows:
        print(f"{name}: not audited as a whole, pip-audit ended with {code}\n{complaints}", file=sys.stderr)  # noqa: T201
        return UNASKED
    print(f"{name}: {len(rows)} versions, nothing known against them")  # noqa: T201
    return CLEAN


if __name__ == "__main__":
    sys.exit(main())
