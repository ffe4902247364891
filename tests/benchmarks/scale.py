"""Computes what a search costs and what binds first, and writes both into docs/scale.md between its markers.

What the project says itself is read from it; all else stands in scale_parameters.toml, with its unit and its source.
`--check` writes nothing and fails where the page says something else.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, this file sees only its own folder

from tests.benchmarks.scale_known import PARAMETERS, read_parameters
from tests.benchmarks.scale_page import PAGE, written


def main() -> int:
    """Write the page, or tell whether it is as it would be written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only")
    given = parser.parse_args()
    page = PAGE.read_text("utf-8")
    new = written(page, read_parameters(PARAMETERS.read_text("utf-8")))
    if not given.check:
        PAGE.write_text(new, "utf-8")
    elif new != page:
        print("docs/scale.md is not what its parameters give: run python tests/benchmarks/scale.py", file=sys.stderr)
    return int(given.check and new != page)


if __name__ == "__main__":
    sys.exit(main())
