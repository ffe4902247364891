"""A PDF is read within a bound of time."""

from pathlib import Path

import pytest
from goldpan_local.library_files import pdf_files
from goldpan_local.library_files.pdf_files import read_pdf
from goldpan_local.library_files.records import Reading

from tests.support.pdf import make_pdf


@pytest.mark.parametrize(("seconds", "papers"), [(30, 1), (-1, 0)])
def test_a_pdf_that_takes_too_long_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: int, papers: int
) -> None:
    """A small file may name one large page a thousand times."""
    monkeypatch.setattr(pdf_files, "MAX_SECONDS", seconds)
    (tmp_path / "a.pdf").write_bytes(make_pdf(["Cats in large graphs"], ["More"]))
    reading = Reading()
    assert len([*read_pdf(tmp_path / "a.pdf", "a", reading)]) == papers
    assert papers or "its pages take longer than" in reading.faults[0]
