"""Papers in the table, in one line, in Markdown, for spreadsheets, and beside repositories."""

import csv
import io
import sys

import pytest
from goldpan.errors import SourcesFailed
from goldpan_local.formats.plain_text import render_markdown
from goldpan_local.formats.table import render_compact, render_table
from goldpan_local.output import print_answer
from goldpan_local.search_options import SearchOptions

from tests.support.fixed_papers import FULL, LEAST, paper_answer
from tests.support.local import answer

AT_80_COLUMNS = """\
React animation

 #  Paper                                               Year  Cited  Relevance
────────────────────────────────────────────────────────────────────────────────
 1  Attention is not all you need: 50% of {it} & more   2021  12.3k  0.92 █████▌
    Ada Lovelace et al. · Advances in Neural Information Processing Systems ·
    conference · open access
    DOI https://doi.org/10.1000/attention
    page https://example.org/attention
    PDF https://example.org/a.pdf
    versions preprint 2020 arXiv:2103.03404
    found by openalex (rank 1), arxiv (rank 3)
    why It is about attention.
    ! The abstract was cut.

 2  Внимание                                               -      -  0.40 ██▍
    why Matches “attention” in the title.
    ! not verified: year

facets years 2021 (1) · venues NeurIPS (1) · authors Ada Lovelace (2) · themes
       attention (2)

openalex ok: 2 papers
2 shown of 2 that fit and 57 found, 1.2 s, 3 language model calls, 1,600 tokens,
$0.0012
"""
IN_MARKDOWN = (
    "Lovelace et al., Advances in Neural Information Processing Systems, conference, open access, 2021, 12,345 cit",
    "   Links: [DOI](<https://doi.org/10.1000/attention>), [page](<https://example.org/attention>), [PDF](<https://",
    "   Versions: preprint 2020 arXiv:2103.03404\n",
    "2. **Внимание** - citations unknown, relevance 0.40\n\n   Why: ",
    "\nFacets: years 2021 (1) · venues NeurIPS (1) · authors Ada Lovelace (2) · themes attention (2)\n",
)


@pytest.fixture(autouse=True)
def _width_80(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_the_table_and_markdown_have_every_fact() -> None:
    """Links, versions, sources, facets and what is not verified included; --details adds the abstract."""
    assert render_table(paper_answer()) == AT_80_COLUMNS
    assert "We study attention." in render_table(paper_answer(), details=True)
    written = render_markdown(paper_answer())
    assert [part for part in IN_MARKDOWN if part not in written] == []


def test_an_address_is_whole_however_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where stdout is no terminal, so that it can be copied."""
    address = f"https://example.org/{'a' * 150}.pdf"
    long = paper_answer({**FULL, "pdf_url": address})
    assert f"    PDF {address}\n" in render_table(long)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert max(map(len, render_table(long).splitlines())) <= 80


def test_both_kinds_stand_one_after_the_other() -> None:
    """Each with its title and its counts; the results are numbered through, as `--open` counts them."""
    both = paper_answer(repositories=True)
    for shown in (render_table(both), render_compact(both), render_markdown(both)):
        assert shown.index("Repositories") < shown.index("motion/react-motion") < shown.index("Papers")
        words = shown.split()
        assert "repositories: 2 shown of 2 that fit and 1,057 found, papers: 2 shown of 2 that" in " ".join(words)
        assert [word for word in words if word in ("3", "3.", "4", "4.")][:2] in (["3", "4"], ["3.", "4."])


def test_csv_names_the_kind_where_there_are_two(capfd: pytest.CaptureFixture[str]) -> None:
    """The columns of both kinds; a paper without a page has the address of its DOI, and a script is none."""
    both = paper_answer(FULL, {**FULL, "url": None}, LEAST, repositories=True)
    print_answer(both, {"format": "csv"}, {})
    rows = list(csv.DictReader(io.StringIO(capfd.readouterr().out)))
    facts = [(row["kind"], row["rank"], row["repo"], row["title"], row["year"], row["doi"]) for row in rows]
    assert facts[0] == ("repositories", "1", "motion/react-motion", "", "", "")
    assert facts[2] == ("papers", "1", "", FULL["title"], "2021", "10.1000/attention")
    print_answer(paper_answer(), {"format": "csv"}, {})
    assert capfd.readouterr().out.startswith("rank,title,authors,year,")
    print_answer(both, {"format": "urls"}, {})
    addresses = ["https://github.com/motion/react-motion", FULL["url"], "https://doi.org/10.1000/attention"]
    assert capfd.readouterr().out.splitlines() == addresses


@pytest.mark.parametrize(("output_format", "nothing"), [("bibtex", ""), ("ris", ""), ("csl-json", "[]\n")])
def test_an_export_holds_papers_alone(capfd: pytest.CaptureFixture[str], output_format: str, nothing: str) -> None:
    """An answer whose papers failed is an error; one that found none is empty, says so, and has exit code 1."""
    given: SearchOptions = {"format": output_format}
    assert print_answer(paper_answer(repositories=True), given, {}) == 0
    assert "react-motion" not in capfd.readouterr().out
    none = paper_answer(repositories=True)
    sections = {**none.sections, "papers": none.sections["papers"].model_copy(update={"results": ()})}
    assert print_answer(none.model_copy(update={"sections": sections}), given, {}) == 1
    printed = capfd.readouterr()
    assert (printed.out, "papers: Nothing found" in printed.err) == (nothing, True)
    error = {"stage": "papers", "error": "every source failed", "timestamp": "2026-01-02T03:04:05Z"}
    with pytest.raises(SourcesFailed, match="the answer has none: every source failed"):
        print_answer(answer(errors=[error]), given, {})
    assert capfd.readouterr().out == ""
