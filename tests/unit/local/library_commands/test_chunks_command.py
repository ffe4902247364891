"""`goldpan library chunks`: passages to ground an answer in."""

import json
from pathlib import Path

import pytest

from tests.unit.local.conftest import Run, refused

TEXT = "Self-attention compares each word with each other word. "


@pytest.fixture
def two_projects(run: Run, tmp_path: Path) -> None:
    """Import a long note into one project, and a paper into another."""
    (tmp_path / "scaling.md").write_text(f"# Scaling\n\n{TEXT * 60}")
    paper = {"id": "b", "title": "Self-attention", "abstract": TEXT, "authors": ["Lovelace"], "year": 1843}
    (tmp_path / "papers.json").write_text(json.dumps([paper]))
    assert run("library", "import", str(tmp_path / "scaling.md"), "--project", "notes").exit_code == 0
    assert run("library", "import", str(tmp_path / "papers.json"), "--project", "papers").exit_code == 0


@pytest.mark.usefixtures("two_projects")
def test_passages_of_all_projects_are_found_with_their_citations(run: Run) -> None:
    """Each has the place in the text that it was taken from; --project chooses one project, -k how many there are."""
    result = run("library", "chunks", "how", "does", "self-attention", "compare", "words", "--format", "json")
    chunks = json.loads(result.stdout)["chunks"]
    assert (result.exit_code, {chunk["project"] for chunk in chunks}) == (0, {"notes", "papers"})
    [paper] = [chunk for chunk in chunks if chunk["project"] == "papers"]
    assert (paper["document"], paper["start"], paper["text"]) == ("b", 0, f"Self-attention\n\n{TEXT.strip()}")
    assert "Lovelace (1843). Self-attention" in paper["citation"]
    assert [chunk["score"] for chunk in chunks] == sorted((chunk["score"] for chunk in chunks), reverse=True)
    one = run("library", "chunks", "--query", "self-attention", "-k", "1", "--project", "notes").stdout
    assert one.startswith(" 1  Scaling")
    assert "characters" in one
    assert "Lovelace" not in one


@pytest.mark.usefixtures("two_projects")
def test_a_damaged_library_costs_the_others_nothing(run: Run, libraries: Path) -> None:
    """It is named; alone, it is the failure."""
    (libraries / "damaged.sqlite").write_bytes(b"no database" * 1000)
    result = run("library", "chunks", "self-attention", "--format", "json")
    assert {chunk["project"] for chunk in json.loads(result.stdout)["chunks"]} == {"notes", "papers"}
    assert (result.exit_code, "damaged.sqlite is not a library" in result.stderr) == (0, True)
    assert run("library", "chunks", "self-attention", "--project", "damaged").exit_code == 2


def test_without_a_project_there_are_no_passages(run: Run) -> None:
    """The message says how papers are imported."""
    said = refused(run("library", "chunks", "words"))
    assert said.startswith("goldpan: No papers collected yet. `goldpan library import PATH` imports ")


def test_an_encoder_that_fails_does_not_fail_the_import(run: Run, tmp_path: Path) -> None:
    """The failure is reported, and the papers can be searched by words."""
    (tmp_path / "a.md").write_text("# Scaling")
    result = run("library", "import", str(tmp_path / "a.md"), env={"EMBEDDING_MODEL": "own-model"})
    assert (result.exit_code, "but not all have vectors: EMBEDDING_BASE_URL is not set" in result.stderr) == (0, True)
    assert "1 shown of 1 found" in run("library", "search", "scaling").stdout
