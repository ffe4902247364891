"""Measures the answers with a language model that judges as the graders of the public questions did.

The model, on a loopback port, answers a scoring call by the grade of the repository (apt 0.9, near 0.5, else 0.1, never
graded 0), of which a seed draws 15 % as wrong by one step; the rules read the question. Needs ../shared.
"""

import json
import random
import sys
from typing import Any

from goldpan.infra.http_client import HttpClient

from tests.benchmarks.frame import floors, report, table
from tests.benchmarks.quality_runs import read_questions, run_judged
from tests.support.loopback import LoopbackLLM
from tests.support.loopback.llm import model_at

STEPS = (0.1, 0.5, 0.9)
SHARE_OF_ERRORS, SEED = 0.15, 20261123
FLOORS = {"found": 0.72, "apt": 0.5}


class Grader:
    """Answers the calls by the grades of their question."""

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


def main() -> int:
    """Measure; returns 1 if a figure is below its floor."""
    with LoopbackLLM(Grader().answer) as server:
        figures = run_judged(model_at(server.base_url, HttpClient(), "grader"))
    return report(table(("figure", "value"), [*figures.items()]), figures, floors(figures, FLOORS))


if __name__ == "__main__":
    sys.exit(main())
