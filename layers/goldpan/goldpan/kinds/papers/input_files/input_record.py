"""One record of a file of papers: the names of its fields, the paper that they describe, and what was left out."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, get_args

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from goldpan.contracts.validation_errors import describe_requirement
from goldpan.counts import first_named
from goldpan.infra.input_lines import quoted, unknown_fields
from goldpan.kinds.papers import identifiers
from goldpan.kinds.papers.constraints import PaperType, Year
from goldpan.kinds.papers.models import ID_SYSTEMS, PUBLICATION, Paper, PaperIds, Publication, SystemIds
from goldpan.kinds.papers.person_names import join_name, listed, split_authors

SOURCE = "file"
"""The source of a record that names none."""
TYPES = frozenset(get_args(PaperType))
TEXT_LISTS = ("authors", "editors", "organisations", "notices", "tags")
MAX_SHORT, MAX_LONG = 5_000, 8 * 1024 * 1024
"""Characters of a text, and of an abstract or a summary, which may be a whole note."""
MAX_AUTHORS, MAX_TAGS = 20_000, 1_000
FACTS = tuple(name for name in PUBLICATION if name not in TEXT_LISTS)
_YEAR = re.compile(r"(\d{4})(?:-\d\d?(?:-\d\d?.*)?)?", re.DOTALL)
_BETWEEN_TAGS = re.compile(r"\s*[,;]\s*")


def _no_blank(value: object) -> object:
    """Take an empty text for an unknown value, as tables of other programs write it."""
    return None if isinstance(value, str) and not value.strip() else value


def _text(value: object) -> object:
    if isinstance(value, str) and len(value) > MAX_SHORT:
        raise ValueError(f"must have at most {MAX_SHORT:,} characters")
    return str(value) if type(value) is int else _no_blank(value)


def _names(value: object) -> object:
    """Read the authors: a text, or a list of names or of objects with `name`, or with its parts."""
    if isinstance(value, str):
        return split_authors(value)
    if isinstance(value, list | tuple):
        return [_name(each) if isinstance(each, Mapping) else each for each in value]
    return () if value is None else value


def _name(author: Mapping[str, object]) -> object:
    """Read a name in parts, as CSL and Zotero write them; particles begin the family name."""
    particles = (author.get(f"{place}dropping-particle") for place in ("", "non-"))
    family = (*particles, author.get("family") or author.get("lastName"))
    joined = " ".join(part for part in family if isinstance(part, str))
    whole = author.get("name") or author.get("literal")
    return whole or join_name(author.get("given") or author.get("firstName"), joined, author.get("suffix")) or author


def _tags(value: object) -> object:
    if isinstance(value, str):
        value = _BETWEEN_TAGS.split(value)
    if isinstance(value, list | tuple):
        return [each.strip().removeprefix("#") if isinstance(each, str) else each for each in value]
    return () if value is None else value


def _year(value: object) -> object:
    """Return the year of a date such as 2024-01-31 or 2024; another value as it is."""
    match = _YEAR.fullmatch(value.strip()) if isinstance(value, str) else None
    return match[1] if match else _no_blank(value)


Short = Annotated[str, Field(max_length=MAX_SHORT)]
Text = Annotated[Short | None, BeforeValidator(_no_blank)]
LongText = Annotated[Annotated[str, Field(max_length=MAX_LONG)] | None, BeforeValidator(_no_blank)]


class InputIds(SystemIds):
    """The identifiers of a record, in any spelling; a number is one too."""

    model_config = ConfigDict(extra="ignore")

    _written = field_validator(*ID_SYSTEMS, mode="before")(_text)


class InputRecord(InputIds, Publication):
    """The fields of a record; null, an empty text and a field that is left out are unknown."""

    id: Annotated[Short | int | None, BeforeValidator(_no_blank)] = None
    title: Text = None
    authors: Annotated[tuple[Short, ...], Field(max_length=MAX_AUTHORS), BeforeValidator(_names)] = ()
    """A list, or a text such as "A and B", "A; B" or "Last, First, Last, First"."""
    year: Annotated[Year | None, BeforeValidator(_year)] = None
    venue: Text = None
    abstract: LongText = None
    summary: LongText = None
    tags: Annotated[tuple[Short, ...], Field(max_length=MAX_TAGS), BeforeValidator(_tags)] = ()
    url: Text = None
    pdf_url: Text = None
    type: Text = None
    citations: Annotated[int, Field(ge=0)] | None = None
    open_access: bool | None = None
    source: Text = None
    editors: Annotated[tuple[Short, ...], Field(max_length=MAX_AUTHORS), BeforeValidator(_names)] = ()
    organisations: Annotated[tuple[Short, ...], BeforeValidator(_tags)] = ()
    notices: Annotated[tuple[Short, ...], BeforeValidator(_tags)] = ()
    ids: InputIds | None = None
    """Identifiers in an object of their own, as in the results of a search."""

    _facts = field_validator(*FACTS, mode="before")(_text)


FIELDS = tuple(InputRecord.model_fields)
ALIASES = {
    "author": "authors", "keywords": "tags", "keyword": "tags", "categories": "tags", "tag": "tags",
    "published": "year", "date": "year", "journal": "venue", "arxiv_id": "arxiv", "link": "url",
    "number": "issue", "page": "pages", "editor": "editors", "licence": "license",
}  # fmt: skip
"""Names that other programs give to fields; the field's own name has precedence."""
OTHER_NAMES = ("note", "notes", "issued", "edition", "edited", "publish", "course", "links", "theme")
"""Names that other programs use, and that are ignored although they are within two edits of a field."""
LETTERS_AN_EDIT = 3
"""A short name, such as "doi", misspells another one by an edit for each three of its letters: "uuid" is no "pmid"."""


