"""The judged questions are answered as before over the embedded sample, by rules alone; `make quality` has floors."""

import tomllib

from tests.benchmarks.judged import EVERY, FIGURES
from tests.support.judged import load_questions, measure

TOLERANCE = 0.0001
"""Figures are stored with four decimals."""
IF_INTENDED = """
If this is intended: run `make quality`, which must not get worse. Then run
`.venv/bin/python -m tests.benchmarks.judged --write-figures`, and commit figures.toml with the change. If a mean rose,
raise FLOORS in tests/support/judged.py. A change that makes a mean fall needs a reason in its commit.
"""


def test_a_change_of_the_ranking_is_noticed() -> None:
    """A change that makes some answers better and others worse is shown question by question, before a user sees it."""
    stored = tomllib.loads(FIGURES.read_text("utf-8"))
    questions = {question.qid: question for question in load_questions()[::EVERY]}
    assert stored.keys() == questions.keys(), f"{FIGURES.name} has other questions than questions.jsonl{IF_INTENDED}"
    changes = [
        f"  {figure} {before:.4f} -> {now:.4f}: {one.question.query}"
        for one in measure(questions.values())
        for figure, before in stored[one.question.qid].items()
        if abs((now := getattr(one, figure)) - before) > TOLERANCE
    ]
    assert not changes, "\n".join(["the ranking changed:", *changes]) + IF_INTENDED
