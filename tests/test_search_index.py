"""The scripts of the skill: an index is searched as by the command, and papers that are collected are added to it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import collect_papers
import goldpan
import pytest
import search_index
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.errors import InvalidRequest

from tests.support.paper_fakes import ListedPapers, paper

FIXTURES = Path(__file__).parent / "fixtures"
EXPECTED = json.loads((FIXTURES / "search_results.json").read_text("utf-8"))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a data directory with the index, and work beside it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data" / "index").mkdir(parents=True)
    shutil.copy(FIXTURES / "search_index.json", tmp_path / "data" / "index" / "papers.json")
    return tmp_path / "data"


def test_load_index(data: Path, tmp_path: Path) -> None:
    """All papers are loaded; a missing index and a missing directory are reported as such."""
    assert [each["year"] for each in search_index.load_index(data)["papers"]] == [2017, 2014, 2020, 2016]
    with pytest.raises(InvalidRequest, match=r"^No papers collected yet\. Run /paper-collect first\.$"):
        search_index.load_index(tmp_path)
    with pytest.raises(InvalidRequest, match=f"{tmp_path / 'none'}: no such directory"):
        search_index.load_index(tmp_path / "none")


def test_tokenize_query() -> None:
    """Keywords have no signs and no stop words, and what is excluded is none."""
    assert search_index.tokenize_query('The C++ "graph cut" -survey (new)!') == ["cplusplus", "graph", "cut", "new"]
    assert search_index.tokenize_query(' ?"') == []


def test_search_paper() -> None:
    """A match in the title counts most, one in the summary least; matches add up."""
    title, abstract, summary = (
        search_index.search_paper({"title": "Graphs", field: "graph attention"}, ["attention"])
        for field in ("title", "abstract", "summary")
    )
    both = search_index.search_paper({"title": "Attention", "abstract": "attention"}, ["attention"])
    assert both > title > abstract > summary > 0
    assert search_index.search_paper({"title": "Graphs"}, ["attention"]) == 0


def test_extract_excerpt() -> None:
    """The first keyword in any of its forms, with at most a number of characters on either side."""
    text = f"{'before ' * 20}two mechanisms {'after ' * 20}"
    excerpt = search_index.extract_excerpt(text, ["mechanism"], context=12)
    assert excerpt == "…before two **mechanisms** after after…"
    assert len(search_index.extract_excerpt(text, ["mechanism"])) > 80


def test_search_results(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Papers without an abstract or a summary are searched by the rest; the output is the documented JSON."""
    assert search_index.search_papers("attention mechanisms", data, 10) == EXPECTED["results"]
    assert [row["id"] for row in search_index.search_papers("convolution", data, 10)] == ["1609.02907"]
    assert search_index.main(["--query", "attention mechanisms"]) == 0
    assert json.loads(capsys.readouterr().out) == EXPECTED
    assert search_index.main(["--query", "attention " * 100, "--limit", "1"]) == 0  # a very long query is cut
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["query"]) <= 500
    assert (answer["count"], len(answer["results"])) == (2, 1)


@pytest.mark.usefixtures("data")
def test_invalid_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    """The message is on stderr alone."""
    assert search_index.main(["--query", " \t"]) == 2
    assert capsys.readouterr() == ("", "Query cannot be empty\n")
    assert search_index.main(["--query", "attention", "--limit", "-1"]) == 2
    assert capsys.readouterr() == ("", "--limit: must be at least 0 (given -1)\n")


def test_without_an_index_nothing_is_collected_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor without the directory that is searched by default."""
    monkeypatch.chdir(tmp_path)
    assert search_index.main(["--query", "attention"]) == 2
    assert capsys.readouterr() == ("", "No papers collected yet. Run /paper-collect first.\n")


@pytest.mark.usefixtures("data")
def test_no_results(capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON stays valid, and the query is named."""
    assert search_index.main(["--query", "zebra"]) == 1
    out, err = capsys.readouterr()
    assert (json.loads(out)["results"], err) == ([], "No papers found matching 'zebra'\n")


def test_cli_arguments(data: Path) -> None:
    """The script runs by its path, with its three options; the query is required."""
    command = [sys.executable, search_index.__file__]
    given = [*command, "--query", "attention", "--data-dir", str(data), "--limit", "1"]
    run = subprocess.run(given, capture_output=True, text=True, check=True)
    assert len(json.loads(run.stdout)["results"]) == 1
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 2


def test_collected_papers_are_added_to_the_index(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there stays as it is, also fields that goldpan does not know, and nothing is added twice.

    What counts is what is there after the search, which takes seconds.
    """
    file = data / "index" / "papers.json"
    own = [{"id": "mine", "title": "My notes", "read_on": "Monday"}]
    file.write_text(json.dumps({"papers": own}))
    found = ListedPapers([paper("Cats and graphs", doi="10.1000/cats", abstract="Cats walk on graphs.")])
    clock = WallClock()
    runtime = Runtime(Dependencies(clock, sources={"openalex": found}), ("openalex",), clock)
    row = {"id": "doi:10.1000/cats", "title": "Cats and graphs"}
    for added in ([row], []):
        collected = collect_papers.collect_papers("cats and graphs", data, 5, runtime)
        assert (collected["found"], collected["added"], collected["count"]) == (1, added, 2)
    assert json.loads(file.read_text())["papers"][0] == own[0]
    assert [row["id"] for row in search_index.search_papers("walking cats", data, 5)] == ["doi:10.1000/cats"]

    def search_meanwhile(*arguments: Any, **options: Any) -> goldpan.Answer:
        answer = goldpan.search(*arguments, **options)
        file.write_text(json.dumps({"papers": own}), "utf-8-sig")  # as some editors write it
        return answer

    monkeypatch.setattr(collect_papers, "search", search_meanwhile)
    assert collect_papers.collect_papers("cats and graphs", data, 5, runtime)["added"] == [row]
    file.write_text('{"papers": "none"}')
    with pytest.raises(InvalidRequest, match="has no list of papers"):
        collect_papers.collect_papers("cats", data, 5, runtime)
