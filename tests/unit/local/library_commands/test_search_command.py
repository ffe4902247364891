"""`goldpan library search` and `goldpan library chunks`: what they print, filter and refuse."""

import json
import sys
from pathlib import Path

import pytest
from goldpan.kinds.papers.sources.library.models import LibraryHit, LibraryPaper, LibraryResult
from goldpan_local.library_commands.table import render_table

from tests.unit.local.conftest import Run, refused

PAPERS = [
    {
        "id": "2401.1", "title": "Attention mechanisms", "authors": ["Ada Lovelace", "Kurt Gödel"], "year": 2017,
        "abstract": "We study attention.", "summary": "A survey of attention mechanisms.", "tags": ["nlp"],
        "venue": "NeurIPS",
    },
    {"id": "2401.2", "title": "Graphs", "authors": ["Kurt Gödel"], "year": 2020, "abstract": "Graph attention."},
    {"id": "2401.3", "title": "Sparse retrieval", "authors": [], "summary": "No words in common."},
]  # fmt: skip


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a data directory with an index, and one whose index is empty, and work beside them."""
    monkeypatch.chdir(tmp_path)
    for name, papers in {"data": PAPERS, "empty": []}.items():
        (tmp_path / name / "index").mkdir(parents=True)
        (tmp_path / name / "index" / "papers.json").write_text(json.dumps({"papers": papers}))
    return tmp_path / "data"


def ids(run: Run, *arguments: str) -> list[str]:
    """Return the ids of what is found."""
    found = json.loads(run("library", "search", *arguments, "--format", "json").stdout)
    return [paper["id"] for paper in found["results"]]


def test_a_data_directory_is_searched_without_an_import(run: Run, data: Path) -> None:
    """It is ./data without an option; the JSON has these fields alone, and excerpts have the words marked."""
    result = run("library", "search", "attention", "mechanisms", "--format", "json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, result.stderr, list(answer)) == (0, "", ["query", "count", "results"])
    assert (answer["query"], answer["results"][0]["id"]) == ("attention mechanisms", "2401.1")
    first = answer["results"][0]
    assert list(first) == ["id", "title", "authors", "score", "excerpt"]
    assert (first["title"], first["authors"]) == ("Attention mechanisms", ["Ada Lovelace", "Kurt Gödel"])
    assert first["score"] > 0
    assert "**attention**" in first["excerpt"].lower()
    for arguments in (("--query", "attention mechanisms"), ("attention mechanisms", "--data-dir", str(data))):
        assert run("library", "search", *arguments, "--format", "JSON").stdout == result.stdout
    assert not (data.parent / "libraries").exists()


def test_the_default_project_has_precedence_over_the_data_directory(run: Run, data: Path) -> None:
    """Another directory is searched if it is named."""
    (data.parent / "note.md").write_text("# A note on attention")
    assert run("library", "import", "note.md").exit_code == 0
    assert ids(run, "attention") != ids(run, "attention", "--data-dir", "data")
    assert ids(run, "attention") == ids(run, "attention", "--project", "default")


@pytest.mark.usefixtures("data")
def test_filters_hold_beside_the_query(run: Run) -> None:
    """Two papers have the word."""
    people, venues = ("--author", "Gödel", "--author", "lovelace"), ("--venue", "neurips", "--venue", "icml")
    for options in (("--limit", "1"), people, venues, ("--tag", "nlp")):
        assert ids(run, "attention", *options) == ["2401.1"]
    assert ids(run, "attention", "--year", "2018..") == ["2401.2"]


@pytest.mark.usefixtures("data")
def test_the_table_fits_a_narrow_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Titles, authors, facts and excerpts, and how many there are beyond the limit."""
    monkeypatch.setenv("COLUMNS", "60")
    table = run("library", "search", "attention", "-n", "1").stdout
    facts = "Ada Lovelace and Kurt Gödel · NeurIPS · #nlp"
    for text in ("Attention mechanisms", "2017", facts, "2401.1", "We study **attention**.", "1 shown of 2"):
        assert text in table
    assert max(map(len, table.splitlines())) <= 60
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    paper = LibraryPaper(id="1", title="T")
    hit = LibraryHit(project="p", paper=paper, score=1, relevance=1, excerpt="We **study** it.")
    shown = render_table(LibraryResult(query="study", count=1, results=(hit,)))
    assert "\x1b[1mstudy\x1b[0m" in shown, "on a terminal the words are bold"
    assert "**" not in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Query cannot be empty"), (("x" * 501,), "query: must have at most 500 characters (given 501 characters)"),
        (("a", "--query", "b"), "--query: the query is given twice; leave out QUERY or --query"),
        (("a", "--year", "9999"), "--year: must be at most 2999 (given 9999)\n"),
        (("a", "--data-dir", "data", "--project", "default"), "--data-dir: is another library than --project; leave"),
        (("a", "--data-dir", "none"), "--data-dir: none: no such directory"),
        (("a", "--data-dir", "data/index"), "No papers collected yet. data/index/index/papers.json does not exist; `g"),
        (("a", "--data-dir", "empty"), "No papers collected yet. empty/index/papers.json has none; `goldpan"),
        (("a", "--project", "none"), "No papers collected yet. The project none does not exist; `goldpan library"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("data")
def test_what_cannot_be_searched_is_refused_in_one_line(run: Run, arguments: tuple[str, ...], message: str) -> None:
    """The exit code is 2, and stdout stays empty."""
    said = refused(run("library", "search", *arguments))
    assert (said.startswith(f"goldpan: {message}"), said.count("\n")) == (True, 1)


@pytest.mark.usefixtures("data")
def test_nothing_found_is_said(run: Run) -> None:
    """JSON stays valid; signs of a query are no syntax."""
    assert "goldpan: The query has no words to search for." in run("library", "search", "?!").stderr
    for query in ("zebra", 'C++ AND ("', "NEAR(*"):
        table, json_output = run("library", "search", query), run("library", "search", query, "--format", "json")
        assert (table.exit_code, table.stdout) == (1, f"No papers found matching '{query}'\n")
        assert json_output.exit_code == 1
        assert json.loads(json_output.stdout) == {"query": query, "count": 0, "results": []}
        assert json_output.stderr == f"goldpan: No papers found matching '{query}'\n"


def test_texts_of_papers_send_no_commands_to_the_terminal(run: Run, data: Path) -> None:
    """Escapes are removed from the table, and written as JSON escapes."""
    paper = {"id": "x\u001b[2J", "title": "Attention\u001b]0;title\u0007", "abstract": "attention \u001b[31mred"}
    (data / "index" / "papers.json").write_text(json.dumps([paper]))
    assert "\x1b" not in run("library", "search", "attention").stdout
    assert "\x1b" not in run("library", "search", "attention", "--format", "json").stdout


TEXT = "Self-attention compares each word with each other word. "


def test_passages_of_all_projects_are_found_with_their_citations(run: Run, tmp_path: Path, libraries: Path) -> None:
    """Each has the place in the text that it was taken from; --project chooses one project, -k how many there are.

    A damaged library costs the others nothing: it is named; alone, it is the failure.
    """
    none = "goldpan: No papers collected yet. `goldpan library import PATH` imports "
    assert refused(run("library", "chunks", "words")).startswith(none)
    (tmp_path / "scaling.md").write_text(f"# Scaling\n\n{TEXT * 60}")
    own = {"id": "b", "title": "Self-attention", "abstract": TEXT, "authors": "Lovelace", "year": 1843, "venue": "ACL"}
    (tmp_path / "papers.json").write_text(json.dumps([own]))
    assert run("library", "import", str(tmp_path / "scaling.md"), "--project", "notes").exit_code == 0
    assert run("library", "import", str(tmp_path / "papers.json"), "--project", "papers").exit_code == 0
    (libraries / "damaged.sqlite").write_bytes(b"no database" * 1000)
    result = run("library", "chunks", "how", "does", "self-attention", "compare", "words", "--format", "json")
    chunks = json.loads(result.stdout)["chunks"]
    assert (result.exit_code, {chunk["project"] for chunk in chunks}) == (0, {"notes", "papers"})
    assert "damaged.sqlite is not a library" in result.stderr
    assert run("library", "chunks", "self-attention", "--project", "damaged").exit_code == 2
    [paper] = [chunk for chunk in chunks if chunk["project"] == "papers"]
    assert (paper["document"], paper["start"], paper["text"]) == ("b", 0, f"Self-attention\n\n{TEXT.strip()}")
    assert "Lovelace (1843). Self-attention" in paper["citation"]
    assert [chunk["score"] for chunk in chunks] == sorted((chunk["score"] for chunk in chunks), reverse=True)
    one = run("library", "chunks", "--query", "self-attention", "-k", "1", "--project", "notes").stdout
    assert one.startswith(" 1  Scaling")
    assert "characters" in one
    assert "Lovelace" not in one
    narrow = run("library", "chunks", "self-attention", "--project", "papers", env={"COLUMNS": "1"}).stdout
    assert all(line.startswith((" 1  ", "    ")) for line in narrow.splitlines() if line)
