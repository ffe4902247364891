"""`goldpan library import`, `list`, `remove` and `push`, and `goldpan search --add-to PROJECT`."""

import json
from pathlib import Path

import boto3
import pytest
from goldpan.errors import Misconfigured
from goldpan_local.library_commands import deployment, import_command

from tests.support.fixed_papers import use_papers
from tests.unit.local.conftest import Run, refused


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Make a folder with an index, JSON Lines and two notes."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "papers.json").write_text(json.dumps({"papers": [{"id": "a", "title": "Attention"}]}))
    (folder / "more.jsonl").write_text('{"id": "b", "title": "Retrieval"}\n{"id": "c", "title": "Reranking"}\n')
    (folder / "one.md").write_text("# Notes on attention")
    (folder / "two.md").write_text("# Notes on retrieval")
    return folder


def found(run: Run, query: str, project: str = "default") -> list[str]:
    """Return the titles that a search of a project finds, in alphabetical order."""
    result = run("library", "search", query, "--project", project, "--format", "json")
    return sorted(paper["title"] for paper in json.loads(result.stdout)["results"])


def test_an_import_reads_only_what_changed(run: Run, papers: Path, libraries: Path) -> None:
    """A changed file, a new one, and one that is gone; the others are not read again."""
    first = run("library", "import", str(papers))
    assert (first.exit_code, first.stderr) == (0, "")
    assert first.stdout.startswith("default: 5 papers added; 4 files read; ")
    assert [path for path in (libraries, *libraries.iterdir()) if path.stat().st_mode & 0o077] == []
    again = run("library", "import", str(papers))
    assert (again.exit_code, again.stdout[:55]) == (0, "default: no papers changed; 0 files read, 4 unchanged; ")
    (papers / "more.jsonl").write_text('{"id": "b", "title": "Retrieval, again"}\n{"id": "c", "title": "Reranking"}\n')
    (papers / "three.txt").write_text("Something about attention")
    (papers / "one.md").unlink()
    third = run("library", "import", str(papers))
    assert third.stdout.startswith("default: 1 paper added, 1 changed, 1 removed, 1 as before; 2 files read, 2 unch")
    assert third.stdout.endswith(f"\ngone: {papers / 'one.md'}\n")
    assert found(run, "attention") == ["Attention", "three"]
    (moved := papers.parent / "four.md").write_text("# Four")
    assert run("library", "import", str(moved)).stdout.startswith("default: 1 paper added; 1 file read; ")
    assert "gone" not in run("library", "import", str(papers)).stdout, "what lies elsewhere is left alone"
    assert found(run, "again") == ["Retrieval, again"]


def test_a_wrong_file_does_not_keep_the_others_from_being_imported(run: Run, papers: Path) -> None:
    """It is named, its papers stay as they were, and the exit code says so; wrong records are named alone."""
    assert run("library", "import", str(papers)).exit_code == 0
    (papers / "more.jsonl").write_text('{"titel": "Retrieval"}\n')
    (papers / "two.md").write_text("---\nyear: soon\n---\n")
    (papers / "new.md").write_text("# New")
    result = run("library", "import", str(papers))
    assert result.exit_code == 2
    assert result.stdout.startswith("default: 1 paper added, 1 removed; 2 files read, 2 unchanged; 1 record left out; ")
    assert result.stderr.splitlines()[0].endswith("more.jsonl line 1: titel: unknown field; is title meant?")
    assert "two.md: year: must be a whole number (given 'soon')" in result.stderr
    assert found(run, "retrieval OR new") == ["New", "Retrieval"]
    assert "more.jsonl" in refused(run("library", "import", str(papers / "more.jsonl")))
    for number in range(12):
        (papers / f"wrong{number:02}.jsonl").write_text('{"titel": "x"}\n{"id": "twice"}')
    (papers / "twice.jsonl").write_text('{"id": "n", "title": "One"}\n{"id": "n", "title": "New one"}')
    said = run("library", "import", str(papers)).stderr
    assert "and 3 more files not imported" in said
    assert "duplicates left out: 1; of papers of a file with the same id the last one counts" in said
    for number in range(3):
        (papers / f"wrong{number:02}.jsonl").unlink()
    assert "more files" not in run("library", "import", str(papers)).stderr
    (papers.parent / "wrong.json").write_text('[{"x": 1}]')  # a script sees that nothing of it was imported
    assert run("library", "import", str(papers.parent / "wrong.json")).exit_code == 2


def test_a_paper_of_two_files_is_not_lost_with_one_of_them(run: Run, papers: Path) -> None:
    """The other one is read again; one that is elsewhere is named."""
    (papers / "again.json").write_text('[{"id": "a", "title": "Attention, again"}]')
    (elsewhere := papers.parent / "elsewhere.json").write_text('[{"id": "e", "title": "Elsewhere"}]')
    (papers / "its.json").write_text('[{"id": "e", "title": "Elsewhere, too"}]')
    run("library", "import", str(elsewhere))
    replaced = run("library", "import", str(papers)).stderr
    assert "ids that papers of several files have, of which the last one counts: e, a" in replaced
    for name in ("papers.json", "its.json"):
        (papers / name).write_text("[]")
    result = run("library", "import", str(papers))
    assert found(run, "attention OR elsewhere") == ["Attention, again", "Notes on attention"]
    restored = f"{elsewhere}: has papers that other files had too; `goldpan library import` of it restores them"
    assert restored in result.stderr


