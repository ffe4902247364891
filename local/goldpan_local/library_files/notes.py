"""Reads a note in Markdown or plain text: its title, its tags, the facts of its front matter, and its text."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from goldpan.kinds.papers.input_files.input_record import ALIASES, FIELDS, MAX_TAGS, known_fields
from goldpan.kinds.papers.sources.library.models import LibraryPaper

from goldpan_local.files import MAX_NOTE_BYTES
from goldpan_local.library_files.records import Reading, make_library_paper

MAX_CHARS = 64 * 1024
_BLOCK = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_UNKNOWN = (None, "", "~", "null", "Null", "NULL")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<atx>\S.*)$|^(?P<setext>\S.*)\n=+[ \t]*$", re.MULTILINE)
_CODE = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?(?:^(?P=fence)|\Z)|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_TAG = re.compile(r"(?<![^\s(\[,;])#(?P<tag>[\w/-]*[^\W\d][\w/-]*)")


def split_front_matter(note: str) -> tuple[dict[str, object], str]:
    """Return the fields of the front matter, whose values are texts, lists and objects of texts, and the text.

    Every scalar stays the text that was written: YAML would read the arXiv id 2401.12340 as the number 2401.1234.
    Raises `ValueError` that describes what is wrong.
    """
    block = _BLOCK.match(note)
    if block is None:
        return {}, note
    if len(block[1]) > MAX_CHARS:
        raise ValueError(f"front matter: longer than {MAX_CHARS // 1024} KiB")
    import yaml  # noqa: PLC0415 - for notes with front matter only

    try:
        # Not CBaseLoader, which is ten times faster, but crashes the process at 60,000 open brackets.
        parsed = yaml.load(block[1], Loader=yaml.BaseLoader)  # noqa: S506 - the one loader that makes texts alone
    except yaml.MarkedYAMLError as error:
        line = f" at line {error.problem_mark.line + 2}" if error.problem_mark else ""
        raise ValueError(f"front matter: {error.problem}{line}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"front matter: {' '.join(str(error).split())}") from error
    fields = {} if parsed in _UNKNOWN else parsed
    if not isinstance(fields, dict):
        raise ValueError("front matter: fields such as `title: Notes` are required")  # noqa: TRY004 - the input is wrong
    known = {str(name): _checked(str(name), value) for name, value in fields.items() if value not in _UNKNOWN}
    return known, note[block.end() :]


def _checked(name: str, value: object) -> object:
    """Return a value that is not nested deeper than its field is; aliases of YAML could make it grow without end."""
    if name not in FIELDS and name not in ALIASES:  # its name alone is read
        return value
    inner = value if isinstance(value, list) else [value]
    parts = [part for each in inner for part in (each.values() if isinstance(each, Mapping) else [each])]
    if all(isinstance(part, str) for part in parts):
        return [each for each in inner if each not in _UNKNOWN] if isinstance(value, list) else value
    raise ValueError(f"front matter: {name}: must be a text or a list of texts")


def read_note(path: Path, note_id: str, reading: Reading) -> LibraryPaper:
    """Read a note. Raises `InvalidRequest`, or `ValueError` that describes why it is left out, such as no text."""
    note = reading.text(path, MAX_NOTE_BYTES).replace("\r\n", "\n").replace("\r", "\n")
    fields, text = split_front_matter(note)
    known = known_fields(fields, reading.counts, "front matter: ")
    without_code = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)  # a # in code is no heading or tag
    heading = _HEADING.search(without_code)
    if "title" not in known:
        known["title"] = (
            _title(heading["atx"] or heading["setext"])
            if heading
            else os.fsencode(path.stem).decode("utf-8", "replace")
        )
        if heading and not text[: heading.start()].strip():
            text = text[heading.end() :]
    text = text.strip()
    if not text and not fields and heading is None:
        raise ValueError("is empty")
    summary = known.get("summary")
    known["summary"] = "\n\n".join(each for each in (summary if isinstance(summary, str) else "", text) if each)
    paper = make_library_paper(known, note_id, reading.counts)
    tags = (match["tag"].strip("/-") for match in _TAG.finditer(without_code))  # such as #retrieval or #nlp/parsing
    return paper.model_copy(update={"tags": tuple(dict.fromkeys([*paper.tags, *tags]))[:MAX_TAGS]})


def _title(heading: str) -> str:
    """Return a heading without the marks that may close it, which a space separates: "C#" keeps its own."""
    line = heading.rstrip()
    unmarked = line.rstrip("#")
    return unmarked.rstrip() if unmarked[-1:].isspace() else line
