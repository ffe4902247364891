"""`goldpan catalogue` makes catalogue files and tells what is in them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.unit.local.conftest import Run
from tests.unit.local.made import records

LINES = "\n".join(record.model_dump_json() for record in records()) + "\n"


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Write the records as JSON Lines."""
    path = tmp_path / "in.jsonl"
    path.write_text(LINES, "utf-8")
    return path


def test_it_builds_a_file_that_can_be_searched(run: Run, lines: Path, tmp_path: Path) -> None:
    """The built file answers, under the title that it was given."""
    target = tmp_path / "out.sqlite"
    built = run("catalogue", "build", str(lines), str(target), "--title", "my list")
    assert (built.exit_code, built.stderr) == (0, "")
    assert built.stdout.startswith(f"{target}: 3 repositories, ")
    found = run("search", "React animation library", "--catalogue", str(target), "-q")
    assert "Answered from my list of 3 repositories." in found.stdout


def test_it_reads_gzip(run: Run, tmp_path: Path) -> None:
    """A packed input gives the same catalogue, named after the file where no title is given."""
    source, target = tmp_path / "in.jsonl.gz", tmp_path / "out.sqlite"
    source.write_bytes(gzip.compress(LINES.encode()))
    assert run("catalogue", "build", str(source), str(target)).exit_code == 0
    told = run("catalogue", "info", str(target)).stdout
    assert "title         the catalogue out\n" in told
    assert "repositories  3\n" in told
    assert "facts as of   unknown\n" in told


def test_info_without_a_file_tells_of_the_sample(run: Run) -> None:
    """The sample is what is searched where no file is named."""
    assert "title         the embedded sample catalogue\n" in run("catalogue", "info").stdout


def test_it_overwrites_only_when_forced(run: Run, lines: Path, tmp_path: Path) -> None:
    """A file that exists stays as it is without --force."""
    target = tmp_path / "out.sqlite"
    target.write_text("precious")
    refused = run("catalogue", "build", str(lines), str(target))
    assert refused.exit_code == 2
    assert f"goldpan: {target}: exists already" in refused.stderr
    assert target.read_text() == "precious"
    assert run("catalogue", "build", str(lines), str(target), "--force").exit_code == 0
    assert run("catalogue", "info", str(target)).exit_code == 0


def test_it_never_overwrites_its_input(run: Run, lines: Path) -> None:
    """The same file as input and output is refused, forced or not."""
    assert run("catalogue", "build", str(lines), str(lines), "--force").exit_code == 2
    assert lines.read_text("utf-8") == LINES


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("in.jsonl", LINES.encode() + b"\n{oops}\n", "in.jsonl line 5: "),
        ("in.jsonl", b'{"full_name": "a/b", "stars": -1}\n', "in.jsonl line 1: stars: "),
        ("in.jsonl", LINES.encode() + b'{"full_name": "a/\xff"}\n', "in.jsonl line 4: "),
        ("in.jsonl.gz", LINES.encode(), "in.jsonl.gz: not a whole gzip file"),
        ("in.jsonl.gz", gzip.compress(LINES.encode() * 9)[:-20], "in.jsonl.gz: not a whole gzip file"),
    ],
)
def test_a_wrong_input_is_named_with_its_line(run: Run, tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """Nothing is left behind where the input is wrong, and the message leads to the place."""
    source, target = tmp_path / name, tmp_path / "out.sqlite"
    source.write_bytes(content)
    result = run("catalogue", "build", str(source), str(target))
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_missing_files_and_folders_are_named(run: Run, lines: Path, tmp_path: Path) -> None:
    """An input that is not there, and an output that has no folder, are told by name."""
    missing = run("catalogue", "build", str(tmp_path / "none.jsonl"), str(tmp_path / "out.sqlite"))
    assert (missing.exit_code, "none.jsonl: No such file" in missing.stderr) == (2, True)
    nowhere = run("catalogue", "build", str(lines), str(tmp_path / "no" / "out.sqlite"))
    assert (nowhere.exit_code, "out.sqlite: cannot be written" in nowhere.stderr) == (2, True)
    assert run("catalogue", "info", str(tmp_path / "none.sqlite")).exit_code == 2