class MisspeltFieldError(ValueError):
    """A field within two edits of another one that the record lacks: the file is wrong, not the record alone."""


@dataclass
class InputCounts:
    """What was left out: the records that have each unknown field, each identifier that is none, each invalid value."""

    unknown_fields: Counter[str] = field(default_factory=Counter)
    invalid_ids: Counter[str] = field(default_factory=Counter)
    invalid_values: Counter[str] = field(default_factory=Counter)
    omit_invalid: bool = False
    """Whether a field with an invalid value is left out and counted; else its record is refused."""

    def notes(self) -> Iterator[str]:
        """Describe what was left out, a line each."""
        for label, counted in (
            ("unknown fields ignored, with the number of their records", self.unknown_fields),
            ("identifiers ignored that are none, with the number of their records", self.invalid_ids),
            ("fields ignored for an invalid value, with the number of their records", self.invalid_values),
        ):
            if counted:
                named = [f"{name} ({records:,})" for name, records in counted.most_common()]
                yield f"{label}: {first_named(named)}"


def known_fields(fields: object, counts: InputCounts, place: str = "") -> dict[str, object]:
    """Return the fields that a record can have, by their own names, and count the others.

    `place`, where in the file they stand, begins a message. Raises `MisspeltFieldError`, or `ValueError` for no object.
    """
    if not isinstance(fields, Mapping):
        message = f"a JSON object is required (given {quoted(fields)})"
        raise ValueError(message)  # noqa: TRY004 - the input is wrong, not the code
    try:
        own, aliases, unknown = _sorted_names(tuple(fields))
    except ValueError as error:
        raise MisspeltFieldError(f"{place}{error}") from error
    counts.unknown_fields.update(unknown)
    known = {name: fields[name] for name in own}
    for name in aliases:
        known[ALIASES[name]] = known.get(ALIASES[name]) or fields[name]
    return known


@lru_cache(maxsize=256)
def _sorted_names(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Sort names into fields, those that stand for fields, and unknown ones. Raises `ValueError` for a misspelling."""
    fields = tuple(name for name in names if name in FIELDS)
    aliases = tuple(name for name in names if name in ALIASES)
    ignored = [name for name in names if name in OTHER_NAMES]
    others = unknown_fields({*names} - {*ignored}, (*FIELDS, *ALIASES), LETTERS_AN_EDIT)
    return fields, aliases, (*others, *ignored)


def read_record(fields: object, counts: InputCounts) -> InputRecord:
    """Parse a record and count its unknown fields. Raises `ValueError` that describes the first fault in one line."""
    record = parse_record(known_fields(fields, counts), counts)
    if record.title is None and not _given_ids(record):
        raise ValueError("a title or an identifier such as doi is required")
    return record


def parse_record(fields: Mapping[str, object], counts: InputCounts) -> InputRecord:
    """Parse the known fields of a record. Raises `ValueError` that describes the first fault in one line."""
    try:
        return InputRecord.model_validate(dict(fields))
    except ValidationError as error:
        wrong = {row["loc"][0] for row in error.errors()}
        if counts.omit_invalid:
            counts.invalid_values.update(map(str, wrong))
            return InputRecord.model_validate({name: fields[name] for name in fields if name not in wrong})
        row = error.errors()[0]
        where = ".".join(str(part) for part in row["loc"] if part not in {"str", "constrained-str", "int"})
        is_no_list = row["loc"][0] in TEXT_LISTS and not row["type"].endswith("too_long")
        wanted = "must be a list of texts, or a text" if is_no_list else describe_requirement(row)
        raise ValueError(f"{where}: {wanted} (given {quoted(row['input'])})") from error


def make_paper(record: InputRecord, counts: InputCounts) -> Paper:
    """Make the paper of a record; an identifier that is none is left out and counted."""
    facts = paper_facts(record, counts)
    source = {"source": record.source or SOURCE, "title": record.title or "", "abstract": record.abstract}
    return Paper.model_validate(source | facts)


def paper_facts(record: InputRecord, counts: InputCounts) -> dict[str, object]:
    """Return what a paper is beside its texts; an identifier that is none is left out and counted."""
    ids: dict[str, str] = {}
    for system, written in _given_ids(record).items():
        if normal := identifiers.NORMALISERS[system](written) if system in identifiers.NORMALISERS else written:
            ids[system] = normal
        else:
            counts.invalid_ids[system] += 1
    copied = ("year", "venue", "url", "pdf_url", "citations", "open_access", *PUBLICATION)
    name = (record.type or "").strip().lower()
    return {field: getattr(record, field) for field in copied} | {
        "authors": listed(record.authors),
        "editors": listed(record.editors),
        "ids": PaperIds.model_validate(ids),
        "type": name if name in TYPES else None,  # other vocabularies say nothing that is compared
    }


def _given_ids(record: InputRecord) -> dict[str, str]:
    places = [record.ids, record] if record.ids else [record]
    return {name: value for place in places for name in ID_SYSTEMS if (value := getattr(place, name))}
