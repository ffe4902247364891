"""Each input grows tenfold until it is refused by its name, within bounds of memory and time: docs/reliability.md."""

import gzip
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.slow.faults.page import PAGE
from tests.support.pdf import make_pdf

BYTES, SECONDS = 3 * 1024**3, 120
"""Of memory and of processor time for one command."""
SHORT = 10**7
"""The short form tries what is refused up to this size, at that size alone."""
XML = "<xml><records><record>{}</record></records></xml>"
ENTRY = '{"title": "x"}\n'


class Input(NamedTuple):
    """What grows, the command that reads it, and how its file is written at a given size."""

    name: str
    command: str
    suffix: str
    write: Callable[[int], str]


def _record(field: str, member: str) -> Callable[[int], str]:
    return lambda size: json.dumps({"title": "x", field: member * (size // len(member))}) + "\n"


def _entry(field: str, member: str, last: str = "") -> Callable[[int], str]:
    return lambda size: f"@article{{k, title = {{x}}, {field} = {{{member * (size // len(member))}{last}}}}}\n"


INPUTS = (
    Input("a text of a record", "dedupe --strict", ".jsonl", _record("venue", "word ")),
    Input("the authors of a record", "dedupe --strict", ".jsonl", _record("authors", "A B; ")),
    Input("the tags of a record", "library import", ".jsonl", _record("tags", "tag, ")),
    Input("the abstract of a record", "library import", ".jsonl", _record("abstract", "word ")),
    Input("the lists of a record", "dedupe", ".jsonl", lambda size: f'{{"title": "x", "x": {"[" * size}{"]" * size}}}'),
    Input("a field of BibTeX", "dedupe", ".bib", _entry("abstract", "{w} $x$ ")),
    Input(
        "the braces of BibTeX", "dedupe", ".bib",
        lambda size: _entry("abstract", "{" * size)(size).replace("}}", "}" * size + "}}"),
    ),
    Input("the authors of BibTeX", "library import", ".bib", _entry("author", "A B and ", "C D")),
    Input("a bibliography", "dedupe", ".bib", lambda size: f"@article{{k, title = {{x}}}}\n{'=' * size}"),
    Input("an index", "library import", ".json", lambda size: f'{{"title": "x", "n": [1{",1" * (size // 2)}]}}'),
    Input("a file that unpacks", "dedupe", ".jsonl.gz", lambda size: ENTRY + f"{' ' * 99}\n" * (size // 100)),
    Input(
        "a title in RIS", "library import", ".ris", lambda size: f"TY  - JOUR\nTI  - {'word ' * (size // 5)}\nER  - \n"
    ),
    Input("references in RIS", "library import", ".ris", lambda size: "TY  - JOUR\nTI  - x\nER  - \n" * (size // 27)),
    Input("a title in nbib", "library import", ".nbib", lambda size: f"PMID- 1\nTI  - {'word ' * (size // 5)}\n"),
    Input(
        "elements of XML", "library import", ".xml",
        lambda size: XML.format("<title>x</title>" + "<a>" * size + "</a>" * size),
    ),
    Input(
        "a title in XML", "library import", ".xml", lambda size: XML.format(f"<title>{'word ' * (size // 5)}</title>")
    ),
    Input("a cell of a table", "library import", ".csv", lambda size: f"Title,DOI\n{'word ' * (size // 5)},\n"),
    Input("a text of a PDF", "library import", ".pdf", lambda size: make_pdf(["x", "word " * (size // 5)]).decode()),
    Input("pages of a PDF", "library import", ".pdf", lambda size: make_pdf(*[["x"]] * (size // 250)).decode()),
    Input("a heading of a note", "library import", ".md", lambda size: f"# {'word ' * (size // 5)}"),
    Input(
        "the front matter of a note", "library import", ".md",
        lambda size: f"---\ntitle: x\n{'# y' * (size // 3)}\n---\n",
    ),
    Input("a note", "library import", ".md", lambda size: "some words\n" * (size // 11)),
    Input(
        "a repository", "catalogue build", ".jsonl",
        lambda size: f'{{"full_name": "a/b", "description": "{"x" * size}"}}',
    ),
)  # fmt: skip


def refusal(each: Input, size: int, folder: Path) -> str:
    """Run the command for an input of that size; return its one line, without the file, or nothing if it was read."""
    file = folder / f"in{each.suffix}"
    content = each.write(size).encode()
    file.write_bytes(gzip.compress(content, 1) if each.suffix.endswith(".gz") else content)
    further = [str(folder / f"{size}.sqlite")] if "build" in each.command else []
    result = subprocess.run(
        [sys.executable, "-m", "goldpan_local", *each.command.split(), str(file), *further],
        env={"HOME": str(folder), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=_bound,
    )
    messages = [line.partition(str(file))[2].lstrip(": ") for line in result.stderr.splitlines() if str(file) in line]
    assert result.returncode in {0, 2}, result.stderr[-2000:]
    return messages[0] if messages and (result.returncode or "left out" in result.stdout) else ""


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def rows() -> dict[str, tuple[int, str]]:
    """Read the size and the message at which the page says that each input is refused."""
    cells = [line.strip("| ").split(" | ") for line in PAGE.read_text("utf-8").splitlines() if line.count(" | ") == 2]
    return {
        row[0]: (int(row[1].replace(",", "")), row[2].removesuffix("...").rstrip())
        for row in cells
        if row[1].replace(",", "").isdecimal()
    }


@pytest.mark.parametrize("each", INPUTS, ids=lambda each: each.name.replace(" ", "-"))
def test_an_input_grows_until_it_is_refused(each: Input, tmp_path: Path) -> None:
    """Every smaller one is read."""
    found = ((10**digits, refusal(each, 10**digits, tmp_path)) for digits in range(3, 10))
    size, message = next((size, message) for size, message in found if message)
    wanted, beginning = rows()[each.name]
    assert (size, message[: len(beginning)]) == (wanted, beginning)


@pytest.mark.short
@pytest.mark.parametrize("each", INPUTS, ids=lambda each: each.name.replace(" ", "-"))
def test_the_refusal_of_the_page(each: Input, tmp_path: Path) -> None:
    """The short form: at the size of the page alone."""
    size, beginning = rows()[each.name]
    if size <= SHORT:
        assert refusal(each, size, tmp_path).startswith(beginning)
