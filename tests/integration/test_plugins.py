"""What other installed distributions offer by entry points, in a command of its own: sources of papers, and kinds."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integration.serve.process import ROOT, plain_environment
from tests.support.distributions import write_distribution

EXAMPLE = ROOT / "examples" / "goldpan-reading-list"
READING_LIST = '{"title": "A survey of message queues", "year": 2021, "doi": "10.1000/queues.1"}\nno record\n'
FAILING = """
from goldpan.infra.settings import Settings
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.entry import SourceEntry
from goldpan.kinds.papers.sources.queries import write_query

class Failing:
    def __init__(self, *_): pass
    def search(self, *_): return [][0]

class Wrong(Failing):
    def search(self, *_): return {}

class Quits(Failing):
    def search(self, *_): raise SystemExit(3)

class Closed(ApiSource):
    name = "closed"
    write = staticmethod(lambda query, constraints: write_query(query, constraints, "closed", 300))
    fetch = lambda self, asked, rows, deadline: self.send("/", {}, deadline)
    read = staticmethod(lambda _: None)

class ClosedSettings(Settings):
    closed_url: str = "http://127.0.0.1:1"

FAILING = SourceEntry(load=lambda: Failing, looks_up=False)
WRONG = SourceEntry(load=lambda: Wrong, looks_up=False)
QUITS = SourceEntry(load=lambda: Quits, looks_up=False)
CLOSED = SourceEntry(load=lambda: Closed, looks_up=False, settings=ClosedSettings)
"""
FILTERS = """
from dataclasses import replace
from tests.support.toy_kind import KIND as TOYS, ToyFilters

class Filters(ToyFilters):
    {}

KIND = replace(TOYS, name=__name__, sources=(__name__,), filters=Filters)
"""


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a module in an environment where what lies in a folder is installed too."""
    settings = plain_environment() | {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))} | environment
    return subprocess.run([sys.executable, "-m", *arguments], env=settings, capture_output=True, text=True, check=False)


def searched(folder: Path, *arguments: str, **environment: str) -> tuple[Any, str]:
    """Search in a process, and return the answer and what stands on stderr."""
    done = run(folder, "goldpan_local", "search", "message queues", "--format", "json", *arguments, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example as its README says, but for the download of what it depends on, in a folder of its own."""
    copy, folder = (tmp_path_factory.mktemp(name) for name in ("source", "installed"))
    shutil.copytree(EXAMPLE, copy, dirs_exist_ok=True)
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder), str(copy))
    done = run(folder, "pip", "install", "--disable-pip-version-check", *options)
    assert done.returncode == 0, done.stderr
    (folder / "reading.jsonl").write_text(READING_LIST)
    return folder


def test_the_source_of_the_example_is_one_of_the_sources(installed: Path) -> None:
    """It can be named, is one of the default ones, and is skipped without its setting; the example's own tests pass."""
    file = {"READING_LIST_FILE": str(installed / "reading.jsonl")}
    named, said = searched(installed, "--kind", "papers", "--source", "reading_list", **file)
    assert [(paper["title"], [by["strategy"] for by in paper["found_by"]]) for paper in named["papers"]["results"]] == [
        ("A survey of message queues", ["reading_list"])
    ]
    assert (named["sources"][0]["status"], named["sources"][0]["detail"]) == ("ok", "1 record could not be read")
    assert said == ""
    everywhere, _ = searched(installed, "--kind", "papers", **file)
    assert {row["source"]: row["status"] for row in everywhere["sources"]}["reading_list"] == "ok"
    refused = run(
        installed, "goldpan_local", "search", "message queues", "--kind", "papers", "--source", "reading_list"
    )
    assert (refused.returncode, "READING_LIST_FILE is not set" in refused.stderr) == (2, True)

    done = run(installed, "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(EXAMPLE))
    assert done.returncode == 0, done.stdout


def test_a_distribution_that_fails_is_named_and_ends_no_search(installed: Path, tmp_path: Path) -> None:
    """In the row of its source, or in one warning for a name that is taken and for a kind that cannot be loaded.

    A filter with the name of an option of the command changes nothing there.
    """
    sources = {name: f"failing:{name.upper()}" for name in ("failing", "wrong", "quits", "closed")}
    sources |= {"absent": "no_such_module:SOURCE", "openalex": "failing:FAILING"}
    kinds = {name: name for name in ("boxes", "drawers", "shelves")} | {"papers": "failing", "toys": "failing"}
    fields = {"boxes": "license: tuple[str, ...] = ()", "drawers": "sort: str = ''", "shelves": "format: str = ''"}
    modules = {name: FILTERS.format(field) for name, field in fields.items()}
    offered = {"goldpan.sources": sources, "goldpan.kinds": kinds}
    write_distribution(tmp_path, "bad-plugin", offered, failing=FAILING, **modules)
    path = f"{tmp_path}{os.pathsep}{installed}"
    names = [option for name in ("reading_list", *sources) if name != "openalex" for option in ("--source", name)]
    answer, said = searched(Path(path), "--kind", "papers", *names, READING_LIST_FILE=str(installed / "reading.jsonl"))
    assert [paper["title"] for paper in answer["papers"]["results"]] == ["A survey of message queues"]
    rows = {row["source"]: (row["status"], row["detail"]) for row in answer["sources"]}
    assert rows["failing"] == ("unavailable", "bad-plugin 1.0 failed unexpectedly: list index out of range")
    assert rows["wrong"] == (
        "unavailable",
        "bad-plugin 1.0 failed unexpectedly: vars() argument must have __dict__ attribute",
    )
    assert rows["quits"] == ("unavailable", "bad-plugin 1.0 failed unexpectedly: 3")
    assert rows["closed"] == ("unavailable", "could not be reached: Connection refused")
    assert rows["absent"] == ("unavailable", "bad-plugin 1.0 cannot be loaded: No module named 'no_such_module'")
    assert sorted(said.splitlines()) == [
        "The kind 'boxes' of bad-plugin 1.0 is left out: it cannot be loaded (another kind has another filter license)",
        "The kind 'drawers' of bad-plugin 1.0 is left out: it cannot be loaded (a request has another field sort)",
        "The kind 'toys' of bad-plugin 1.0 is left out: it cannot be loaded (module 'failing' has no attribute 'KIND')",
        "goldpan.kinds: 'papers' of bad-plugin 1.0 is not used: it has the name of another one",
        "goldpan.sources: 'openalex' of bad-plugin 1.0 is not used: it has the name of another one",
    ]
