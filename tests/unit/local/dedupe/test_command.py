"""`goldpan dedupe`: what it reads, refuses and writes."""

import gzip
import json
import os
from pathlib import Path

import bibtexparser
import goldpan
import pytest
from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.models import Paper

from tests.unit.local.conftest import Run, refused

RECORDS: list[dict[str, object]] = [
    {"id": "a", "title": "Attention Is All You Need", "authors": "Vaswani, Ashish and Shazeer, Noam", "year": 2017,
     "tags": ["nlp"], "summary": "Read\ntwice."},
    {"title": "Deep residual learning", "authors": ["Kaiming He"], "doi": "https://doi.org/10.1109/X"},
    {
        "title": "Attention is all you need", "authors": ["A. Vaswani", "N. Shazeer"], "year": "2017",
        "arxiv": "1706.03762v5", "tags": "nlp; attention",
    },
    {"id": "y", "title": "Identity mappings", "doi": "10.1109/Y", "venue": "", "year": None},
]  # fmt: skip
LINES = "\n\n".join(json.dumps(record) for record in RECORDS) + "\n"
BIBLIOGRAPHY = r"""@string{nips = {Advances in NIPS}}
% a comment
@misc{preprint, author = "Ashish Vaswani and N. Shazeer", title = "Attention is all you need", year = 2017,
  eprint = {1706.03762}, archivePrefix = {arXiv}}
@inproceedings{short, author = "Ashish Vaswani and N. Shazeer", title = "Attention is all you need", year = 2017}
@inproceedings{Vaswani17, Author = {Vaswani, Ashish and Shazeer, Noam}, title = {Attention Is All {Y}ou Need},
  booktitle = nips, year = 2017, pages = {1--10}, note = {50\% read}}
@article{godel, author = {G{\"o}del, Kurt}, title = {{\"U}ber S\"atze}, year = {1931}, journal = {Monatshefte}}
"""


def groups(text: str) -> list[list[object]]:
    """Return the members of each group of a JSON output."""
    return [group["members"] for group in json.loads(text)["groups"]]


