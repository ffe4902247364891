"""Files of records: an index, JSON Lines, and BibTeX."""

import gzip
import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from goldpan.errors import InvalidRequest
from goldpan.infra.input_lines import bounded_lines
from goldpan_local.library_files.bibtex_entries import parse_bibtex, records_of
from goldpan_local.library_files.folder import read_papers
from goldpan_local.library_files.records import Reading

from tests.unit.local.library_files.conftest import read

ONE = {"id": "2401.1", "title": "One", "authors": ["Ada Lovelace"], "abstract": "a", "summary": "s"}
TWO = {"id": "2401.2", "title": "Two"}


@pytest.mark.parametrize(
    "document",
    [
        {"papers": [ONE, TWO], "version": 3},
        {"papers": {"2401.1": {**ONE, "id": None}, "2401.2": {"title": "Two"}}},
        [ONE, TWO],
        {"2401.1": {"title": "One", "author": "Ada Lovelace", "abstract": "a", "summary": "s"}, "2401.2": TWO},
        {"papers": {"x": ONE, "y": TWO}},
    ],
    ids=["a list in papers", "by id in papers", "a list", "by id", "by another id"],
)
def test_every_form_of_an_index_is_read(document: object, tmp_path: Path) -> None:
    """The ids are those of the index, whether they are fields or keys."""
    papers, reading = read(tmp_path / "papers.json", json.dumps(document, indent=1))
    assert [(paper.id, paper.title) for paper in papers] == [("2401.1", "One"), ("2401.2", "Two")]
    assert (papers[0].authors, papers[0].abstract, papers[0].summary) == (("Ada Lovelace",), "a", "s")
    assert list(reading.notes()) == []
    [single], _ = read(tmp_path / "papers.json", json.dumps(ONE))
    assert single == papers[0]
    named, _ = read(tmp_path / "papers.json", '{"papers": [{"doi": "10.1000/x", "arxiv": "2401.1"}, {"summary": "s"}]}')
    assert [paper.title for paper in named] == ["doi:10.1000/x", named[1].id]
    assert named[1].id.endswith(":2")


