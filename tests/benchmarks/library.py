"""Measures how long it takes to open and search a library of papers by words.

The papers are those of five collections, and mixes of their sentences to reach the size; the questions are scifact's.
Needs the data folder beside the project (../shared).
"""

import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import MAX_QUERY, LibraryPaper
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

from tests.benchmarks.frame import PAPERS, Limit, read_rows, report, run_main, table

COLLECTIONS = ("scifact", "cacm", "cranfield", "cisi", "csfcube")


def papers_of(name: str) -> list[LibraryPaper]:
    """Read the papers of a collection."""
    fields = ("id", "title", "abstract", "venue", "year", "authors")
    file = PAPERS / name / ("papers.jsonl.gz" if name == "library" else "docs.jsonl.gz")
    found = [{field: row.get(field) for field in fields if row.get(field)} for row in read_rows(file)]
    return [LibraryPaper.model_validate({"id": f"{name}-{at}", "title": "", **row}) for at, row in enumerate(found)]


def corpus(size: int) -> Iterator[LibraryPaper]:
    """Generate papers: real ones in a mixed order, then titles of some with sentences of others."""
    real = [paper for name in (*COLLECTIONS, "library") for paper in papers_of(name)]
    draw = random.Random(1)
    draw.shuffle(real)
    sentences = [re.split(r"(?<=[.!?])\s+", paper.abstract) for paper in real if paper.abstract]
    for number in range(size):
        if number < len(real):
            yield real[number].model_copy(update={"id": str(number)})
        else:
            mixed = [part for _ in range(3) for part in draw.choice(sentences) if draw.random() < 0.4]
            title = draw.choice(real).title
            yield real[number % len(real)].model_copy(
                update={"id": str(number), "title": title, "abstract": " ".join(mixed)}
            )


def measure(papers: Sequence[LibraryPaper], questions: Sequence[str]) -> dict[str, float]:
    """Return the times of opening and searching a library."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "library.sqlite")
        with LibraryWriter.open(path) as writer:
            writer.replace_origin("benchmark", "", papers)
        start = time.perf_counter()
        index = LibraryIndex.open(path)
        opened = time.perf_counter() - start
        times = list[float]()
        for question in questions:
            start = time.perf_counter()
            index.search(question, 10)
            times.append(time.perf_counter() - start)
    return {"open ms": 1000 * opened, "median ms": 1000 * median(times)}


def main(sizes: str = "1000,10000,100000", questions: int = 100) -> int:
    """Measure, print, and check the limits."""
    asked = [row["query"][:MAX_QUERY] for row in read_rows(PAPERS / "scifact" / "queries.public.jsonl.gz")]
    figures = {size: measure(list(corpus(size)), asked[:questions]) for size in map(int, sizes.split(","))}
    limits = [Limit(f"median ms at {size}", row["median ms"], 100) for size, row in figures.items()]
    limits += [Limit(f"opening ms at {size}", row["open ms"], 50) for size, row in figures.items()]
    head = ["papers", *next(iter(figures.values()))]
    text = table(head, [[str(size), *row.values()] for size, row in figures.items()])
    return report(text, {str(size): row for size, row in figures.items()}, limits)


if __name__ == "__main__":
    run_main(main, needs_data=True)
