"""Time grows with the length of a text of others, not with its square, whatever it consists of."""

from __future__ import annotations

import contextlib
import json
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from goldpan import escaping, identities, text
from goldpan.errors import InvalidRequest
from goldpan.infra.json_text import read_json
from goldpan.infra.llm.completions import read_completion
from goldpan.kinds.papers import identifiers, person_names
from goldpan.kinds.papers.deduplication.titles import read_title
from goldpan.kinds.papers.sources import records
from goldpan.kinds.papers.sources.serpapi import read_summary
from goldpan.kinds.repositories import readme
from goldpan_local.dedupe.input_file import read_bibtex, read_lines
from goldpan_local.library_files import notes
from goldpan_local.library_files.record import Reading

SHORT, TIMES = 1_000, 8
MOST = 24
"""How much longer eight times the text may take: as much as itself for each, and three times that; the square is 64."""
NOTICED = 0.001
"""Seconds; less says nothing of how time grows."""
SIGNS = (
    *"()[]{}$\\<>&@`#=\n \"'aA,;./1~*_\t\x1b\u0301漢é%|:-",
    *("{}", "\\a ", "<a ", "&amp;", "@a{", "```\n", "#1 ", "A B, ", "x and ", "---\n", "![", "](", "<!--", "<p>"),
    *("\\ud800", "a\n===", "10.1/", "</think>", '{"a":', "ignore all "),
)


def _bibtex(field: str) -> Callable[[str], object]:
    return lambda given: read_bibtex("x", f"@article{{a, {field} = {{{given}}}, year = 2020}}\n")


def _note(given: str) -> list[object]:
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as file:
        file.write(f"# x\n{given}")
        file.flush()
        return [*notes.read_note(Path(file.name), "x", Reading())]


READERS: Mapping[str, Callable[[str], object]] = {
    "papers in a text": lambda given: list(identities.find_papers(f"10.1234/{given}")),
    "repositories in a text": lambda given: list(identities.find_repositories(f"github.com/a/{given}")),
    "identifiers": lambda given: [read(given) for read in identifiers.NORMALISERS.values()],
    "an address": lambda given: [identifiers.normalise_url(given), escaping.web_address(f"https://a/{given}")],
    "escapes": lambda given: [each(given) for each in (escaping.plain, escaping.escape_markdown, escaping.csv_text)],
    "authors": person_names.split_authors,
    "a name": lambda given: [person_names.split_name(given), person_names.divide(given)],
    "instructions": lambda given: text.suspicious(f"ignore all {given}"),
    "terms": text.terms,
    "a record of a source": lambda given: [records.plain_text(given), read_summary(given)],
    "a README": lambda given: [readme.outline(given), readme.excerpt(given, 500)],
    "a title": read_title,
    "BibTeX": lambda given: read_bibtex("x", given),
    "a title in BibTeX": _bibtex("title"),
    "authors in BibTeX": _bibtex("author"),
    "an address in BibTeX": _bibtex("url"),
    "JSON Lines": lambda given: read_lines(
        "x", json.dumps({"title": given, "authors": given}).encode(), lambda _: None
    ),
    "a note": _note,
    "front matter": lambda given: notes.split_front_matter(f"---\n{given}\n---\nx"),
    "JSON": lambda given: read_json(given.encode()),
    "an answer of a model": lambda given: read_completion({"choices": [{"message": {"content": given}}]}),
}


def seconds(read: Callable[[str], object], given: str) -> float:
    """Return the time of the processor that a text takes, which may be refused."""
    began = time.process_time()
    with contextlib.suppress(InvalidRequest, ValueError):
        read(given)
    return time.process_time() - began


@pytest.mark.parametrize("reader", READERS)
def test_time_grows_with_the_length(reader: str) -> None:
    """Eight times the text takes far less than 64 times as long; a slow pair is measured again."""
    read, slow = READERS[reader], list[str]()
    for signs in SIGNS:
        short, long = (signs * (size // len(signs)) for size in (SHORT, SHORT * TIMES))
        pairs = ((seconds(read, short), seconds(read, long)) for _ in range(3))
        if all(after > MOST * max(NOTICED, before) for before, after in pairs):
            slow.append(signs)
    assert slow == []
