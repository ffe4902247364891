"""A kind that the command has never heard of, in every format: with a presentation of its own, and without."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.kind_table import KINDS

from tests.support import toy_kind
from tests.support.toy_present import PRESENTATION
from tests.unit.local.conftest import Run

SEARCH = ("search", "kite robot", "--kind", "toys")


@pytest.fixture(params=["generic", "own"])
def presentation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Register the kind, and let the command search its box; returns which presentation it has."""
    own = request.param == "own"
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)
    monkeypatch.setattr(toy_kind, "KIND", replace(toy_kind.KIND, present=(lambda: PRESENTATION) if own else None))
    clock = WallClock()
    runtime = Runtime(Dependencies(clock=clock, sources={toy_kind.SOURCE: toy_kind.ToyBox()}), ("toy_box",), (), clock)
    monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", lambda *_, **__: runtime)
    return str(request.param)


def test_its_presentation_makes_columns_lines_and_exports(run: Run, presentation: str) -> None:
    """The generic one has the title, the relevance and the reason."""
    table = run(*SEARCH).stdout
    rows = list(csv.DictReader(io.StringIO(run(*SEARCH, "--format", "csv").stdout)))
    assert [row["reasoning"] for row in rows] == ["It is new."] * 2
    if presentation == "generic":
        assert {*rows[0]} == {"rank", "title", "url", "relevance", "reasoning", "caveats"}
        assert "Toy " in table
        return
    assert "Letters" in table
    assert "sold 2 together" in table
    assert rows[0]["letters"] == "5"
    assert run(*SEARCH, "--format", "urls").stdout == "https://toys.example/robot\nhttps://toys.example/kite\n"
    assert run(*SEARCH, "--format", "shout").stdout == "robot!\nkite!\n"
