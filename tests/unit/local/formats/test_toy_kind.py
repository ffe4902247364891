"""A kind that the command has never heard of, in every format: with a presentation of its own, and without."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.kind_table import KINDS
from goldpan_local.completion import FORMATS

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


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.usefixtures("presentation")
def test_every_format_shows_it(run: Run, output_format: str) -> None:
    """The results are there; only the addresses need a presentation that makes them."""
    shown = run(*SEARCH, "--format", output_format)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "robot" in shown.stdout or output_format == "urls"


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


@pytest.mark.usefixtures("presentation")
def test_its_filters_and_orders_are_options(run: Run) -> None:
    """They are in the help, are checked by its model, and are refused for other kinds."""
    assert "--max-age" in run("search", "-h").stdout
    young = json.loads(run(*SEARCH, "--max-age", "4", "--format", "json").stdout)
    assert [toy["name"] for toy in young["toys"]["results"]] == ["robot"]
    assert "--max-age: must be a whole number" in run(*SEARCH, "--max-age", "x").stderr
    assert "--max-age: is for toys; --kind toys searches for them" in run("search", "x", "--max-age", "4").stderr


@pytest.mark.usefixtures("presentation")
def test_a_saved_search_compares_its_results(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By its identity, in the log and in the changes."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run(*SEARCH, "--save", "box").exit_code == 0
    assert run("saved", "run", "box").exit_code == 1
    assert "1. robot, relevance 0.33 by rules" in run("saved", "log", "box").stdout