def test_each_record_is_in_one_group(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Singletons included; a record without an id has the number of its line, and 0 is an id."""
    (tmp_path / "in.jsonl").write_bytes(b"\xef\xbb\xbf" + LINES.encode())
    monkeypatch.chdir(tmp_path)
    Path("stdin").write_text(LINES)  # the file of that name is not what - stands for
    assert groups(run("dedupe", "-", stdin='{"title": "x"}\n{"id": 0, "title": "y"}').stdout) == [[1], [0]]
    (tmp_path / "in.jsonl.gz").write_bytes(gzip.compress(LINES.encode()))
    for result in (run("dedupe", name) for name in ("in.jsonl", "in.jsonl.gz", "stdin")):
        assert (result.exit_code, groups(result.stdout)) == (0, [["a", 5], [3], ["y"]])
        assert result.stderr.endswith("4 records of 3 papers\n")
    piped = run("dedupe", "-", stdin=LINES)
    first = json.loads(piped.stdout)["groups"][0]
    assert (first["merged"]["title"].lower(), first["merged"]["arxiv"]) == ("attention is all you need", "1706.03762")
    assert "same title and authors" in first["reasons"][0]


def test_merged_records_can_be_read_again(run: Run, tmp_path: Path) -> None:
    """In every format, with tags and summaries; `jsonl` has the fields of the input; what is merged needs no note."""
    once = run("dedupe", "-", "--format", "jsonl", stdin=LINES).stdout
    assert [json.loads(line)["id"] for line in once.splitlines()] == ["a", 3, "y"]
    assert '"id": "é\\u202e"' in run("dedupe", "-", "--format", "jsonl", stdin='{"id": "é\u202e", "title": "x"}').stdout
    again = run("dedupe", "-", "-o", str(tmp_path / "out.jsonl"), stdin=once)
    assert (again.stdout, again.stderr) == ("", "goldpan: stdin: 3 records of 3 papers\n")
    assert (tmp_path / "out.jsonl").read_text() == once
    for form, target in (("ris", str(tmp_path / "out.ris")), ("csl-json", str(tmp_path / "out.json"))):
        assert run("dedupe", "-", "--format", form, "-o", target, stdin=LINES).exit_code == 0
        read = run("dedupe", target, "--format", "jsonl")
        first = json.loads(read.stdout.splitlines()[0])
        assert read.stderr.endswith("3 records of 3 papers\n")
        assert (first["title"].lower(), first["authors"][1]) == ("attention is all you need", "Noam Shazeer")
        assert (first["tags"], first["summary"].split()) == (["nlp", "attention"], ["Read", "twice."])


def test_a_cleaned_bibliography_keeps_the_preferred_entries(run: Run, tmp_path: Path) -> None:
    """Their keys and fields as they were, with the identifiers and the key of the other entry; comments stay."""
    source, target = tmp_path / "in.bib", tmp_path / "out.bib"
    source.write_text(BIBLIOGRAPHY)
    assert groups(run("dedupe", str(source)).stdout) == [["preprint", "short", "Vaswani17"], ["godel"]]
    assert run("dedupe", str(source), "--output", str(target)).exit_code == 0
    before, after = (bibtexparser.parse_string(path.read_text()) for path in (source, target))
    assert [entry.key for entry in after.entries] == ["Vaswani17", "godel"]
    for entry in after.entries:
        kept = {field.key: field.value for field in before.entries_dict[entry.key].fields}
        assert kept.items() <= {field.key: field.value for field in entry.fields}.items()
    added = {field.key: field.value for field in after.entries[0].fields}
    assert (added["ids"], added["eprint"], added["booktitle"]) == ("preprint, short", "1706.03762", "Advances in NIPS")
    assert "% a comment" in target.read_text()
    assert run("dedupe", "-", "--format", "bibtex", stdin=BIBLIOGRAPHY).stdout == target.read_text()
    source.write_bytes("@article{a, title={Café}}".encode("latin-1"))
    latin = run("dedupe", str(source))
    assert ("Café" in latin.stdout, "in.bib: not UTF-8, so read as Latin-1" in latin.stderr) == (True, True)
    source.write_bytes("@article{a, title={Café}}".encode("utf-16"))
    assert "Café" in run("dedupe", str(source)).stdout
    made = bibtexparser.parse_string(run("dedupe", "-", "--format", "bibtex", stdin=LINES).stdout)
    assert next(entry.key for entry in made.entries) == "Vaswani2017Attention"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("in.jsonl", LINES + "{oops}", "in.jsonl line 8: Invalid JSON"),
        ("in.jsonl", '\n{"titel": "x"}', "in.jsonl line 2: titel: unknown field; is title meant?"),
        ("in.jsonl", '{"abbstrat": "x"}', "line 1: abbstrat: unknown field; is abstract meant?"),
        ("in.json", '[{"year": 2020}]', "in.json paper 1: a title or an identifier such as doi is required"),
        ("in.jsonl", " \n", "in.jsonl: has no records"),
        ("in.txt", "@article[a]\n", "in.txt line 1: Invalid JSON"),
        ("in.jsonl", "@article{a, title={x}}", "in.jsonl line 1: Invalid JSON"),
        ("in.bib", "\n@article{a, title={x\n@book{b, title={y}}", "in.bib line 2: Unexpected block start"),
        ("in.bib", "@article{a, title={x}, title={y}}", "line 1: an entry has a field more than once: title"),
        ("in.bib", "@article{a, title={" + "{" * 9000 + "}" * 9000 + "}}", "line 1: LaTeX that is nested too deeply"),
        ("in.bib", None, "in.bib: No such file"),
    ],
)  # fmt: skip
def test_a_wrong_input_is_named_with_its_line(
    run: Run, tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    """In one line; nothing is written, and the output stays as it was."""
    source, target = tmp_path / name, tmp_path / "out.json"
    if content is not None:
        source.write_bytes(content.encode("utf-8", "surrogateescape"))
    target.write_text("old")
    said = refused(run("dedupe", str(source), "-o", str(target)))
    assert (message in said, said.count("\n"), target.read_text()) == (True, 1, "old")
    assert {path.name for path in tmp_path.iterdir()} <= {name, "out.json"}


@pytest.mark.parametrize(
    ("lines", "ids", "messages"),
    [
        ('{"id": 2, "title": "x"}\n{"title": "y"}\n', [[2], ["2-2"]],
         ("ids that several records have, renamed: 2 to 2-2", "line 2: id: '2' is already that of line 1")),
        ('{"id": "a", "title": "x"}\n{"id": "a-2", "title": "y"}\n{"id": "a", "title": "z"}\n{"id": "a", "title": "w"}',
         [["a"], ["a-2"], ["a-3"], ["a-4"]], ("renamed: a to a-3, a to a-4", "line 3: id: 'a'")),
        ("@article{a, title={x}, doi={10.1000/a}}\n@article{a, title={y}, doi={10.1000/a}}\n", [["a", "a-2"]],
         ("ids that several records have, renamed: a to a-2", "line 2: id: 'a' is already that of line 1")),
        ('{"id": 1, "title": "x", "year": 41}', [[1]],
         ("fields ignored for an invalid value, with the number of their records: year (1)", "line 1: year: ")),
    ],
)  # fmt: skip
def test_one_fault_of_a_record_costs_that_field_alone(
    run: Run, lines: str, ids: list[list[object]], messages: tuple[str, str]
) -> None:
    """A note says so; `--strict` refuses the file."""
    result = run("dedupe", "-", stdin=lines)
    assert (result.exit_code, groups(result.stdout), messages[0] in result.stderr) == (0, ids, True)
    assert messages[1] in refused(run("dedupe", "-", "--strict", stdin=lines))


def test_the_kept_entry_gets_the_fields_that_it_lacks(run: Run) -> None:
    """From entries of its type and year; a preprint has no pages of the article."""
    people = "title = {Deep residual learning for images}, author = {He, Kaiming and Sun, Jian}"
    lines = (
        f"@article{{a, {people}, year = 2016, doi = {{10.1/a}}, Journal = {{J}}, abstract = {{Nets.}}}}\n"
        f"@article{{b, {people}, year = 2016, volume = 7, pages = {{1--9}}}}\n"
        f"@misc{{c, {people}, year = 2015, eprint = {{1512.03385}}, archivePrefix = {{arXiv}}, note = {{draft}}}}\n"
        f"@article{{d, {people}, year = 2015, month = may}}\n"
        f"@book{{e, {people}, year = 2016, edition = 2}}\n@article{{f, {people}, year = 2016, journal = {{K}}}}\n"
    )
    kept = bibtexparser.parse_string(run("dedupe", "-", "--format", "bibtex", stdin=lines).stdout).entries
    fields = {field.key: field.value for field in kept[0].fields}
    assert [entry.key for entry in kept] == ["a"]
    assert {"volume": "7", "pages": "1--9", "eprint": "1512.03385", "doi": "10.1/a"}.items() <= fields.items()
    assert {"note", "month", "edition", "journal"}.isdisjoint(fields)
    assert fields["ids"] == "b, c, d, e, f"


def test_a_crossref_leads_to_an_entry_that_is_kept(run: Run) -> None:
    """Which stands behind those that have it, as BibTeX needs."""
    volume = ", title = {Proceedings of the 12th Symposium on Graphs}, year = 2017}\n"
    lines = f"@book{{a{volume}@inbook{{c, title = {{On foo}}, crossref = {{b}}}}\n@book{{b{volume}"
    child, kept = bibtexparser.parse_string(run("dedupe", "-", "--format", "bibtex", stdin=lines).stdout).entries
    assert (child["crossref"], kept.key) == ("a", "a")


def test_a_report_for_people_names_the_records_and_the_reason(run: Run) -> None:
    """Of what is there more than once, without terminal commands of the file."""
    lines = '{"id": "a\\u001b[31m", "title": "x"}\n{"id": "b", "title": "x"}\n{"title": "y"}'
    expected = "x (no year)\n  records: a, b\n  because: same record\n\n2 papers, 1 record more than that\n"
    assert run("dedupe", "-", "--format", "report", stdin=lines).stdout == expected


def test_what_is_left_out_is_counted(run: Run) -> None:
    """A field that misspells none, one whose like is given or is further off, and an identifier that is none."""
    lines = '{"title": "x", "color": 1, "titles": 2, "tittel": 3, "doi": "N/A"}\n{"title": "y", "color": 1}'
    assert run("dedupe", "-", stdin=lines).stderr.splitlines() == [
        "goldpan: stdin: unknown fields ignored, with the number of their records: color (2), titles (1), tittel (1)",
        "goldpan: stdin: identifiers ignored that are none, with the number of their records: doi (1)",
        "goldpan: stdin: 2 records of 2 papers",
    ]


def test_the_output_is_named_if_it_cannot_be_written(run: Run, tmp_path: Path) -> None:
    """A full disk, a missing folder, and the input itself; a format that is unknown."""
    source = tmp_path / "in.jsonl"
    source.write_text(LINES)
    reading, writing = os.pipe()
    assert run("dedupe", str(source), "--output", f"/dev/fd/{writing}").exit_code == 0
    assert b'{"groups": [' in os.read(reading, 1_000), "as of `--output >(program)`"
    for target, message in (
        ("/dev/full", "/dev/full: No space left on device"),
        (str(tmp_path / "out.bib.gz"), "out.bib.gz: an output is not compressed; leave out .gz"),
        (str(tmp_path / "no" / "out"), "out: No such file or directory"),
        (str(source), "in.jsonl: input and output are the same file"),
    ):
        assert message in refused(run("dedupe", str(source), "-o", target))
    assert "did you mean bibtex?" in run("dedupe", str(source), "--format", "bibtx").stderr
    assert source.read_text() == LINES


def test_python_has_the_same_groups() -> None:
    """Of mappings and papers; a record without an id has its place, and a wrong one is named."""
    found = goldpan.dedupe([*RECORDS[:3], Paper(source="x", title="Turing machines", year=1936)])
    assert [group.members for group in found][:2] == [("a", 3), (2,)]
    assert found[0].merged.paper.ids.arxiv == "1706.03762"
    with pytest.raises(InvalidRequest, match="records: record 2: titel: unknown field; is title meant"):
        goldpan.dedupe([{"title": "x"}, {"titel": "y"}])
