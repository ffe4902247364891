"""Measures the search of a library: hybrid on four judged collections, beside plain FTS5 and bm25s, or its times.

Each collection is imported into a file, its passages are encoded by the word table, and each question is asked as a
query of words and as a hybrid one.

`--sizes 1000,10000,100000` measures how long a search of libraries of these sizes by words takes: papers of five
collections, mixes of their sentences to reach the size, and the questions of scifact. Needs the data folder beside the
project (../shared).
"""

import random
import re
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from heapq import nlargest
from pathlib import Path
from statistics import fmean, median
from typing import Annotated, Any

import typer
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.papers.paper_text import STOP_TERMS
from goldpan.kinds.papers.sources.library.folding import tokens
from goldpan.kinds.papers.sources.library.hybrid import HybridIndex
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import MAX_QUERY, LibraryPaper
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.text import stemmed

from tests.benchmarks.frame import Limit, ndcg, read_collection, report, run_main, table
from tests.benchmarks.paper_ranking import COLLECTIONS
from tests.benchmarks.papers_judged import Ranking

FOUND, SHOWN = 100, 10
FTS5, HYBRID = "plain FTS5", "hybrid, word table"
MILLISECONDS = 100


def plain_fts5(documents: Sequence[Mapping[str, Any]], questions: Sequence[str]) -> list[list[str]]:
    """Search as SQLite does untuned: bm25() with equal weights, porter, all words joined with OR."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE found USING fts5 (id UNINDEXED, title, abstract, tokenize = 'porter')")
        rows = [(row["id"], row["title"], row["abstract"]) for row in documents]
        connection.executemany("INSERT INTO found VALUES (?, ?, ?)", rows)
        found = []
        for question in questions:
            words = "".join(char if char.isalnum() else " " for char in question).split()
            asked = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
            select = "SELECT id FROM found WHERE found MATCH ? ORDER BY rank LIMIT ?"
            found.append([name for (name,) in connection.execute(select, (asked, FOUND))])
    return found


def plain_sum(documents: Sequence[Mapping[str, Any]], questions: Sequence[str]) -> list[list[str]]:
    """Search by the sum of the matches alone, one in the title counts 3 and one in the abstract 2."""
    fields = [
        (row["id"], *(Counter(map(stemmed, tokens(row[name] or ""))) for name in ("title", "abstract")))
        for row in documents
    ]
    found = []
    for question in questions:
        asked = set(map(stemmed, tokens(question))) - STOP_TERMS
        sums = ((sum(3 * title[word] + 2 * abstract[word] for word in asked), name) for name, title, abstract in fields)
        found.append([name for total, name in nlargest(FOUND, sums) if total])
    return found


def quality(found: Sequence[Sequence[str]], questions: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Return nDCG@10 and recall@100."""
    pairs = [(ids, question["relevant"]) for ids, question in zip(found, questions, strict=True)]
    recall = fmean(len(set(ids[:FOUND]) & set(judged)) / len(judged) for ids, judged in pairs)
    return fmean(ndcg(ids, judged) for ids, judged in pairs), recall


def measure(name: str, every: int) -> dict[str, tuple[float, float]]:
    """Measure one collection: the baselines, the words, and the word table with them."""
    documents, questions = read_collection(name, every)
    asked = [question["query"] for question in questions]
    ranking = Ranking([f"{row['title']} {row['abstract'] or ''}" for row in documents])
    found = {
        "weighted sum": plain_sum(documents, asked),
        FTS5: plain_fts5(documents, asked),
        "bm25s": [[documents[at]["id"] for at in ranking.order(question)] for question in asked],
    }
    with opened_library(papers_of(documents), is_encoded=True) as index:
        hybrid = HybridIndex(index, shipped_table())
        for run, search in (("words", index.search), (HYBRID, hybrid.search)):
            results = [search(question[:MAX_QUERY], FOUND).results for question in asked]
            found[run] = [[hit.paper.id for hit in hits] for hits in results]
    return {run: quality(ids, questions) for run, ids in found.items()}


@contextmanager
def opened_library(papers: Sequence[LibraryPaper], *, is_encoded: bool = False) -> Iterator[LibraryIndex]:
    """Open a library of these papers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "library.sqlite")
        with LibraryWriter.open(path) as writer:
            writer.replace_origin("benchmark", "", papers)
            if is_encoded:
                encode_library(writer, shipped_table())
        with LibraryIndex.open(path) as index:
            yield index


def papers_of(documents: Sequence[Mapping[str, Any]]) -> list[LibraryPaper]:
    """Make the papers of a collection."""
    return [
        LibraryPaper(id=row["id"], title=row["title"] or row["id"], abstract=row["abstract"] or "", year=row["year"])
        for row in documents
    ]


def corpus(size: int) -> Iterator[LibraryPaper]:
    """Generate papers: real ones in a mixed order, then titles of some with sentences of others."""
    real = [paper for name in (*COLLECTIONS, "csfcube") for paper in papers_of(read_collection(name)[0])]
    draw = random.Random(1)
    draw.shuffle(real)
    sentences = [re.split(r"(?<=[.!?])\s+", paper.abstract) for paper in real if paper.abstract]
    for number in range(size):
        paper, changed = real[number % len(real)], {"id": str(number)}
        if number >= len(real):
            mixed = [part for _ in range(3) for part in draw.choice(sentences) if draw.random() < 0.4]
            changed |= {"title": draw.choice(real).title, "abstract": " ".join(mixed)}
        yield paper.model_copy(update=changed)


def median_time(papers: Sequence[LibraryPaper], questions: Sequence[str]) -> float:
    """Return the milliseconds of a search of a library."""
    seconds = list[float]()
    with opened_library(papers) as index:
        for question in questions:
            start = time.perf_counter()
            index.search(question, SHOWN)
            seconds.append(time.perf_counter() - start)
    return 1000 * median(seconds)


def measure_times(sizes: str, every: int) -> int:
    """Measure libraries of these sizes, print, and check the limits."""
    asked = [row["query"][:MAX_QUERY] for row in read_collection("scifact", every)[1]]
    figures = {size: median_time(list(corpus(int(size))), asked) for size in sizes.split(",")}
    limits = [Limit(f"median ms at {size}", milliseconds, MILLISECONDS) for size, milliseconds in figures.items()]
    return report(table(["papers", "median ms"], [*figures.items()]), limits)


def main(collections: Annotated[list[str] | None, typer.Argument()] = None, every: int = 1, *, sizes: str = "") -> int:
    """Measure, print, and check the floor: the mean of plain FTS5."""
    if sizes:
        return measure_times(sizes, every)
    figures = {name: measure(name, every) for name in collections or COLLECTIONS}
    means = {run: fmean(each[run][0] for each in figures.values()) for run in next(iter(figures.values()))}
    rows = [
        [run, *(f"{each[run][0]:.4f} / {each[run][1]:.3f}" for each in figures.values()), f"{mean:.4f}"]
        for run, mean in means.items()
    ]
    floor = Limit(f"{HYBRID}, mean nDCG@10", means[HYBRID], least=means[FTS5])
    text = table(["nDCG@10 / recall@100", *figures, "mean nDCG@10"], rows)
    return report(text, [floor] if every == 1 else [])


if __name__ == "__main__":
    run_main(main)
