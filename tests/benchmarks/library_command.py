"""Measures `goldpan library search --data-dir`, from the start of the process to its answer, on 10,000 papers.

    python tests/benchmarks/library_command.py [--rounds N]

The papers are those of csfcube and of the library of ../shared, with title, authors, year, venue and abstract, and the
first two sentences of the abstract as the summary: 17 MB of JSON. Each round is a new process with another query; the
best of all rounds counts beside the median, because whatever else the machine does only adds time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # a script sees only its own folder

from tests.benchmarks.figures import Limit, report, table  # noqa: E402

PAPERS = ROOT.parent / "shared" / "data" / "papers"
FILES = ("library/papers", "csfcube/docs")
COUNT, MAX_SECONDS = 10_000, 2.0
FIELDS = ("title", "authors", "year", "venue", "abstract", "doi")
QUERIES = ("attention mechanisms", '"machine translation" OR parsing', "summarization NOT news", "bert*")


def papers() -> Iterator[dict[str, Any]]:
    """Yield the papers of both files with ids of their own."""
    for name in FILES:
        with gzip.open(PAPERS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                paper = json.loads(line)
                summary = ". ".join((paper["abstract"] or "").split(". ")[:2])
                yield {"id": f"{name}:{number}", "summary": summary} | {field: paper.get(field) for field in FIELDS}


def seconds_to_answer(data_dir: Path, query: str) -> tuple[float, float]:
    """Run the command in a new process; returns the seconds until it ends, and those of the processor.

    Raises `CalledProcessError` if it finds nothing.
    """
    paths = [str(ROOT / name) for name in ("layers/goldpan", "local")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "goldpan_local", "library", "search", "--query", query]
    command += ["--data-dir", str(data_dir)]
    start, before = time.perf_counter(), os.times()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    seconds, after = time.perf_counter() - start, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, used


def main() -> int:
    """Measure, print, and check the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="new processes")
    rounds = parser.parse_args().rounds
    if not PAPERS.is_dir():
        print(f"skipped: no {PAPERS}")
        return 0
    with TemporaryDirectory() as folder:
        index = Path(folder, "index", "papers.json")
        index.parent.mkdir()
        index.write_text(json.dumps({"papers": list(islice(papers(), COUNT))}), "utf-8")
        size = index.stat().st_size / 1_000_000
        times = [seconds_to_answer(Path(folder), QUERIES[turn % len(QUERIES)]) for turn in range(rounds)]
    best, middle, used = min(times)[0], median(seconds for seconds, _ in times), min(used for _, used in times)
    figures = {"papers": COUNT, "megabytes": size, "best_s": best, "median_s": middle, "processor_s": used}
    rows = [["10,000 papers, --data-dir", size, best, middle, used]]
    text = table(["", "MB of JSON", "best s", "median s", "of the processor s"], rows)
    return report(text, figures, [Limit("seconds from start to answer", best, MAX_SECONDS)])


if __name__ == "__main__":
    raise SystemExit(main())
