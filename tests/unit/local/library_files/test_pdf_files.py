"""What is read of a PDF, within a bound of time."""

from pathlib import Path

import pytest
from goldpan_local.library_files import pdf_files

from tests.support.pdf import make_pdf
from tests.unit.local.library_files.conftest import read


def test_a_pdf_is_its_title_its_identifiers_and_its_pages(tmp_path: Path) -> None:
    """The largest text of the first page is the title of one without."""
    pages = ["Cats of Solitude", "doi:10.1000/cats Cats sleep."], ["Dogs bark."]
    [paper], _ = read(tmp_path / "a.pdf", make_pdf(*pages, stamp="arXiv:2103.03404v1 [cs.LG] 5 Mar 2021"))
    assert (paper.title, paper.ids.doi, paper.ids.arxiv) == ("Cats of Solitude", "10.1000/cats", "2103.03404")
    for given in ("Own title", "Microsoft Word - a.doc", "a.tex"):
        [named], _ = read(tmp_path / "a.pdf", make_pdf(*pages, title=given, author="Lovelace, Ada"))
        assert (named.title == given, named.authors) == (given == "Own title", ("Lovelace, Ada",))
    [citing], _ = read(tmp_path / "a.pdf", make_pdf(["My essay", "doi:10.1000/own", "cites doi:10.1000/other"]))
    assert citing.ids.doi == "10.1000/own"
    assert read(tmp_path / "b.pdf", make_pdf(["Cat"]))[0][0].title == "b"
    first, second = paper.summary.split("\f")
    assert ["sleep" in first, "bark" in second] == [True, True]


def test_a_pdf_that_cannot_be_read_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is damaged, one without text, and one that takes too long: it may name a large page a thousand times."""
    damaged, empty = (read(tmp_path / "a.pdf", content) for content in (b"%PDF-1.4 nonsense", make_pdf([])))
    monkeypatch.setattr(pdf_files, "MAX_SECONDS", -1)
    slow = read(tmp_path / "a.pdf", make_pdf(["Cats in large graphs"], ["More"]))
    for (papers, reading), fault in ((damaged, "not a PDF"), (empty, "without text"), (slow, "take longer than")):
        assert (papers, reading.skipped, fault in reading.faults[0]) == ([], 1, True)
