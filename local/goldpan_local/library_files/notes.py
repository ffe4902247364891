"""Reads a note in Markdown or plain text: its title, its tags, the facts of its front matter, and its text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.sources.library.models import LibraryPaper

from goldpan_local.library_files.content import MAX_NOTE_BYTES, read_text
from goldpan_local.library_files.front_matter import split_front_matter
from goldpan_local.library_files.reading import Reading
from goldpan_local.library_files.record import MisspeltFieldError, known_fields, make_library_paper

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<atx>\S.*)$|^(?P<setext>\S.*)\n=+[ \t]*$", re.MULTILINE)
_CODE = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?(?:^(?P=fence)|\Z)|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_TAG = re.compile(r"(?<![^\s(\[,;])#(?P<tag>[\w/-]*[^\W\d][\w/-]*)")


def read_note(path: Path, note_id: str, reading: Reading) -> Iterator[LibraryPaper]:
    """Read a note; one without text and title is left out. Raises `InvalidRequest` for a misspelt field."""
    text, is_unicode = read_text(path, MAX_NOTE_BYTES)
    if not is_unicode:
        reading.not_utf8[str(path)] += 1
    try:
        paper = _paper(path, note_id, text.replace("\r\n", "\n").replace("\r", "\n"), reading)
    except MisspeltFieldError as error:
        message = f"{path} front matter: {error}"
        raise InvalidRequest(message) from error
    except ValueError as error:
        reading.skip(path, "", error)
        return
    reading.papers += 1
    yield paper


def _paper(path: Path, note_id: str, note: str, reading: Reading) -> LibraryPaper:
    fields, text = split_front_matter(note)
    known = known_fields(fields, reading.counts)
    without_code = _CODE.sub(_blank, text)
    heading = _HEADING.search(without_code)
    if "title" not in known:
        known["title"] = _title(heading["atx"] or heading["setext"]) if heading else _name(path)
        if heading and not text[: heading.start()].strip():
            text = text[heading.end() :]
    text = text.strip()
    if not text and not fields and heading is None:
        raise ValueError("is empty")
    summary = known.get("summary")
    known["summary"] = "\n\n".join(each for each in (summary if isinstance(summary, str) else "", text) if each)
    return _with_tags(make_library_paper(known, note_id, reading.counts), without_code)


def _name(path: Path) -> str:
    return os.fsencode(path.stem).decode("utf-8", "replace")


def _title(heading: str) -> str:
    """Return a heading without the marks that may close it, which a space separates: "C#" keeps its own."""
    line = heading.rstrip()
    unmarked = line.rstrip("#")
    return unmarked.rstrip() if unmarked[-1:].isspace() else line


def _with_tags(paper: LibraryPaper, text: str) -> LibraryPaper:
    """Add the tags that stand in the text, such as #retrieval or #nlp/parsing, to those of the front matter."""
    found = (match["tag"].strip("/-") for match in _TAG.finditer(text))
    return paper.model_copy(update={"tags": tuple(dict.fromkeys([*paper.tags, *found]))})


def _blank(code: re.Match[str]) -> str:
    """Replace code by as many spaces: a # in it is a comment, neither a heading nor a tag."""
    return re.sub(r"[^\n]", " ", code[0])
