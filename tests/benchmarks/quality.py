"""Measures the answers to the public questions, by rules alone, against baselines in the same run.

Titles of lists' sections, typed questions and judged ones, with and without the curators' texts and goldpan's own
notes and categories, judged ones also with a model; the lists of the judgements are not read. Needs ../shared.
"""

import json
import random
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from typing import Any, get_args

from goldpan.infra.http_client import HttpClient

from tests.benchmarks.frame import WORK, Limit, floors, report_runs, run_main
from tests.benchmarks.quality_runs import (
    JUDGED,
    Knowledge,
    Setting,
    make_catalogue,
    read_questions,
    run_baseline,
    run_judged,
    run_setting,
)
from tests.support.loopback import LoopbackLLM, model_at

FLOORS = {"natural": 0.38, "natural, texts alone": 0.23, "titles": 0.42, "titles, texts alone": 0.375}
"""The least nDCG@10 of each run."""
JUDGED_FLOORS = {"apt": 0.27, "found": 0.62, "first": 0.45}
"""The least figures of the first ten results of the judged questions."""
STYLES = ("alternative", "casual", "foreign", "misspelled", "sentence", "stars")
"""The styles with 13 questions or more: none may be below BM25."""
MODEL_FLOORS = {"apt": 0.5, "found": 0.72}
"""The same with a model that judges as the graders did."""
STEPS = (0.1, 0.5, 0.9)
SHARE_OF_ERRORS, SEED = 0.15, 20261123
SORTS, BASELINES = ("natural", "titles"), ("bm25", "stars")
MAX_EMPTY = 0.02


class Grader:
    """A language model that judges as the graders of the public questions did.

    It answers a scoring call by the grade of the repository (apt 0.9, near 0.5, else 0.1, never graded 0), of which a
    seed draws 15 % as wrong by one step; the rules read the question.
    """

    def __init__(self) -> None:
        self._grades = {question["query"]: question["grades"] for question in read_questions("judged")}
        self._drawn = random.Random(SEED)

    def answer(self, body: dict[str, Any]) -> str:
        """Return the judgement of the repository that a scoring call names; nothing for another call."""
        asked = json.loads(body["messages"][-1]["content"])
        if "repository" not in asked:
            return ""
        grade = self._grades[asked["question"]].get(asked["repository"]["name"])
        relevance = 0.0 if grade is None else STEPS[self._mistaken(int(grade[0]))]
        return json.dumps({"relevance": relevance, "reasoning": "Judged as the graders did.", "quote": ""})

    def _mistaken(self, grade: int) -> int:
        if self._drawn.random() >= SHARE_OF_ERRORS:
            return grade
        return self._drawn.choice([step for step in range(len(STEPS)) if abs(step - grade) == 1])


def run_judged_with_model() -> dict[str, Any]:
    """Score the answers to the judged questions with this model."""
    with LoopbackLLM(Grader().answer) as server:
        return run_judged(model_at(server.base_url, HttpClient(), "grader"))


def limits(figures: Mapping[str, Mapping[str, Any]]) -> list[Limit]:
    """List the floors of what was measured."""
    ours, titles = {name: figures[name] for name in FLOORS}, figures["titles"]["nDCG@10"]
    bm25 = figures["natural, bm25"]
    return [
        *floors({name: row["nDCG@10"] for name, row in ours.items()}, FLOORS, "nDCG@10: "),
        *floors(figures["judged"], JUDGED_FLOORS, "judged: "),
        *floors(figures["judged, with a model"], MODEL_FLOORS, "judged, with a model: "),
        *(
            Limit(f"{style}, {name}, relative to BM25", ours[name][style] / bm25[style], least=1)
            for name in ("natural", "natural, texts alone")
            for style in STYLES
        ),
        *(Limit(f"empty answers: {name}", row["share of empty answers"], MAX_EMPTY) for name, row in ours.items()),
        Limit("titles, relative to BM25", titles / figures["titles, bm25"]["nDCG@10"], least=1),
        Limit("titles, relative to stars", titles / figures["titles, stars"]["nDCG@10"], least=1.2),
    ]


def main(every: int = 1, *, judged: bool = False) -> int:
    """Measure, print, and check the floors."""
    WORK.mkdir(parents=True, exist_ok=True)
    if judged:
        make_catalogue(JUDGED)
        row = run_judged()
        return report_runs({"judged": row}, floors(row, JUDGED_FLOORS))
    known: tuple[Knowledge, ...] = ("all", "none")
    measured = [Setting(sort, every, knowledge) for sort in SORTS for knowledge in known]
    with ProcessPoolExecutor() as pool:
        list(pool.map(make_catalogue, {setting.catalogue: setting for setting in measured}.values()))
        baselines = product(BASELINES, SORTS)
        runs = {f"{sort}, {kind}": pool.submit(run_baseline, kind, sort, every) for kind, sort in baselines}
        runs |= {setting.title: pool.submit(run_setting, setting) for setting in measured}
        for setting in (replace(JUDGED, knowledge=knowledge) for knowledge in get_args(Knowledge)):
            runs[setting.title] = pool.submit(run_judged, setting=setting)
        runs["judged, with a model"] = pool.submit(run_judged_with_model)
        figures = {name: run.result() for name, run in runs.items()}
    return report_runs(figures, limits(figures) if every == 1 else [])


if __name__ == "__main__":
    run_main(main)
