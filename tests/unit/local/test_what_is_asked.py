"""`--source` and `--catalogue` decide what is asked, and what answers where that fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goldpan.errors import InvalidRequest, Unavailable
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue
from goldpan_local.runtime import open_runtime

from tests.unit.local.conftest import Run
from tests.unit.local.made import FailingSource, catalogue, records, use_github

QUESTION = "React animation library"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Build a small catalogue file."""
    path = tmp_path / "small.sqlite"
    build_catalogue(records(), path, "the small catalogue")
    return path


def test_github_is_asked_first_and_alone_where_it_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without options GitHub answers, and the sample is not heard."""
    use_github(monkeypatch, catalogue())
    result = run("search", QUESTION, "--format", "json")
    assert {row["source"] for row in json.loads(result.stdout)["sources"]} == {"github"}


def test_the_sample_answers_where_github_fails_and_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The failed source stays visible beside the answer that the sample gave."""
    use_github(monkeypatch, FailingSource(Unavailable("no route to host")))
    result = run("search", QUESTION)
    assert result.exit_code == 0
    assert "github unavailable: stars" in result.stdout
    assert "no route to host" in result.stdout
    assert "Answered from the embedded sample catalogue of" in result.stdout


def test_a_source_by_name_has_no_stand_in(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --source github a failure of GitHub is the end."""
    use_github(monkeypatch, FailingSource(Unavailable("no route to host")))
    result = run("search", QUESTION, "--source", "github")
    assert (result.exit_code, result.stdout) == (3, "")


def test_two_sources_by_name_are_both_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two failed: the other answers, and both have their rows."""
    use_github(monkeypatch, FailingSource(Unavailable("no route to host")))
    result = run("search", QUESTION, "--source", "github", "--source", "catalogue", "--format", "json")
    rows = {(row["source"], row["status"]) for row in json.loads(result.stdout)["sources"]}
    assert {("github", "unavailable"), ("catalogue", "ok")} <= rows


def test_a_catalogue_by_name_is_asked_alone(run: Run, monkeypatch: pytest.MonkeyPatch, built: Path) -> None:
    """Naming a catalogue file means wanting it: GitHub is not asked, the sample neither."""
    use_github(monkeypatch, FailingSource(ZeroDivisionError()))
    result = run("search", QUESTION, "--catalogue", str(built))
    assert result.exit_code == 0
    assert "motion/react-motion" in result.stdout
    assert "Answered from the small catalogue of 3 repositories" in result.stdout


def test_the_catalogue_file_stands_in_for_the_sample(monkeypatch: pytest.MonkeyPatch, built: Path) -> None:
    """With --source catalogue and a file, the file is the catalogue."""
    use_github(monkeypatch, FailingSource(ZeroDivisionError()))
    runtime = open_runtime(("github", "catalogue"), built)
    assert runtime.dependencies.sources["catalogue"].notice == "Answered from the small catalogue of 3 repositories."
    assert runtime.fallback == ()


def test_a_catalogue_file_that_is_not_asked_is_refused(built: Path) -> None:
    """A file that --source leaves out is a contradiction, not something to ignore."""
    with pytest.raises(InvalidRequest, match="--source leaves the catalogue out"):
        open_runtime(("github",), built)


def test_a_file_that_is_no_catalogue_is_refused(run: Run, tmp_path: Path) -> None:
    """The message names the file."""
    path = tmp_path / "text.sqlite"
    path.write_text("this is no database, only a text that is longer than its header " * 20)
    result = run("search", QUESTION, "--catalogue", str(path))
    assert result.exit_code == 2
    assert f"goldpan: {path} is not a catalogue" in result.stderr
