"""Answers the judged questions with the whole pipeline, by rules alone, and measures the answers."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

from goldpan.contracts import parse_request
from goldpan.engine.dependencies import Dependencies
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.sources.catalogue.build import catalogue_in_memory
from goldpan.kinds.repositories.sources.catalogue.lines import records_from_lines
from goldpan.kinds.repositories.state import final_state

from tests.support.factories import StillClock, events
from tests.support.texts_alone import texts_alone

FOLDER = Path(__file__).parent
FIGURES = FOLDER / "figures.toml"
DAY_OF_THE_RECORDS = datetime(2026, 8, 22, tzinfo=UTC)
"""Ages count from it, so that no result depends on the date."""
DEPTH = 10
HEAD = """\
# For each question: nDCG@10, recall of the shortlist, and the mean relevance of the results.
# Written by `python -m tests.support.judged.measure`.
"""


@dataclass(frozen=True)
class Measured:
    """The names that answer one question, best first, and three figures between 0 and 1."""

    names: tuple[str, ...]
    ndcg: float
    recall: float
    relevance: float
    """The mean of the results, 0 without any: it changes with every constant, even if the order does not."""


def measure() -> dict[str, Measured]:
    """Answer each question over the frozen records, with the default settings, without a cache, by the texts alone.

    What goldpan knows of its own may grow at any time, and the records stay as they are. Raises ValueError if a
    question names a repository that the records do not hold.
    """
    records = list(records_from_lines(FOLDER / "records.jsonl.gz"))
    with texts_alone():
        catalogue = catalogue_in_memory(records, title="the judged records")
    dependencies = Dependencies(
        clock=StillClock(DAY_OF_THE_RECORDS), sources={"catalogue": catalogue}, encoder=shipped_table()
    )
    questions = tomllib.loads((FOLDER / "questions.toml").read_text("utf-8"))["question"]
    grades = {
        question["text"]: {name: int(grade) for grade, names in question["relevant"].items() for name in names}
        for question in questions
    }
    unknown = {name for of_one in grades.values() for name in of_one} - {record.full_name for record in records}
    if unknown:
        message = f"questions.toml: {sorted(unknown)} are not in records.jsonl.gz; give the full name, owner/name"
        raise ValueError(message)
    with closing(catalogue), texts_alone():
        return {question: _measured(question, of_one, dependencies) for question, of_one in grades.items()}


def _measured(question: str, grades: dict[str, int], dependencies: Dependencies) -> Measured:
    request = parse_request({"query": question, "max_results": DEPTH})
    state = final_state(request, events(request, dependencies))
    results = state.top_repos
    gained = _gain([grades.get(result.repo, 0) for result in results])
    shortlisted = {repository.full_name for repository in state.coarse_filtered_repos}
    return Measured(
        names=tuple(result.repo for result in results),
        ndcg=gained / _gain(sorted(grades.values(), reverse=True)),
        recall=len(shortlisted & grades.keys()) / len(grades),
        relevance=fmean(result.relevance for result in results) if results else 0.0,
    )


def _gain(grades: Sequence[int]) -> float:
    """Compute the discounted cumulative gain of the first ten: sum of (2^grade - 1) / log2(1 + rank)."""
    return sum((2.0**grade - 1) / math.log2(1 + rank) for rank, grade in enumerate(grades[:DEPTH], start=1))


def main() -> None:
    """Write the figures, and print their means."""
    measured = measure()
    lines = [
        f'"{question}" = {{ ndcg = {one.ndcg:.4f}, recall = {one.recall:.4f}, relevance = {one.relevance:.4f} }}\n'
        for question, one in measured.items()
    ]
    FIGURES.write_text(HEAD + "".join(lines), "utf-8")
    for figure in ("ndcg", "recall"):
        print(f"mean {figure}: {fmean(getattr(one, figure) for one in measured.values()):.4f}")  # noqa: T201


if __name__ == "__main__":
    main()
