"""The names of the fields of a record, by which other programs write them too, and what of a file was left out."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from goldpan.counts import first_named
from goldpan.infra.input_lines import quoted, unknown_fields
from goldpan.kinds.papers.models import ID_SYSTEMS, PUBLICATION

FIELDS = (
    "id", "title", "authors", "year", "venue", "abstract", "summary", "tags", "url", "pdf_url", "type", "citations",
    "open_access", "source", "ids", *ID_SYSTEMS, *PUBLICATION,
)  # fmt: skip
ALIASES = {
    "author": "authors", "keywords": "tags", "keyword": "tags", "categories": "tags", "tag": "tags",
    "published": "year", "date": "year", "journal": "venue", "arxiv_id": "arxiv", "link": "url",
    "number": "issue", "page": "pages", "editor": "editors", "licence": "license",
}  # fmt: skip
"""Names that other programs give to fields; the field's own name has precedence."""
OTHER_NAMES = ("time", "note", "notes", "issued", "edition")
"""Names that other programs use, and that are ignored although they are within two edits of a field."""
LETTERS_AN_EDIT = 2
"""A short name, such as "doi", misspells another one by an edit for each two of its letters."""
KNOWN = (*FIELDS, *ALIASES, *OTHER_NAMES)


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
    ignored = (name for name in names if name in OTHER_NAMES)
    return fields, aliases, (*unknown_fields(names, KNOWN, LETTERS_AN_EDIT), *ignored)
