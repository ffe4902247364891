"""Measures the rules-only relevance of papers on four judged collections.

Each question is compared with every document of its collection, beside bm25s (k1 1.5, b 0.75, English stems); citations
and years play no part. `--sentence` adds the sentence encoder. Needs ../shared.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import fmean
from typing import Any

import bm25s
import numpy as np
import Stemmer
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.papers.models import Paper, ParsedIntent
from goldpan.kinds.papers.paper_text import PaperIndex, content_terms, meaning_text
from goldpan.kinds.papers.relevance import closeness_share, relevances

from tests.benchmarks.frame import CUT, PAPERS, Limit, ndcg, read_rows, report, run_main, table

COLLECTIONS = ("scifact", "cacm", "cranfield", "cisi")
FIRST = 100
BM25 = "bm25s"


@dataclass(frozen=True)
class Collection:
    """A collection of papers with its judged questions, and the first papers that bm25s finds for each."""

    papers: Sequence[Paper]
    ids: Sequence[str]
    questions: Sequence[Mapping[str, Any]]
    found: Sequence[Sequence[int]]
    index: PaperIndex


def read_collection(name: str, every: int) -> Collection:
    """Read a collection, and search it by bm25s."""
    documents = read_rows(PAPERS / name / "docs.jsonl.gz")
    questions = read_rows(PAPERS / name / "queries.public.jsonl.gz")[::every]
    papers = [
        Paper(source=name, title=row["title"] or "", abstract=row["abstract"], venue=row["venue"], year=row["year"])
        for row in documents
    ]
    texts = [f"{row['title']} {row['abstract'] or ''}" for row in documents]
    found = bm25_places(texts, [question["query"] for question in questions])
    return Collection(papers, [row["id"] for row in documents], questions, found, PaperIndex(papers))


def bm25_places(texts: Sequence[str], questions: Sequence[str]) -> list[list[int]]:
    """Return the places of the first texts that bm25s finds for each question."""
    stemmer = Stemmer.Stemmer("english")
    search = bm25s.BM25()
    search.index(bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)
    asked = bm25s.tokenize(questions, stopwords="en", stemmer=stemmer, show_progress=False)
    places, _ = search.retrieve(asked, k=FIRST, show_progress=False)
    return [[int(place) for place in row] for row in places]


def closeness(collection: Collection, encoder: Encoder) -> Any:
    """Return the cosine from 0 of each question and each paper, as rows and columns."""
    asked = _unit(encoder, [question["query"] for question in collection.questions])
    return np.maximum(0, asked @ _unit(encoder, [meaning_text(paper) for paper in collection.papers]).T)


def _unit(encoder: Encoder, texts: Sequence[str]) -> Any:
    vectors = np.array([np.frombuffer(vector, np.int8) for vector in encoder.encode(texts)], np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def orders(collection: Collection, encoder: Encoder) -> list[list[int]]:
    """Order all papers of a collection for each question; equal ones in their order."""
    near, found, share = closeness(collection, encoder), list[list[int]](), closeness_share(encoder)
    for question, row in zip(collection.questions, near, strict=True):
        # by its own words: no reading of constraints, no synonyms
        text = question["query"]
        concepts = dict.fromkeys(word for _, word in content_terms(text))
        intent = ParsedIntent(topic=text, concepts=tuple(concepts), meaning=text)
        values = relevances(intent, collection.index, row.tolist(), share)
        found.append(sorted(range(len(values)), key=lambda place: -values[place])[:CUT])
    return found


def figures(collections: Mapping[str, Collection], found: Mapping[str, Sequence[Sequence[int]]]) -> dict[str, float]:
    """Return nDCG@10 for each collection, and its mean over them."""
    means = {
        name: fmean(
            ndcg([collection.ids[place] for place in places], question["relevant"])
            for question, places in zip(collection.questions, found[name], strict=True)
        )
        for name, collection in collections.items()
    }
    return {name: round(value, 4) for name, value in {**means, "mean": fmean(means.values())}.items()}


def main(every: int = 1, *, sentence: bool = False) -> int:
    """Measure, print, and check the floors."""
    encoders: dict[str, Encoder] = {"word table": shipped_table()}
    if sentence and find_spec("onnxruntime") is None:
        print("skipped: the sentence encoder, because the extra `encoder` is not installed")
    elif sentence:
        from goldpan.infra.encoder.sentence import SentenceEncoder  # noqa: PLC0415 - an optional extra

        encoders["sentence encoder"] = SentenceEncoder()
    collections = {name: read_collection(name, every) for name in COLLECTIONS}
    rows = {BM25: figures(collections, {name: collection.found for name, collection in collections.items()})}
    for title, encoder in encoders.items():
        start = time.perf_counter()
        found = {name: orders(collection, encoder) for name, collection in collections.items()}
        rows[title] = figures(collections, found)
        print(f"{title}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    floor = Limit("nDCG@10 minus that of bm25s", rows["word table"]["mean"] - rows[BM25]["mean"], 0, is_minimum=True)
    head = ["run", *rows[BM25]]
    text = table(head, [[title, *(f"{value:.4f}" for value in row.values())] for title, row in rows.items()])
    return report(text, rows, [floor] if every == 1 else [])


if __name__ == "__main__":
    run_main(main, needs_data=True)
