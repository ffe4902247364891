"""The ranking answers the judged questions as well as it did before, by the whole pipeline and by rules alone."""

from __future__ import annotations

import tomllib
from statistics import fmean

import pytest

from tests.support.judged.measure import FIGURES, Measured, measure

FLOORS = {"ndcg": 0.863, "recall": 0.860}
"""The means over all questions, less 0.002. A change that is better raises them."""
TOLERANCE = 0.0001
"""Figures are stored with four decimals."""
IF_INTENDED = """
If this is intended: run `make quality`, which must not get worse where its data lies beside the project. Then run
`.venv/bin/python -m tests.support.judged.measure`, commit figures.toml with the change, and if a mean rose, raise
FLOORS in tests/integration/test_ranking_quality.py. A change that makes the means fall needs a reason in its commit.
"""


@pytest.fixture(scope="module")
def measured() -> dict[str, Measured]:
    """Answer all questions once."""
    return measure()


@pytest.mark.parametrize("figure", ["ndcg", "recall"])
def test_answers_are_no_worse_than_the_floor(measured: dict[str, Measured], figure: str) -> None:
    """Answers that are worse on the whole fail, even if the figures of the worse ranking were stored."""
    reached = fmean(getattr(one, figure) for one in measured.values())
    assert reached >= FLOORS[figure], f"the mean {figure} fell to {reached:.4f}, its floor is {FLOORS[figure]}"


def test_a_change_of_the_ranking_is_noticed(measured: dict[str, Measured]) -> None:
    """A change that makes some answers better and others worse is shown question by question, before a user sees it."""
    stored = tomllib.loads(FIGURES.read_text("utf-8"))
    assert stored.keys() == measured.keys(), f"{FIGURES.name} has other questions than questions.toml{IF_INTENDED}"
    changes = [
        f"  {figure} {before:.4f} -> {now:.4f}: {question}"
        for question, one in measured.items()
        for figure, before in stored[question].items()
        if abs((now := getattr(one, figure)) - before) > TOLERANCE
    ]
    before, now = fmean(one["ndcg"] for one in stored.values()), fmean(one.ndcg for one in measured.values())
    trend = "the same" if abs(now - before) < TOLERANCE else "better" if now > before else "worse"
    summary = f"ranking changed: mean nDCG@10 was {before:.4f}, now {now:.4f} ({trend})"
    assert not changes, "\n".join([summary, *changes]) + IF_INTENDED


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("C++ unit test framework", {"google/googletest", "catchorg/Catch2"}),
        ("Data frames in R", {"tidyverse/dplyr", "Rdatatable/data.table"}),
        ("I want to self-host a password manager for my family",
         {"dani-garcia/vaultwarden", "bitwarden/server", "passbolt/passbolt_api"}),
        ("message queue written in Go", {"nats-io/nats-server"}),
        ("animation library for React Native", {"software-mansion/react-native-reanimated", "pmndrs/react-spring"}),
        ("charts for a Flutter app", {"imaNNeo/fl_chart"}),
        ("k8s cluster for local development", {"kubernetes/minikube"}),
    ],
)  # fmt: skip
def test_a_clear_question_has_its_answers_first(measured: dict[str, Measured], question: str, first: set[str]) -> None:
    """Nothing stands before the repositories that anyone would name."""
    assert set(measured[question].names[: len(first)]) == first
