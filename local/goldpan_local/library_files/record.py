"""One record of the user's files: its fields, the paper of the library that it describes, and what was left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from goldpan.engine.unknown_fields import unknown_fields
from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.input_files.author_text import split_authors
from goldpan.kinds.papers.input_files.input_record import (
    LETTERS_AN_EDIT,
    InputCounts,
    InputRecord,
    Text,
    paper_ids,
    paper_type,
    parse_fields,
    require_object,
)
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from pydantic import BeforeValidator

from goldpan_local.paper_files.file_bytes import MAX_FILE_BYTES, read_text

MAX_NAMED = 10
"""Records that were left out and are named."""
ALIASES = {
    "author": "authors", "keywords": "tags", "keyword": "tags", "categories": "tags", "tag": "tags",
    "published": "year", "date": "year", "journal": "venue", "arxiv_id": "arxiv", "link": "url",
}  # fmt: skip
"""Names that other programs give to fields; the field's own name has precedence."""
OTHER_NAMES = ("page", "pages", "time")
"""Names that other programs use, and that are ignored although they are within two edits of a field."""
_YEAR = re.compile(r"(\d{4})(?:-\d\d?(?:-\d\d?.*)?)?", re.DOTALL)
_BETWEEN_TAGS = re.compile(r"\s*[,;]\s*")


class MisspeltFieldError(ValueError):
    """A field within two edits of another one that the record lacks; the file is refused, not the record left out."""


@dataclass
class Reading:
    """The counts of one import; `on_position` is called with the bytes read of the current file."""

    papers: int = 0
    skipped: int = 0
    faults: list[str] = field(default_factory=list)
    """The first records that were left out, each with its file, place and reason."""
    counts: InputCounts = field(default_factory=InputCounts)
    not_utf8: Counter[str] = field(default_factory=Counter)
    """The lines, or texts, of each file that were read as Latin-1."""
    on_position: Callable[[int], None] | None = None

    def text(self, path: Path, max_bytes: int = MAX_FILE_BYTES) -> str:
        """Read a file as text, and count it if it is taken for Latin-1. Raises `InvalidRequest`."""
        text, is_unicode = read_text(path, max_bytes)
        if not is_unicode:
            self.not_utf8[str(path)] += 1
        return text

    def paper(self, path: Path, place: str, make: Callable[[], LibraryPaper]) -> Iterator[LibraryPaper]:
        """Yield the paper of a record; a wrong one is left out. Raises `InvalidRequest` for a misspelt field."""
        try:
            paper = make()
        except MisspeltFieldError as error:
            message = f"{f'{path} {place}'.rstrip()}: {error}"
            raise InvalidRequest(message) from error
        except ValueError as error:
            self.skip(path, place, error)
            return
        self.papers += 1
        yield paper

    def skip(self, path: Path, place: str, fault: object) -> None:
        """Count a record that is left out, and name it if it is among the first."""
        self.skipped += 1
        if len(self.faults) < MAX_NAMED:
            self.faults.append(f"{f'{path} {place}'.rstrip()}: {fault}")

    def notes(self) -> Iterator[str]:
        """Describe what was left out or assumed, a line each."""
        yield from self.faults
        if self.skipped > len(self.faults):
            yield f"and {self.skipped - len(self.faults):,} more records left out"
        for name, texts in self.not_utf8.items():
            yield f"{name}: not UTF-8, so read as Latin-1: {texts:,} {'text' if texts == 1 else 'texts'}"
        yield from self.counts.notes()


def _names(value: object) -> object:
    """Read the authors: a text, or a list of names or of objects with `name`, or with `given` and `family`."""
    if isinstance(value, str):
        return split_authors(value)
    if isinstance(value, list | tuple):
        return [_name(each) if isinstance(each, Mapping) else each for each in value]
    return () if value is None else value


def _name(author: Mapping[str, object]) -> object:
    parts = (author.get("given"), author.get("family"))
    return author.get("name") or " ".join(part for part in parts if isinstance(part, str)) or author


def _tags(value: object) -> object:
    if isinstance(value, str):
        value = _BETWEEN_TAGS.split(value)
    if isinstance(value, list | tuple):
        return [each.strip().removeprefix("#") if isinstance(each, str) else each for each in value]
    return () if value is None else value


class LibraryRecord(InputRecord):
    """The fields of a record of a library: those of `goldpan dedupe`, with a summary and tags."""

    authors: Annotated[tuple[str, ...], BeforeValidator(_names)] = ()
    summary: Text = None
    tags: Annotated[tuple[str, ...], BeforeValidator(_tags)] = ()


KNOWN = (*LibraryRecord.model_fields, *ALIASES, *OTHER_NAMES)


def known_fields(fields: object, counts: InputCounts, place: str = "") -> dict[str, object]:
    """Return the fields that a record can have, by their own names, and count the others.

    `place`, where in the file they stand, begins a message. Raises `MisspeltFieldError`, or `ValueError` for no object.
    """
    given = require_object(fields)
    try:
        own, aliases, unknown = _sorted_names(tuple(given))
    except ValueError as error:
        raise MisspeltFieldError(f"{place}{error}") from error
    counts.unknown_fields.update(unknown)
    known = {name: given[name] for name in own}
    for name in aliases:
        if not known.get(ALIASES[name]):
            known[ALIASES[name]] = year_of(given[name]) if ALIASES[name] == "year" else given[name]
    return known


def make_library_paper(fields: Mapping[str, object], default_id: str, counts: InputCounts) -> LibraryPaper:
    """Make the paper of the known fields of a record. Raises `ValueError` that describes the first fault."""
    record = parse_fields(LibraryRecord, fields)
    ids = paper_ids(record, counts)
    own = [f"{system}:{value}" for system in ("doi", "arxiv", "pmid") if (value := getattr(ids, system))]
    name = next((text for text in (str(record.id or "").strip(), *own) if text), default_id)
    if record.title is None and not (own or record.abstract or record.summary):
        message = "a title, an abstract, a summary or an identifier such as doi is required"
        raise ValueError(message)
    return LibraryPaper(
        id=name,
        title=record.title or name,
        authors=tuple(author for author in record.authors if author.strip()),
        year=record.year,
        venue=record.venue,
        abstract=record.abstract or "",
        summary=record.summary or "",
        tags=tuple(dict.fromkeys(tag for tag in record.tags if tag)),
        url=record.url,
        pdf_url=record.pdf_url,
        ids=ids,
        citations=record.citations,
        type=paper_type(record.type),
        open_access=record.open_access,
    )


def year_of(value: object) -> object:
    """Return the year of a date such as 2024-01-31 or 2024; another value as it is."""
    match = _YEAR.fullmatch(value.strip()) if isinstance(value, str) else None
    return match[1] if match else value


@lru_cache(maxsize=256)
def _sorted_names(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the names that are fields, those that stand for fields, and the unknown ones.

    The records of a file have few sets of names. Raises `ValueError` for a likely misspelling.
    """
    fields = tuple(name for name in names if name in LibraryRecord.model_fields)
    aliases = tuple(name for name in names if name in ALIASES)
    ignored = (name for name in names if name in OTHER_NAMES)
    return fields, aliases, (*unknown_fields(names, KNOWN, LETTERS_AN_EDIT), *ignored)
