"""Answers the judged questions over the embedded sample, by rules alone, and measures the answers."""

import json
import math
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Literal

from goldpan.config import Frozen
from goldpan.contracts import parse_request
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.results import RankedRepository

from tests.support.factories import run
from tests.support.fakes import StillClock
from tests.support.sample import SAMPLE_SOURCE, catalogue_in_memory, sample_records

FOLDER = Path(__file__).resolve().parents[1] / "data" / "judged"
APT, DEPTH = 2, 10
FLOORS = {"apt": 0.6, "found": 0.95, "first": 0.88, "ndcg": 0.77}
"""The least means over the questions that have an apt answer. A change that is better raises them."""


class JudgedQuestion(Frozen):
    """A question, what its author needs, and the grades of the repositories that several rankings gave for it."""

    qid: str
    style: Literal["sentence", "casual", "constraint", "likeness", "typo", "foreign"]
    query: str
    need: str
    grades: dict[str, Literal[1, 2]]
    """The repositories that are apt (2) or near (1), by full name."""
    not_apt: dict[Literal["k", "p", "c", "n", "w"], tuple[str, ...]]
    """The others that were read, by the reason: another kind of thing, another platform or language, a constraint
    broken, too narrow, or only words in common."""

    @property
    def is_answerable(self) -> bool:
        """Whether the sample has an apt answer."""
        return APT in self.grades.values()


@dataclass(frozen=True)
class Measured:
    """What one question is answered by, and figures of it, most of them between 0 and 1."""

    question: JudgedQuestion
    gains: Sequence[int]
    """The grades of the first ten results."""
    relevance: float
    """The mean of the results, 0 without any: it changes with every constant, even if the order does not."""
    apt: float
    """The share of apt results among the results."""
    found: float
    """1 if a result is apt."""
    first: float
    """1 if the first result is apt."""
    ndcg: float
    """The discounted cumulative gain of the first ten, as a share of the best possible one; 0 if that is 0."""


def load_questions() -> list[JudgedQuestion]:
    """Load all judged questions."""
    lines = (FOLDER / "questions.jsonl").read_text("utf-8").splitlines()
    return [JudgedQuestion.model_validate(json.loads(line)) for line in lines]


def measure(questions: Iterable[JudgedQuestion]) -> list[Measured]:
    """Answer questions over what was graded of the sample, with the default settings, without a language model."""
    lines = (SAMPLE_SOURCE / "texts.tsv").read_text("utf-8").splitlines()
    names, encoder = {line.partition("\t")[0].lower() for line in lines}, shipped_table()
    graded = (record for record in sample_records() if record.full_name.lower() in names)
    with closing(catalogue_in_memory(graded, "the graded part of the sample", encoder)) as catalogue:
        dependencies = Dependencies(clock=StillClock(), sources={"catalogue": catalogue}, encoder=encoder)
        return [_measured(question, dependencies) for question in questions]


def mean(measured: Sequence[Measured], figure: str) -> float:
    """Compute the mean of a figure over the questions that have an apt answer."""
    return fmean(getattr(one, figure) for one in measured if one.question.is_answerable)


def _measured(question: JudgedQuestion, dependencies: Dependencies) -> Measured:
    results: tuple[RankedRepository, ...] = ()
    with suppress(InvalidRequest):
        asked = parse_request({"query": question.query, "max_results": DEPTH})
        results = run(asked, dependencies).repositories.results
    gains = [question.grades.get(result.repo, 0) for result in results]
    best = _gain(sorted(question.grades.values(), reverse=True))
    return Measured(
        question,
        gains,
        relevance=fmean(result.relevance for result in results) if results else 0.0,
        apt=fmean(gain == APT for gain in gains) if gains else 0.0,
        found=float(APT in gains),
        first=float(gains[:1] == [APT]),
        ndcg=_gain(gains) / best if best else 0.0,
    )


def _gain(grades: Sequence[int]) -> float:
    """Sum (2^grade - 1) / log2(1 + rank) over the first ten."""
    return sum((2.0**grade - 1) / math.log2(1 + rank) for rank, grade in enumerate(grades[:DEPTH], start=1))
