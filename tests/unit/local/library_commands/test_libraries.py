"""`goldpan search --add-to PROJECT`: papers that were found, in the user's own library."""

import json
from pathlib import Path

import pytest

from tests.support.fixed_papers import use_papers
from tests.unit.local.conftest import Run

SEARCH = ("search", "attention", "--kind", "papers", "--format", "urls")


def test_found_papers_are_added_once(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One is there from a file under the user's own key, by its DOI; an import of that file removes no other."""
    use_papers(monkeypatch)
    (own := tmp_path / "own.json").write_text('[{"id": "vaswani", "title": "Attention", "doi": "10.1000/attention"}]')
    run("library", "import", str(own), "--project", "thesis")
    first = run(*SEARCH, "--add-to", "thesis")
    assert (first.exit_code, first.stderr) == (0, "goldpan: thesis: 1 paper added, 1 was there already\n")
    assert "0 papers added, 2 were there already" in run(*SEARCH, "--add-to", "thesis").stderr
    assert "new: 2 papers added\n" in run(*SEARCH, "--add-to", "new").stderr
    run("library", "import", str(own), "--project", "thesis")
    found = run("library", "search", "Внимание", "--project", "thesis", "--format", "json")
    assert [paper["title"] for paper in json.loads(found.stdout)["results"]] == ["Внимание"]
    assert "new: 2 papers removed" in run("library", "remove", "goldpan search", "--project", "new").stdout
