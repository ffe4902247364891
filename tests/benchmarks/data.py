"""The data folder beside the project (../shared), which some benchmarks need."""

import gzip
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
PAPERS = DATA / "papers"
WORK = ROOT / "build" / "benchmarks"


def has_data() -> bool:
    """Report whether the data folder is there, and say so if it is not."""
    if not DATA.is_dir():
        print(f"skipped: the data folder {SHARED.name} is not beside the project")
    return DATA.is_dir()


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read the objects of a compressed file, one a line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