@pytest.mark.parametrize(
    ("name", "document", "fault"),
    [
        ("a.json", '{"papers": [\n{"title": }]}', "a.json: not JSON: .* line 2 column 11"),
        ("a.json", '{"name": "x", "version": 1}', "a.json: has no papers; "),
        ("a.json", '{"title": "One"', "a.json: not JSON: "),
        ("a.json", "[" + "0," * 20 + "0]", r"a.json: must have at most 20 values \(given 21\)"),
        ("a.json", '{"papers": [{"title": "One"}, {"titel": "Two"}]}', r"a.json paper 2: titel: .*is title meant\?"),
        ("a.xml", "<xml><rec", "a.xml: not XML"),
        ("a.xml", "<html/>", "a.xml: has no references"),
        ("a.xml", '<!DOCTYPE x [<!ENTITY a "b">]><xml>&a;</xml>', "a.xml: declares a document type"),
        ("a.csv", "a,b\n1,2\n", "a.csv: .* Title"),
    ],
)
def test_another_document_is_refused(
    name: str, document: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the file, the place if there is one, and what it lacks; so does that of one too large."""
    monkeypatch.setattr("goldpan_local.library_files.records.MAX_VALUES", 20)
    with pytest.raises(InvalidRequest, match=fault):
        read(tmp_path / name, document)


def test_fields_of_other_programs_are_understood(tmp_path: Path) -> None:
    """Authors as objects, keywords, a date for the year, identifiers in any spelling; the others are counted."""
    record = {
        "title": "One", "authors": [{"name": "Ada Lovelace"}, {"given": "Kurt", "family": "Gödel"}], "pages": "1-9",
        "time": 1, "published": "2024-01-31", "keywords": "nlp; #ai", "journal": "Nature",
        "doi": "https://doi.org/10.1000/X",
    }  # fmt: skip
    [paper], reading = read(tmp_path / "one.jsonl", json.dumps(record))
    assert (paper.authors, paper.year, paper.venue) == (("Ada Lovelace", "Kurt Gödel"), 2024, "Nature")
    assert (paper.tags, paper.ids.doi, paper.id) == (("nlp", "ai"), "10.1000/x", "doi:10.1000/x")
    assert paper.pages == "1-9"
    assert list(reading.notes()) == ["unknown fields ignored, with the number of their records: time (1)"]


def test_a_wrong_line_is_left_out_and_named(tmp_path: Path) -> None:
    """The lines around it are papers; each fault has the file, the line, and what is allowed."""
    long = b'{"title": "' + b"x" * 3_000_000 + b'"}'
    lines = [b'\xef\xbb\xbf{"title": "One"}', b"", b'{"title": ', b'"text"', b'{"title": "T", "year": "soon"}', long]
    papers, reading = read(tmp_path / "in.jsonl", b"\n".join([*lines, b'{"title": "Two"}', b'{"id": 7}']))
    assert [paper.title for paper in papers] == ["One", "Two"]
    assert reading.skipped == 5
    notes = "\n".join(reading.notes())
    faults = ("3: Invalid JSON", "4: a JSON object is", "5: year: must be a whole", "6: longer than", "8: a title")
    assert [fault for fault in faults if f"in.jsonl line {fault}" not in notes] == []
    _, reading = read(tmp_path / "in.jsonl", "{}\n" * 12)
    assert [note.partition(": ")[0] for note in reading.notes()][8:] == [
        f"{tmp_path / 'in.jsonl'} line 9", f"{tmp_path / 'in.jsonl'} line 10", "and 2 more records left out",
    ]  # fmt: skip


def test_an_entry_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    """A note has its line and its fault; the keys of the others are their ids."""
    text = "@article{a, title={One}}\n@article{a, title={Again}}\n@misc{b, title={Two}}\n@misc{c, title={\\href}}"
    papers, reading = read(tmp_path / "in.bib", text)
    assert [paper.id for paper in papers] == ["a", "b"]
    duplicate, wrong = reading.notes()
    assert duplicate.endswith("in.bib line 2: id: 'a' is already that of line 1")
    assert wrong.endswith("in.bib line 4: LaTeX that cannot be read: '\\\\href'")


def fields(written: str, kind: str = "article") -> dict[str, Any]:
    """Return the record of an entry of BibTeX, after a macro and before a volume."""
    volume = '@proceedings{p, title = jnl # "Pets", year = 2017, editor = {Ada Day}, doi = {10.1/p}}'
    text = f'@string{{Jnl = "J. of "}}\n@{kind}{{key, TITLE = {{Cats}}, {written}}}\n{volume}'
    [(_, parse), _] = records_of(parse_bibtex("x.bib", text))
    return parse()


@pytest.mark.parametrize(
    ("kind", "written", "expected"),
    [
        ("article", r"doi = {10.1000/abc\_1}", {"doi": "10.1000/abc_1"}),
        ("article", r"doi = {10.1000/abc{\_}1}", {"doi": "10.1000/abc_1"}),
        ("article", r"doi = {\url{https://doi.org/10.1000/abc_1}}", {"doi": "https://doi.org/10.1000/abc_1"}),
        ("article", r"doi = {10.1002/(SICI)1097\%3C1::AID\#1}", {"doi": "10.1002/(SICI)1097%3C1::AID#1"}),
        ("article", "doi = {10.1000/abc_1}, pmcid = {PMC\\_1}", {"doi": "10.1000/abc_1", "pmcid": "PMC_1"}),
        ("article", r"booktitle = {\textquotedbl{}Cats\textquotedbl{} {\textbraceleft}1}", {"venue": '"Cats" {1'}),
        (
            "article", r"journal = {{\LaTeX}: A \mbox{B}-C of \texttt{d}, \href{https://x.org}{e} \textless\label{x}}",
            {"venue": "LaTeX: A B-C of d, e <"},
        ),
        ("article", r"annote = {Read \emph{twice}}, keywords = {logic, sets}", {"summary": "Read twice"}),
        ("article", r"author = {G{\"o}del, Kurt}", {"authors": ["Kurt Gödel"]}),
        ("ARTICLE", "journal = jnl # {Cats} # unknown", {"venue": "J. of Catsunknown"}),
        ("article", "note = {a # b}, journal = {x # y}", {"venue": "x # y"}),
        ("article", r"author = {{C and D} and \O and others}", {"authors": [{"literal": "C and D"}, "Ø", "others"]}),
        ("article", "journal = {CoRR}, volume = {abs/1706.03762}", {"arxiv": "1706.03762", "volume": None}),
        ("article", "journal = {Cats}, volume = {17}", {"arxiv": None}),
        (
            "inproceedings", "crossref = {p}, editor = {Bo Cat}",
            {"title": "Cats", "year": 2017, "venue": "J. of Pets", "editors": ["Bo Cat"], "doi": None},
        ),
        ("misc", "eprint = {1706.03762}, eprinttype = {arXiv}", {"type": "preprint", "arxiv": "1706.03762"}),
        ("article", "eprint = {1706.03762}, archivePrefix = {arXiv}", {"type": "article", "arxiv": "1706.03762"}),
        ("techreport", "institution = {MIT}", {"venue": "MIT"}),
        ("misc", "eprint = {1706.03762}, eprinttype = {hal}", {"type": None, "arxiv": None}),
    ],
)  # fmt: skip
def test_an_entry_of_a_bibliography_is_a_record(kind: str, written: str, expected: dict[str, object]) -> None:
    """Identifiers have no LaTeX, macros any case; DBLP has an arXiv id as a volume; an archive makes a preprint."""
    known = fields(written, kind)
    assert {name: known.get(name) for name in expected} == expected


def test_a_field_that_is_too_large_is_named() -> None:
    """Parts that are joined count together."""
    long = " # ".join(['"' + "x" * 60_000 + '"'] * 2)
    with pytest.raises(ValueError, match=r"abstract: must have at most 100,000 characters \(given 100,001: 'xxx"):
        fields(f"abstract = {long}")


def test_a_large_gzip_file_is_read_and_a_damaged_one_named(tmp_path: Path) -> None:
    """A large one that packs as texts do."""
    (tmp_path / "large.gz").write_bytes(gzip.compress((os.urandom(80_000).hex() + "\n").encode() * 110, 1))
    assert sum(len(line) for _, line in bounded_lines(tmp_path / "large.gz")) == 160_001 * 110
    with pytest.raises(InvalidRequest, match=r"cut\.json\.gz: not a complete gzip file"):
        read(tmp_path / "cut.json.gz", gzip.compress(json.dumps([ONE]).encode())[:-12])


def test_json_lines_are_read_with_memory_for_one_paper(tmp_path: Path) -> None:
    """20 MB of lines take less than 4 MB, and the share that is read is reported on the way."""
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f'{{"title": "{number}", "abstract": "{"x" * 2_000}"}}\n' for number in range(10_000)))
    reading, positions = Reading(), list[int]()
    reading.on_position = positions.append
    tracemalloc.start()
    count = sum(1 for _ in read_papers(path, reading))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (count, peak < 4_000_000) == (10_000, True)
    assert (len(positions), positions[0] < path.stat().st_size / 5) == (10, True)
