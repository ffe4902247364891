"""What giving a remembered answer costs at the least: reading its row of the file, and its JSON."""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Row:
    """How long reading the row takes, and how large its JSON is."""

    seconds: float
    size: int


def row_seconds(file: Path, times: int) -> Row:
    """Read the largest answer of the file, again and again; gives the median."""
    seconds = []
    with closing(sqlite3.connect(file)) as connection:
        named = "SELECT key FROM cache WHERE key LIKE 'answer:%' ORDER BY length(value) DESC LIMIT 1"
        (key,) = connection.execute(named).fetchone()
        for _ in range(times):
            began = time.perf_counter()
            (kept,) = connection.execute("SELECT value FROM cache WHERE key = ?", (key,)).fetchone()
            text = zlib.decompress(kept)
            json.loads(text)
            seconds.append(time.perf_counter() - began)
    return Row(median(seconds), len(text))
