"""`goldpan catalogue` builds catalogue files and shows what is in them."""

import gzip
import json
from pathlib import Path

import pytest

from tests.support.local import records
from tests.unit.local.conftest import Run, refused

LINES = "\n".join(record.model_dump_json() for record in records()) + "\n"


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Write the records as JSON Lines."""
    path = tmp_path / "in.jsonl"
    path.write_text(LINES, "utf-8")
    return path


def test_a_built_file_can_be_searched(run: Run, lines: Path, tmp_path: Path) -> None:
    """The answer names it by its title, or by the name of the file; without a file, info is about the sample."""
    source, target = tmp_path / "in.jsonl.gz", tmp_path / "out.sqlite"
    built = run("catalogue", "build", str(lines), str(target), "--title", "my list")
    assert (built.exit_code, built.stderr) == (0, "")
    assert built.stdout.startswith(f"{target}: 3 repositories, ")
    found = run("search", "React animation library", "--catalogue", str(target), "-q")
    assert "Answered from my list of 3 repositories." in found.stdout
    source.write_bytes(gzip.compress(LINES.encode("utf-8-sig")))
    assert run("catalogue", "build", str(source), str(target), "--force").exit_code == 0
    shown = run("catalogue", "info", str(target)).stdout
    assert shown.startswith("title         the catalogue out\nrepositories  3\nfacts as of   unknown\nfile          ")
    sample = run("catalogue", "info").stdout
    assert sample.startswith("title         the embedded sample catalogue\n")
    assert sample.endswith("file          part of the command\n")


def test_a_file_is_overwritten_only_with_force(run: Run, lines: Path, tmp_path: Path) -> None:
    """Without --force an existing file is unchanged; the input is never overwritten."""
    target = tmp_path / "out.sqlite"
    target.write_text("precious")
    refused = run("catalogue", "build", str(lines), str(target))
    assert (refused.exit_code, target.read_text()) == (2, "precious")
    assert f"goldpan: {target}: exists already" in refused.stderr
    (link := tmp_path / "link.sqlite").symlink_to(target)
    assert run("catalogue", "build", str(lines), str(link), "--force").exit_code == 0
    assert (link.is_symlink(), run("catalogue", "info", str(target)).exit_code) == (True, 0)
    (same := tmp_path / "same.jsonl").hardlink_to(lines)
    for wrong, said in ((lines, "input and output"), (same, "input and output"), (tmp_path, "exists already")):
        assert f"{wrong}: {said}" in run("catalogue", "build", str(lines), str(wrong), "--force").stderr
    assert lines.read_text("utf-8") == LINES


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("in.jsonl", LINES.encode() + b"\n{oops}\n", "in.jsonl line 5: Invalid JSON"),
        ("in.jsonl", b'{"full_name": "a/b", "stars": -1}\n', "in.jsonl line 1: stars: must be at least 0 (given -1)"),
        ("in.jsonl", b"[" * 20_000, "in.jsonl line 1: Invalid JSON: recursion limit exceeded"),
        ("in.jsonl", b'{"description": "x"}', "in.jsonl line 1: full_name: is required\n"),
        ("in.jsonl", b'["a/b"]', "in.jsonl line 1: a JSON object is required"),
        ("in.jsonl", b'{"full_name": "no-slash"}\n', "'no-slash'"),
        ("in.jsonl.gz", LINES.encode(), "in.jsonl.gz: not a complete gzip file"),
    ],
)
def test_an_invalid_input_is_named_with_its_line(
    run: Run, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    """An existing catalogue stays as it was if the input is invalid, and nothing else is left behind."""
    source, target = tmp_path / name, tmp_path / "out.sqlite"
    source.write_bytes(content)
    target.write_text("old")
    assert message in refused(run("catalogue", "build", str(source), str(target), "--force"))
    assert (target.read_text(), {path.name for path in tmp_path.iterdir()}) == ("old", {name, "out.sqlite"})


def test_what_a_catalogue_leaves_out_is_counted(run: Run, tmp_path: Path) -> None:
    """Duplicates and unknown fields are counted on stderr, and the build goes on."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.sqlite"
    lines = [{"full_name": "a/b", "star": 1, "stars": 2}, {"full_name": "A/B", "id": 3}, {"full_name": "c/d", "id": 4}]
    lines[2] |= dict.fromkeys("abcdefghijkl", 0)
    source.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    built = run("catalogue", "build", str(source), str(target))
    assert (built.exit_code, built.stdout.split(",")[0]) == (0, f"{target}: 2 repositories")
    unknown = ", ".join(["id (2)", "star (1)", *(f"{name} (1)" for name in "abcdefgh")])
    assert built.stderr.splitlines() == [
        f"goldpan: {source}: duplicates left out: 1; of records with the same name the last one is stored",
        f"goldpan: {source}: unknown fields ignored, with the number of their lines: {unknown} and 4 more",
    ]


def test_missing_files_and_folders_are_named(run: Run, lines: Path, tmp_path: Path) -> None:
    """The message names the input, or the output without a folder."""
    missing = run("catalogue", "build", str(tmp_path / "none.jsonl"), str(tmp_path / "out.sqlite"))
    nowhere = run("catalogue", "build", str(lines), str(tmp_path / "no" / "out.sqlite"))
    assert "none.jsonl: No such file" in refused(missing)
    assert "out.sqlite: cannot be written" in refused(nowhere)
    assert "none.sqlite" in refused(run("catalogue", "info", str(tmp_path / "none.sqlite")))