def test_projects_are_listed_and_removed(run: Run, papers: Path, libraries: Path) -> None:
    """A damaged file does not hide the others; what was imported from a path goes alone, even if the path is gone."""
    assert run("library", "list").stdout.startswith("No papers collected yet. `goldpan library import PATH` imports ")
    for name in ("default", "thesis"):
        run("library", "import", str(papers), "--project", name)
    (libraries / "broken.sqlite").write_text("no library")
    (libraries / "cut.sqlite").touch()
    rows = run("library", "list").stdout.splitlines()
    shown = [["broken", "-"], ["cut", "-"], ["default", "5"], ["thesis", "5"]]
    assert [row.split()[:2] for row in rows[1:]] == shown
    (papers / "one.md").unlink()
    removed = run("library", "remove", str(papers / "one.md"), "--project", "default")
    assert removed.stdout.startswith("default: 1 paper removed, of 1 file at ")
    assert found(run, "attention") == ["Attention"]
    assert run("library", "remove", str(papers / "one.md"), "--project", "default").exit_code == 2
    assert (
        "--project: there is no project gone (there are " in run("library", "search", "x", "--project", "gone").stderr
    )
    for name in ("broken", "cut", "thesis"):
        assert run("library", "remove", "--project", name).stdout == f"{name}: removed\n"
    assert [path.name for path in libraries.iterdir()] == ["default.sqlite"]


def test_libraries_lie_where_the_desktop_keeps_data(run: Run, papers: Path, tmp_path: Path) -> None:
    """XDG_DATA_HOME if it is an absolute path, else .local/share of HOME."""
    for folder, environment in (
        ("xdg", {"XDG_DATA_HOME": str(tmp_path / "xdg")}),
        ("home/.local/share", {"XDG_DATA_HOME": "relative", "HOME": str(tmp_path / "home")}),
    ):
        result = run("library", "import", str(papers), env={"GOLDPAN_LIBRARIES": "", **environment})
        assert result.exit_code == 0
        assert (tmp_path / folder / "goldpan" / "libraries" / "default.sqlite").is_file()


def test_an_encoder_that_fails_does_not_fail_the_import(run: Run, tmp_path: Path) -> None:
    """The failure is reported, and the papers can be searched by words."""
    (tmp_path / "a.md").write_text("# Scaling")
    result = run("library", "import", str(tmp_path / "a.md"), env={"EMBEDDING_MODEL": "own-model"})
    assert (result.exit_code, "but not all have vectors: EMBEDDING_BASE_URL is not set" in result.stderr) == (0, True)
    assert "1 shown of 1 found" in run("library", "search", "scaling").stdout


def test_a_project_that_is_removed_meanwhile_is_named(
    run: Run, papers: Path, libraries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By another process, while this one imports into it."""
    file = libraries / "default.sqlite"
    monkeypatch.setattr(import_command, "encode_new_papers", lambda *_: filter(None, map(Path.unlink, [file])))
    assert refused(run("library", "import", str(papers))) == f"goldpan: {file}: No such file or directory\n"


def test_found_papers_are_added_once(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One is there from a file under the user's own key, by its DOI; an import of that file removes no other."""
    use_papers(monkeypatch)
    (own := tmp_path / "own.json").write_text('[{"id": "vaswani", "title": "Attention", "doi": "10.1000/attention"}]')
    run("library", "import", str(own), "--project", "thesis")
    search = ("search", "attention", "--kind", "papers", "--format", "urls", "--add-to")
    first = run(*search, "thesis")
    assert (first.exit_code, first.stderr) == (0, "goldpan: thesis: 1 paper added, 1 was there already\n")
    assert "0 papers added, 2 were there already" in run(*search, "thesis").stderr
    assert "new: 2 papers added\n" in run(*search, "new").stderr
    run("library", "import", str(own), "--project", "thesis")
    assert found(run, "Внимание", "thesis") == ["Внимание"]
    assert "new: 2 papers removed" in run("library", "remove", "goldpan search", "--project", "new").stdout


def test_bucket_and_table_are_as_given_or_else_those_of_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """The option comes before the environment, and that before the outputs of the stack."""
    monkeypatch.setattr(deployment, "_outputs", lambda stack: {name: f"{stack} {name}" for name in deployment.OUTPUTS})
    environment = {"GOLDPAN_LIBRARY_BUCKET": "own-bucket"}
    found = [
        deployment.find(given, bucket=bucket, table=None, stack="search")
        for given, bucket in (({}, None), (environment, None), (environment, "given"))
    ]
    of_stack = [f"search {name}" for name in deployment.OUTPUTS]
    assert found == [(bucket, of_stack[1]) for bucket in (of_stack[0], "own-bucket", "given")]


def test_a_cause_that_the_user_can_change_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a profile that is not there."""
    monkeypatch.setenv("AWS_PROFILE", "not-there")
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    with pytest.raises(Misconfigured, match=r"--stack: search: .*\(not-there\)"):
        deployment.find({}, bucket=None, table=None, stack="search")
