"""Rehearse a deployment without an account: `make rehearse`.

Deploys what `make build` built to an emulator of AWS on this machine, calls it, changes it, breaks it, and deletes it.
Prints what each step showed and its time; exits with 1 if one failed, with 2 if something is not installed.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from scripts.rehearse.report import table
from scripts.rehearse.steps import rehearse
from scripts.rehearse.world import MissingError


def main() -> int:
    """Run all steps, also after a failed one; return the exit code."""
    parser = argparse.ArgumentParser(prog="make rehearse", description="Rehearse a deployment without an account.")
    parser.add_argument("--built", type=Path, required=True, help="the folder of `sam build`")
    parser.add_argument("--folder", type=Path, help="where the log of the emulator stays; by default a temporary one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rehearsal-") as temporary:
        try:
            results = []
            for result in rehearse(options.built, (options.folder or Path(temporary)).resolve()):
                results.append(result)
                print(result, flush=True)
        except MissingError as missing:
            print(f"skipped: {missing}", file=sys.stderr)
            return 2
    print(f"\n{table(results)}")
    return 0 if all(result.passed for result in results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
