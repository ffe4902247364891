"""Measures the rules-only relevance of papers on four judged collections.

Each question is compared with every document of its collection, beside bm25s (k1 1.5, b 0.75, English stems); citations
and years play no part. `--sentence` adds the sentence encoder. Needs ../shared.
"""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from statistics import fmean
from typing import Any

import numpy as np
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.papers.models import Paper, ParsedIntent
from goldpan.kinds.papers.paper_text import PaperIndex, content_terms, meaning_text
from goldpan.kinds.papers.relevance import closeness_share, relevances

from tests.benchmarks.frame import CUT, Limit, ndcg, read_collection, report_runs, run_main
from tests.benchmarks.papers_judged import Ranking

COLLECTIONS = ("scifact", "cacm", "cranfield", "cisi")
BM25 = "bm25s"


def orders(papers: Sequence[Paper], questions: Sequence[str], encoder: Encoder) -> list[list[int]]:
    """Order all papers for each question; equal ones in their order."""
    index, found, share = PaperIndex(papers), list[list[int]](), closeness_share(encoder)
    near = np.maximum(0, _unit(encoder, questions) @ _unit(encoder, [meaning_text(paper) for paper in papers]).T)
    for question, row in zip(questions, near, strict=True):
        # by its own words: no reading of constraints, no synonyms
        concepts = dict.fromkeys(word for _, word in content_terms(question))
        intent = ParsedIntent(topic=question, concepts=tuple(concepts), meaning=question)
        values = relevances(intent, index, row.tolist(), share)
        found.append(sorted(range(len(values)), key=lambda place: -values[place])[:CUT])
    return found


def _unit(encoder: Encoder, texts: Sequence[str]) -> Any:
    vectors = np.array([np.frombuffer(vector, np.int8) for vector in encoder.encode(texts)], np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def measure(name: str, every: int, encoders: Mapping[str, Encoder]) -> dict[str, float]:
    """Return nDCG@10 in a collection, of bm25s and with each encoder."""
    documents, questions = read_collection(name, every)
    asked = [question["query"] for question in questions]
    papers = [
        Paper(source=name, title=row["title"] or "", abstract=row["abstract"], venue=row["venue"], year=row["year"])
        for row in documents
    ]
    ranking = Ranking([f"{row['title']} {row['abstract'] or ''}" for row in documents])
    found = {BM25: [ranking.order(question) for question in asked]}
    found |= {title: orders(papers, asked, encoder) for title, encoder in encoders.items()}
    return {
        run: fmean(
            ndcg([documents[at]["id"] for at in row], question["relevant"])
            for row, question in zip(places, questions, strict=True)
        )
        for run, places in found.items()
    }


def main(every: int = 1, *, sentence: bool = False) -> int:
    """Measure, print, and check the floors."""
    encoders: dict[str, Encoder] = {"word table": shipped_table()}
    if sentence and find_spec("onnxruntime") is None:
        print("skipped: the sentence encoder, because the extra `encoder` is not installed")
    elif sentence:
        from goldpan.infra.encoder.sentence import SentenceEncoder  # noqa: PLC0415 - an optional extra

        encoders["sentence encoder"] = SentenceEncoder()
    found = {name: measure(name, every, encoders) for name in COLLECTIONS}
    rows = {run: {name: each[run] for name, each in found.items()} for run in (BM25, *encoders)}
    rows = {run: {**row, "mean": fmean(row.values())} for run, row in rows.items()}
    gain = rows["word table"]["mean"] - rows[BM25]["mean"]
    return report_runs(rows, [Limit("nDCG@10 minus that of bm25s", gain, least=0)] if every == 1 else [])


if __name__ == "__main__":
    run_main(main)
