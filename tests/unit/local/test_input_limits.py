"""Whatever is read has limits: a larger field or file is refused by its name, with what is allowed."""

import gzip
import io
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import goldpan_data
import pytest
from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.input_files import input_record
from goldpan.kinds.papers.input_files.input_record import InputCounts, InputRecord, read_record
from goldpan_local.files import read_bytes, read_stdin

from tests.unit.local.conftest import Run

NO_TEXTS, MEBIBYTE = {"year", "citations", "open_access", "ids"}, 1024 * 1024


@pytest.mark.parametrize("name", ["in.txt", "in.txt.gz"])
def test_a_file_and_stdin_are_read_up_to_their_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """One byte more is refused, never cut off."""
    file = tmp_path / name
    file.write_bytes(gzip.compress(b"abcdef") if name.endswith("gz") else b"abcdef")
    assert read_bytes(file, 6) == b"abcdef"
    with pytest.raises(InvalidRequest, match=str(file)):
        read_bytes(file, 5)
    file.write_bytes(gzip.compress(bytes(16 * MEBIBYTE)) if name.endswith("gz") else bytes(16 * MEBIBYTE))
    assert len(read_bytes(file)) == 16 * MEBIBYTE  # a small file may unpack far
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stdin := io.BytesIO(b"abcdef")))
    assert read_stdin(6) == b"abcdef"
    stdin.seek(0)
    with pytest.raises(InvalidRequest, match="stdin: larger"):
        read_stdin(5)


@pytest.mark.parametrize("field", sorted(InputRecord.model_fields.keys() - NO_TEXTS))
def test_a_field_of_a_record_that_is_too_long_is_named(field: str) -> None:
    """Whichever it is, with the beginning of its value and what is allowed."""
    many = "word " * (input_record.MAX_LONG if field in {"abstract", "summary"} else input_record.MAX_SHORT)
    with pytest.raises(ValueError, match=rf"^{field}[.0]*: must have at most [\d,]+ characters \(given 'word word"):
        read_record({"title": "x", field: many}, InputCounts())


@pytest.mark.parametrize("name", ["in.jsonl.gz", "in.bib.gz", "in.json.gz", "in.gz"])
def test_a_file_that_unpacks_too_far_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    """After a part of it, whatever it is read as."""
    file = tmp_path / name
    file.write_bytes(gzip.compress((b" " * 1023 + b"\n") * (16 * 1024 + 1), 1))
    commands = [("dedupe",), ("library", "import"), ("catalogue", "build")]
    for command in commands[: 1 if name == "in.gz" else 3]:
        further = [str(tmp_path / "out.sqlite")] if command[0] == "catalogue" else []
        result = run(*command, str(file), *further, env={"XDG_DATA_HOME": str(tmp_path / "data")})
        assert result.exit_code == 2
        assert "more than 100 times its packed size" in result.stderr


def test_a_database_of_others_has_no_views(run: Run, tmp_path: Path) -> None:
    """A view may never end, in a catalogue and in a library."""
    env = {"XDG_DATA_HOME": str(tmp_path / "data"), "HOME": str(tmp_path)}
    (tmp_path / "x.md").write_text("# x")
    assert run("library", "import", str(tmp_path / "x.md"), env=env).exit_code == 0
    library = next((tmp_path / "data").rglob("default.sqlite"))
    catalogue = tmp_path / "c.sqlite"
    catalogue.write_bytes(goldpan_data.file("sample_catalogue.sqlite").read_bytes())
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n"
    for path in (library, catalogue):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"CREATE VIEW endless AS {endless}")
    for command in (["library", "search", "x"], ["search", "x", "--catalogue", str(catalogue)]):
        result = run(*command, env=env)
        assert (result.exit_code, "(given the view 'endless')" in result.stderr) == (2, True), result.stderr
