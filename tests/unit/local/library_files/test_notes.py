"""Notes in Markdown or plain text, and what is read of a PDF within a bound of time."""

from pathlib import Path

import pytest
from goldpan.errors import InvalidRequest
from goldpan_local.library_files import pdf_files

from tests.support.pdf import make_pdf
from tests.unit.local.library_files.conftest import read


@pytest.mark.parametrize(
    ("text", "title", "summary"),
    [
        ("---\ntitle: Given\n---\n# Heading\ntext", "Given", "# Heading\ntext"),
        ("\n## C# ##\r\n\r\ntext\r\n", "C#", "text"),
        ("Over\n====\ntext", "Over", "text"),
        ("```sh\n# no heading\n```", "my note", "```sh\n# no heading\n```"),
        ("plain text", "my note", "plain text"),
        ("---\n---\r\nplain\rtext", "my note", "plain\ntext"),
        ("---\nsummary: Mine.\nvenue: ~\n---\nintro\n\n# Late", "Late", "Mine.\n\nintro\n\n# Late"),
    ],
)
def test_a_note_has_a_title_and_its_text(text: str, title: str, summary: str, tmp_path: Path) -> None:
    """The title is that of the front matter, else the first heading, else the name of the file."""
    [paper], _ = read(tmp_path / "my note.md", text)
    assert (paper.title, paper.summary) == (title, summary)


def test_front_matter_gives_the_facts_of_a_note(tmp_path: Path) -> None:
    """An arXiv id keeps its last 0; tags of the text are added, no code and no colour; a misspelt field is named."""
    text = """---
authors: [{given: Ada, family: Lovelace}, Kurt Gödel, ~]
year: 2024
arxiv: 2401.12340
doi:
venue: ~
tags: [nlp, "#ai"]
menu: {main: {weight: 10}}
lang: en
uuid: 1b
---
About #retrieval/ and (#cs/lang), #12, C#, https://x.org/#part, `#code`.
"""
    [paper], _ = read(tmp_path / "note.md", text)
    assert (paper.authors, paper.year, paper.ids.arxiv) == (("Ada Lovelace", "Kurt Gödel"), 2024, "2401.12340")
    assert paper.tags == ("nlp", "ai", "retrieval", "cs/lang")
    assert (paper.venue, paper.ids.doi) == (None, None)
    [many], _ = read(tmp_path / "note.md", " ".join(f"#t{number}" for number in range(1200)))
    assert len(many.tags) == 1000
    with pytest.raises(InvalidRequest, match=r"note\.md: front matter: autors: unknown field; is authors? meant\?"):
        read(tmp_path / "note.md", text.replace("authors", "autors"))


@pytest.mark.parametrize(
    ("front_matter", "fault"),
    [
        ("a: b\nc: d\ntitle: [", "front matter: .* at line 5"),
        ("a: &a [x, x]\ntags: [*a, *a]", "front matter: tags: must be a text or a list of texts"),
        ("[" * 1_000, "front matter: "),
        ("year: soon", "year: must be a whole number"),
        ("just text", "front matter: fields such as"),
        ("x: " + "y" * 66_000, "front matter: longer than 64 KiB"),
    ],
)
def test_a_note_with_wrong_front_matter_is_left_out(front_matter: str, fault: str, tmp_path: Path) -> None:
    """YAML that would grow without end, or that is nested too deeply, does no harm."""
    papers, reading = read(tmp_path / "note.md", f"---\n{front_matter}\n---\ntext")
    assert (papers, reading.skipped) == ([], 1)
    with pytest.raises(ValueError, match=f"note.md: {fault}"):
        raise ValueError(*reading.faults)


def test_notes_in_other_encodings_are_read(tmp_path: Path) -> None:
    """A byte order mark names the encoding; else it is read as Latin-1, with a note; binary content is refused."""
    for content, said in (
        ("\ufeffnaïve".encode(), 0), ("naïve".encode("utf-16"), 0), ("naïve, 5 €".encode("cp1252"), 1)
    ):  # fmt: skip
        [paper], reading = read(tmp_path / "note.txt", content)
        assert (paper.summary[:5], len(list(reading.notes()))) == ("naïve", said)
    papers, reading = read(tmp_path / "note.txt", "\n \n")
    assert (papers, reading.faults) == ([], [f"{tmp_path / 'note.txt'}: is empty"])
    with pytest.raises(InvalidRequest, match=r"note\.txt: larger than 8 MiB"):
        read(tmp_path / "note.txt", "x" * (8 * 1024 * 1024 + 1))
    with pytest.raises(InvalidRequest, match=r"note\.txt: not a text file"):
        read(tmp_path / "note.txt", b"%PDF\0\1")


def test_a_pdf_is_its_title_its_identifiers_and_its_pages(tmp_path: Path) -> None:
    """The largest text of the first page is the title of one without."""
    pages = ["Cats of Solitude", "doi:10.1000/cats", "Cats sleep."], ["Dogs bark."]
    [paper], _ = read(tmp_path / "a.pdf", make_pdf(*pages, stamp="arXiv:2103.03404v1 [cs.LG] 5 Mar 2021"))
    assert (paper.title, paper.ids.doi, paper.ids.arxiv) == ("Cats of Solitude", "10.1000/cats", "2103.03404")
    for given in ("Own title", "Microsoft Word - a.doc", "a.tex"):
        [named], _ = read(tmp_path / "a.pdf", make_pdf(*pages, title=given, author="Lovelace, Ada"))
        assert (named.title == given, named.authors) == (given == "Own title", ("Lovelace, Ada",))
    [citing], _ = read(tmp_path / "a.pdf", make_pdf(["My essay", "We cite arXiv:1706.03762 here", "DOI 10.1000/own"]))
    assert (citing.ids.doi, citing.ids.arxiv) == ("10.1000/own", None)
    assert read(tmp_path / "b.pdf", make_pdf(["Cat"]))[0][0].title == "b"
    first, second = paper.summary.split("\f")
    assert ["sleep" in first, "bark" in second] == [True, True]


def test_a_pdf_that_cannot_be_read_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damaged ones, one without text, and one that takes too long: it may name a large page a thousand times."""
    unknown = make_pdf(["Cats"]).replace(b"/Length", b"/Filter /Unknown /Length")
    contents = (b"%PDF-1.4 nonsense", unknown, make_pdf([]))
    damaged, unpacked, empty = (read(tmp_path / "a.pdf", content) for content in contents)
    monkeypatch.setattr(pdf_files, "MAX_SECONDS", -1)
    slow = read(tmp_path / "a.pdf", make_pdf(["Cats in large graphs"], ["More"]))
    faults = (damaged, "not a PDF"), (unpacked, "not a PDF"), (empty, "without text"), (slow, "take longer than")
    for (papers, reading), fault in faults:
        assert (papers, reading.skipped, fault in reading.faults[0]) == ([], 1, True)
