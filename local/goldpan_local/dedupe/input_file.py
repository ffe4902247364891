"""Reads the file of `goldpan dedupe`: JSON Lines or BibTeX, by its name or its content; `-` is stdin."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.input_files.groups import ParsedRecord, require_unique
from goldpan.kinds.papers.input_files.input_record import make_paper, parse_line, read_record

from goldpan_local.dedupe.bibtex_file import read_bibtex
from goldpan_local.dedupe.parsed import ParsedFile
from goldpan_local.paper_files.file_bytes import BIBTEX_SUFFIXES, read_bytes, read_stdin

LINES_SUFFIXES = (".jsonl", ".ndjson", ".json")
_ENTRY = re.compile(r"^\s*@\s*\w+\s*[{(]", re.MULTILINE)
COUNT_STEP = 1000
"""Records between two updates of the progress."""


def read_input(path: Path, report: Callable[[int], None]) -> ParsedFile:
    """Read the records of a file, and report their number. Raises `InvalidRequest` that names the file and the line."""
    name = "stdin" if str(path) == "-" else str(path)
    content = (read_stdin() if name == "stdin" else read_bytes(path)).removeprefix(b"\xef\xbb\xbf")
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    if suffixes and suffixes[-1] in LINES_SUFFIXES:
        is_bibtex = False
    else:
        is_bibtex = bool(suffixes and suffixes[-1] in BIBTEX_SUFFIXES) or _looks_like_bibtex(content)
    parsed = read_bibtex(name, _text(content, name)) if is_bibtex else read_lines(name, content, report)
    require_unique(name, parsed.records)
    return parsed


def read_lines(name: str, content: bytes, report: Callable[[int], None]) -> ParsedFile:
    """Parse JSON Lines; blank lines are skipped."""
    parsed = ParsedFile(name, [])
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            record = read_record(parse_line(line), parsed.counts)
            paper = make_paper(record, parsed.counts)
        except ValueError as error:
            message = f"{name} {place}: {error}"
            raise InvalidRequest(message) from error
        parsed.records.append(ParsedRecord(number if record.id is None else record.id, paper, place))
        if len(parsed.records) % COUNT_STEP == 0:
            report(len(parsed.records))
    if not parsed.records:
        message = f"{name}: has no records; one JSON object a line, or BibTeX entries are required"
        raise InvalidRequest(message)
    return parsed


def _looks_like_bibtex(content: bytes) -> bool:
    return content.lstrip()[:1] not in (b"{", b"[") and bool(_ENTRY.search(content.decode("utf-8", "replace")))


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"{name} line {line}: not UTF-8 text: {error.reason}"
        raise InvalidRequest(message) from error
