"""PDFs: text page by page, within bounds of time."""

from pathlib import Path

import pytest
from goldpan_local.library_files import pdf_files
from goldpan_local.library_files.pdf_files import read_pdf
from goldpan_local.library_files.record import Reading

TEXT = "BT /F1 12 Tf 10 700 Td (Cats in large graphs) Tj ET"


def pdf(path: Path, pages: int) -> Path:
    """Write a PDF of pages with the same text; its table of objects is left out, as in a damaged one."""
    kids = " ".join(f"{5 + page} 0 R" for page in range(pages))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {pages} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Length {len(TEXT)} >>\nstream\n{TEXT}\nendstream",
    ]
    objects += ["<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>"] * pages
    body = "".join(f"{number} 0 obj\n{each}\nendobj\n" for number, each in enumerate(objects, 1))
    path.write_text(f"%PDF-1.4\n{body}trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n0\n%%EOF\n")
    return path


def test_a_pdf_is_a_paper(tmp_path: Path) -> None:
    """Its title is the largest text, and a form feed separates its pages."""
    (paper,) = read_pdf(pdf(tmp_path / "a.pdf", 2), "a", Reading())
    assert (paper.title, paper.summary) == ("Cats in large graphs", "Cats in large graphs\fCats in large graphs")


def test_a_pdf_that_takes_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file may name one large page a thousand times."""
    monkeypatch.setattr(pdf_files, "MAX_SECONDS", -1)
    reading = Reading()
    assert [*read_pdf(pdf(tmp_path / "a.pdf", 2), "a", reading)] == []
    assert "its pages take longer than" in reading.faults[0]
