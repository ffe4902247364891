"""Functions that hang: the machine cuts each at its own limit, here shortened, and goes on."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.comparison import Stack
from tests.e2e.conftest import Deploy
from tests.e2e.doors import Doors
from tests.e2e.fakes import Fakes, Judge, Shelf
from tests.e2e.machine import DEFINITION


@pytest.fixture
def hanging() -> Iterator[Callable[[], float]]:
    """Give something that hangs until the end of the test."""
    release = threading.Event()

    def hang() -> float:
        release.wait(30)
        return 0.0

    yield hang
    release.set()


@pytest.fixture
def hurried(deploy: Deploy, doors: Doors, tmp_path: Path) -> Stack:
    """Deploy the machine with a second for each function."""
    definition = tmp_path / "search.asl.yaml"
    text = DEFINITION.read_text(encoding="utf-8")
    definition.write_text(re.sub(r"^(\s+TimeoutSeconds:) \d+$", r"\1 1", text, flags=re.MULTILINE), encoding="utf-8")
    return Stack(deploy({}, definition), doors)


def test_a_scout_that_hangs(hurried: Stack, hanging: Callable[[], float]) -> None:
    """A scout that never comes back becomes a row `timeout`, and the others are answered."""
    shelf = Shelf(also=lambda strategy: hanging() if strategy == "stars" else None)
    searched = hurried.search(Fakes({"github": shelf}))
    assert [(row.strategy, row.status) for row in searched.answer.sources] == [
        ("stars", "timeout"), ("recency", "ok"), ("expanded", "ok"),
    ]  # fmt: skip


def test_a_verdict_that_hangs(hurried: Stack, hanging: Callable[[], float]) -> None:
    """A verdict that never comes back is left to the rules, and an error says why."""
    judge = Judge(waits=lambda name: hanging() if name.endswith("3") else 0.0)
    searched = hurried.search(Fakes(llm=judge))
    assert [error.error for error in searched.answer.errors] == ["the time for scoring was up"]


def test_a_translation_that_hangs(hurried: Stack, hanging: Callable[[], float]) -> None:
    """A translation that never comes back ends the search with status 504."""
    searched = hurried.search(Fakes(llm=Judge(waits=lambda _: hanging())))
    assert searched.response.statusCode == 504
    assert searched.problem["detail"] == "a stage was cut at its time limit"
