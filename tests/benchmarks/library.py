"""Measures the search of a library by words, beside plain FTS5, bm25s and tantivy in the same run.

    python tests/benchmarks/library.py [--quality] [--sizes 1000,10000,100000] [--questions N]

Quality: the judged questions of five collections, cut to 500 characters; a paper of csfcube is asked for by its title.
Speed: the papers of all collections, and mixes of their sentences to reach the size; the questions are scifact's.
Plain FTS5 is bm25() with equal weights, porter, all words joined with OR; tantivy has an English stemmer and joins the
same way. Needs the data folder beside the project (../shared); tantivy is left out where it is not installed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script sees only its own folder

from goldpan.kinds.papers.sources.library.models import MAX_QUERY, LibraryPaper

from tests.benchmarks.figures import Limit, report, table
from tests.benchmarks.library_engines import Engine, engines

PAPERS = Path(__file__).resolve().parents[3] / "shared" / "data" / "papers"
COLLECTIONS = ("scifact", "cacm", "cranfield", "cisi", "csfcube")
CUT, DEEP = 10, 100
OURS, PLAIN, BM25S = "goldpan, words", "FTS5, plain", "bm25s"


@dataclass(frozen=True)
class Question:
    """A question, the grades of the papers that answer it, and the paper that it was made of."""

    text: str
    judged: Mapping[str, int]
    own: str | None = None


def rows(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def papers_of(name: str) -> list[LibraryPaper]:
    """Read the papers of a collection."""
    fields = ("id", "title", "abstract", "venue", "year", "authors")
    file = PAPERS / name / ("papers.jsonl.gz" if name == "library" else "docs.jsonl.gz")
    found = [{field: row.get(field) for field in fields if row.get(field)} for row in rows(file)]
    return [LibraryPaper.model_validate({"id": f"{name}-{at}", "title": "", **row}) for at, row in enumerate(found)]


def questions_of(name: str, titles: Mapping[str, str]) -> list[Question]:
    """Read the judged questions of a collection."""
    found = []
    for row in rows(PAPERS / name / "queries.public.jsonl.gz"):
        own = row.get("query_doc")
        judged = {paper: grade for paper, grade in row["relevant"].items() if grade > 0 and paper != own}
        found.append(Question((titles[own] if own else row["query"])[:MAX_QUERY], judged, own))
    return found


def ndcg(ids: Sequence[str], judged: Mapping[str, int]) -> float:
    """Return nDCG@10: linear gain, discounted by log2 of the place plus 1, as a share of the ideal order's."""
    ideal = sum(grade / math.log2(at + 2) for at, grade in enumerate(sorted(judged.values(), reverse=True)[:CUT]))
    return sum(judged.get(name, 0) / math.log2(at + 2) for at, name in enumerate(ids[:CUT])) / ideal


def recall(ids: Sequence[str], judged: Mapping[str, int]) -> float:
    """Return the share of the relevant papers among the first hundred."""
    return len(set(ids[:DEEP]) & set(judged)) / len(judged)


Search = Callable[[str, int], Sequence[str]]


def quality(search: Search, questions: Sequence[Question]) -> tuple[float, float]:
    """Return the means of nDCG@10 and of recall@100."""
    found = [[name for name in search(each.text, DEEP + 1) if name != each.own] for each in questions]
    pairs = list(zip(found, questions, strict=True))
    return fmean(ndcg(ids, each.judged) for ids, each in pairs), fmean(recall(ids, each.judged) for ids, each in pairs)


def measure_quality(made: Sequence[type[Engine]]) -> dict[str, dict[str, float]]:
    """Return nDCG@10 and recall@100 of each engine, by collection and in the mean."""
    figures: dict[str, dict[str, float]] = {engine.name: {} for engine in made}
    for name in COLLECTIONS:
        papers = papers_of(name)
        questions = questions_of(name, {paper.id: paper.title for paper in papers})
        for engine in made:
            with tempfile.TemporaryDirectory() as folder:
                search = engine(papers, Path(folder)).search
                figures[engine.name][name], figures[engine.name][f"{name} recall"] = quality(search, questions)
    for row in figures.values():
        row["mean"] = fmean(row[name] for name in COLLECTIONS)
        row["mean recall"] = fmean(row[f"{name} recall"] for name in COLLECTIONS)
    return figures


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


def measure_speed(engine: type[Engine], papers: Sequence[LibraryPaper], questions: Sequence[str]) -> dict[str, float]:
    """Return the times of indexing, opening and searching, and the size of the index."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        searcher = engine(papers, Path(folder))
        indexed, size = time.perf_counter() - start, sum(file.stat().st_size for file in Path(folder).rglob("*"))
        start = time.perf_counter()
        searcher.open()
        opened = time.perf_counter() - start
        times = sorted(_seconds(searcher.search, question) for question in questions)
    return {
        "index s": indexed,
        "MB": size / 1e6,
        "open ms": 1000 * opened,
        "median ms": 1000 * median(times),
        "p99 ms": 1000 * times[min(len(times) - 1, int(0.99 * len(times)))],
    }


def _seconds(search: Search, question: str) -> float:
    start = time.perf_counter()
    search(question, CUT)
    return time.perf_counter() - start


def _cell(row: Mapping[str, float], name: str) -> str:
    return f"{row[name]:.4f} / {row[f'{name} recall']:.3f}"


def quality_limits(figures: Mapping[str, Mapping[str, float]]) -> list[Limit]:
    """Return the floors: not below plain FTS5 on any collection, nor below bm25s in the mean."""
    floors = [
        Limit(
            f"nDCG@10 on {name}, minus that of plain FTS5",
            figures[OURS][name] - figures[PLAIN][name],
            0,
            is_minimum=True,
        )
        for name in COLLECTIONS
    ]
    difference = figures[OURS]["mean"] - figures[BM25S]["mean"]
    return [*floors, Limit("mean nDCG@10, minus that of bm25s", difference, 0, is_minimum=True)]


def main() -> int:
    """Measure, print, and check the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quality", action="store_true", help="measure the quality alone")
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of papers to measure the speed at")
    parser.add_argument("--questions", type=int, default=100, help="how many questions to measure the speed with")
    options = parser.parse_args()
    if not PAPERS.is_dir():
        print("skipped: the data folder shared is not beside the project")
        return 0
    made, figures = engines(), measure_quality(engines())
    head = ["nDCG@10 / recall@100", *COLLECTIONS, "mean"]
    lines = [[name, *(_cell(row, each) for each in head[1:])] for name, row in figures.items()]
    text, limits = table(head, lines), quality_limits(figures)
    speed: dict[str, dict[str, float]] = {}
    if not options.quality:
        asked = [each.text for each in questions_of("scifact", {})[: options.questions]]
        for size in map(int, options.sizes.split(",")):
            papers = list(corpus(size))
            speed |= {f"{engine.name}, {size}": measure_speed(engine, papers, asked) for engine in made}
            limits.append(Limit(f"median ms at {size}", speed[f"{OURS}, {size}"]["median ms"], 100))
            limits.append(Limit(f"opening ms at {size}", speed[f"{OURS}, {size}"]["open ms"], 50))
        columns = list(next(iter(speed.values())))
        text += "\n\n" + table(["engine, papers", *columns], [[name, *row.values()] for name, row in speed.items()])
    return report(text, {"quality": figures, "speed": speed}, limits)


if __name__ == "__main__":
    sys.exit(main())
