"""A further kind, one module and one line of registration, in what people and programs read of it."""

import asyncio
import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import pytest
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.engine.filter_options import Option
from goldpan.kind_table import KINDS
from goldpan_local.command import app
from goldpan_local.server.contract import contract
from typer.testing import CliRunner, Result

from tests.support import toy_kind
from tests.support.distributions import write_distribution
from tests.support.toy_kind import ToyBox, ToyFilters

ROOT = Path(__file__).resolve().parents[2]
SEARCH = ("search", "kite robot", "--kind", "toys")


def toy_runtime(box: ToyBox | None = None) -> Runtime:
    """Make a runtime whose only source is a box of toys."""
    clock = WallClock()
    return Runtime(Dependencies(clock=clock, sources={toy_kind.SOURCE: box or ToyBox()}), (toy_kind.SOURCE,), clock)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)
    for folder in ("CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{folder}_HOME", str(tmp_path / folder))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command with a box of toys."""
    monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", lambda *_, **__: toy_runtime())
    return lambda *arguments: CliRunner().invoke(app, [*arguments], prog_name="goldpan")


FORMATS = ("table", "compact", "markdown", "csv", "urls", "json")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_shows_it_with_its_weaker_matches_below_a_line(run: Callable[..., Result], name: str) -> None:
    """By relevance, with addresses where it has them; the line opens where it can; lists of results need `--weaker`."""
    shown = run(*SEARCH, "--format", name)
    assert shown.exit_code == 0, shown.output
    closed, opened = shown.stdout, run(*SEARCH, "--format", name, "--weaker").stdout
    assert 0 <= closed.find("robot") < closed.rfind("kite")
    assert ("https://toys.example/robot" in closed) == (name not in {"table", "compact"})
    assert opened.index("robot") < opened.rindex("tin")
    assert name != "table" or "Age" in closed
    match name:
        case "table" | "compact":
            assert "1 weaker match (--weaker shows them)" in closed
            assert "1 weaker match:" in opened
            assert " 3  tin robot" in opened
        case "markdown":
            assert "<details>\n<summary>1 weaker match</summary>\n\n3. **[tin robot](" in closed
        case "csv":
            rows = [*csv.DictReader(StringIO(closed))]
            assert (rows[0]["name"], rows[0]["age"]) == ("robot", "3")
            assert [row["weaker"] for row in rows] == ["false", "false", "true"]
        case "json":
            assert [toy["name"] for toy in json.loads(closed)["toys"]["weaker"]] == ["tin robot"]
    assert (re.search(r"tin.robot", closed) is not None) == (name in {"markdown", "csv", "json"})


def test_further_results_are_shown_by_pages(run: Callable[..., Result]) -> None:
    """Their numbers go on, a page after the results shows the weaker ones, and `--all` has all."""
    first, second, after = (run(*SEARCH, "--max-results", "1", "--offset", str(offset)).stdout for offset in (0, 1, 3))
    assert " 1  robot" in first
    assert "1 shown of 2 that fit, 1 weaker and 3 found" in first
    assert "--offset 1 or --all shows more" in " ".join(first.split())
    assert (" 2  kite" in second, "1  robot" in second) == (True, False)
    assert "Of 3 toys none is left after the first 3." in after
    third = run(*SEARCH, "--max-results", "2", "--offset", "2").stdout
    assert third.index("1 weaker match:") < third.index(" 3  tin robot")
    shown = run(*SEARCH, "--max-results", "1", "--all", "--weaker", "--format", "csv").stdout
    assert [row["rank"] for row in csv.DictReader(StringIO(shown))] == ["1", "2", "3"]


@pytest.mark.parametrize("name", FORMATS)
def test_where_nothing_fits_every_format_says_so_once(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """And shows the nearest; lists of results alone say it on stderr."""
    box = ToyBox(toys={"robot": 11, "kite": 12})
    monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", lambda *_, **__: toy_runtime(box))
    shown = run(*SEARCH, "--format", name)
    assert 0 <= shown.stdout.find("robot") < shown.stdout.rfind("kite")
    said = '"nothing_fits": true' if name == "json" else "Nothing fits well; the nearest:"
    assert shown.output.count(said) == 1
    assert (said in shown.stderr) == (name in {"csv", "urls"})
    assert name != "markdown" or f"{said}\n\n1. **[robot]" in shown.stdout


def test_an_installed_distribution_adds_it_to_the_command(tmp_path: Path) -> None:
    """The help describes its filters and orders, and its source is asked."""
    write_distribution(tmp_path, "toys", {"goldpan.kinds": {toy_kind.NAME: f"{toy_kind.MODULE}:KIND"}})

    def started(*arguments: str) -> str:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
        command = [sys.executable, "-m", "goldpan_local", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    described = " ".join(started("search", "--help").split())
    assert "Filters of toys: --max-age YEARS Maximum age in years." in described
    assert started(*SEARCH, "--max-age", "4", "--format", "urls") == "https://toys.example/robot\n"
    by_name = started(*SEARCH, "--sort", "name", "--format", "urls").split()
    assert by_name == ["https://toys.example/kite", "https://toys.example/robot"]


def test_a_saved_search_of_it_says_what_is_new(run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are compared by their identity."""
    assert run(*SEARCH, "--save", "box").exit_code == 0
    box = ToyBox(toys={"robot": 3, "kite": 5, "robot dog": 1})
    monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", lambda *_, **__: toy_runtime(box))
    changed = run("saved", "run", "box", "--format", "json")
    assert [each["result"]["id"] for each in json.loads(changed.stdout)["new"]] == ["robot dog"]
    assert "robot dog" in run("saved", "log", "box").stdout


def test_the_tools_for_agents_find_it() -> None:
    """By the name of the kind, with its address and the reason."""
    client = pytest.importorskip("mcp.client.client", reason="the SDK of the Model Context Protocol is not installed")
    from goldpan_local.agents.server import make_server  # noqa: PLC0415 - optional

    async def use() -> Any:
        async with client.Client(make_server(toy_runtime())) as connected:
            return await connected.call_tool("search", {"query": "kite robot", "kinds": ["toys"]})

    page = asyncio.run(use()).structured_content
    found = {each["id"]: each["url"] for each in page["results"]}
    assert [*found.items()] == [(name, f"https://toys.example/{name}") for name in ("robot", "kite")]
    assert page["weaker"] == "1 weaker match: tin robot"


class Filters(ToyFilters):
    """A filter with a default, too."""

    wooden: Annotated[bool, Option("Only of wood.", "")] = False


def test_the_http_contract_describes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its section, its filters and its order, also without docstrings."""
    monkeypatch.setattr(toy_kind.ToySection, "__doc__", None)
    monkeypatch.setattr(toy_kind, "KIND", replace(toy_kind.KIND, filters=Filters))
    schemas = contract()["components"]["schemas"]
    request = schemas["SearchRequest"]["properties"]
    assert "toys" in request["kinds"]["items"]["enum"]
    assert "toy_box" in request["sources"]["anyOf"][0]["items"]["enum"]
    assert "name" in request["sort"]["enum"]
    assert schemas["Answer"]["properties"]["toys"] == {"$ref": "#/components/schemas/ToySection"}
    assert "max_age" in schemas["Filters"]["properties"]
    assert schemas["Filters"]["properties"]["wooden"]["description"] == "Only of wood. Default false."
