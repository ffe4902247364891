"""Measures the answers with a language model that judges as the graders of the public questions did.

    python tests/benchmarks/judged_with_model.py

The model is a server on a loopback port. It answers a scoring call by the grade of the repository (apt 0.9, near 0.5,
else 0.1; what was never graded 0), of which a seed draws 15 % as wrong by one step, and refuses to translate, so that
the rules read the question. What of the apt repositories reaches the first ten is then a figure of the candidates and
the shortlist. Needs the data folder beside the project.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import SecretStr

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script sees only its own folder

from goldpan.contracts import parse_request
from goldpan.engine import pipeline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.settings import LLMEndpoint
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

from tests.benchmarks.figures import Limit, report, table
from tests.benchmarks.quality_runs import OBSERVED, WORK, Setting, evaluate, read_questions
from tests.support.factories import StillClock
from tests.support.loopback import LoopbackLLM

STEPS = (0.1, 0.5, 0.9)
SHARE_OF_ERRORS, SEED = 0.15, 20261123
FLOORS = {"found": 0.72, "apt": 0.5}


class Grader:
    """Answers the calls of one question after the other."""

    def __init__(self) -> None:
        self.grades: Mapping[str, str] = {}
        self._drawn = random.Random(SEED)

    def answer(self, body: dict[str, Any]) -> str:
        """Return the judgement of the repository that a scoring call names; nothing for another call."""
        asked = json.loads(body["messages"][-1]["content"])
        if "repository" not in asked:
            return ""
        grade = self.grades.get(asked["repository"]["name"])
        relevance = 0.0 if grade is None else STEPS[self._mistaken(int(grade[0]))]
        return json.dumps({"relevance": relevance, "reasoning": "Judged as the graders did.", "quote": ""})

    def _mistaken(self, grade: int) -> int:
        if self._drawn.random() >= SHARE_OF_ERRORS:
            return grade
        return self._drawn.choice([step for step in range(len(STEPS)) if abs(step - grade) == 1])


def main() -> int:
    """Measure; returns 1 if a figure is below its floor."""
    run = WORK / "judged-with-model.jsonl"
    run.write_text("".join(json.dumps(row) + "\n" for row in answers(read_questions("judged"))), "utf-8")
    figures = json.loads(evaluate("judged", str(run)))
    limits = [Limit(name, figures[name], floor, is_minimum=True) for name, floor in FLOORS.items()]
    rows = [[name, figures[name]] for name in ("apt", "found", "first", "nDCG@10", "unjudged")]
    return report(table(("figure", "value"), rows), {name: figures[name] for name in FLOORS}, limits)


def answers(questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Answer the questions from the large catalogue with the model."""
    grader, encoder, found = Grader(), shipped_table(), []
    with LoopbackLLM(grader.answer) as server:
        endpoint = LLMEndpoint(
            key_name="LLM_API_KEY", key=SecretStr("good-key"), base_url=server.base_url, model="grader"
        )
        catalogue = Catalogue.open(Setting("judged", own_text_only=False, rules=True).catalogue, encoder)
        dependencies = Dependencies(
            clock=StillClock(OBSERVED), sources={"catalogue": catalogue}, encoder=encoder, llm=OpenAIModel(endpoint)
        )
        for question in questions:
            grader.grades = question["grades"]
            try:
                *_, last = pipeline.run(
                    parse_request({"query": question["query"]}), dependencies, sources=("catalogue",)
                )
            except InvalidRequest:
                continue
            found.append({"qid": question["qid"], "results": [one.repo for one in last.answer.repositories.results]})
        catalogue.close()
    return found


if __name__ == "__main__":
    sys.exit(main())
