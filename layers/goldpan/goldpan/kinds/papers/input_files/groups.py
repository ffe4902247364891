"""Groups parsed records: what `goldpan dedupe` writes and `goldpan.dedupe` returns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.deduplication.grouping import Group, Record, deduplicate
from goldpan.kinds.papers.input_files.input_record import SOURCE, InputCounts, make_paper, read_record
from goldpan.kinds.papers.models import ID_SYSTEMS, PUBLICATION, Paper

TEXT_FIELDS = (
    "title", "authors", "year", "venue", "type", "abstract", "url", "pdf_url", "citations", "open_access",
    *PUBLICATION,
)  # fmt: skip


@dataclass(frozen=True)
class ParsedRecord:
    """A record, the id by which the output names it, and where it stands, such as "line 3"."""

    id: str | int
    paper: Paper
    place: str


class DuplicateGroup(Group):
    """A group whose members are the ids of its records, as plain values."""

    def as_json(self) -> dict[str, object]:
        """Return the group as plain values; `merged` has the fields of the input, and the source of each."""
        merged = self.merged
        made = self.as_record() | {"id": merged.id}  # in the place of the record's
        if len(merged.versions) > 1:
            made["versions"] = [each.model_dump(mode="json", exclude_none=True) for each in merged.versions]
        if merged.sources != (SOURCE,):
            made |= {"sources": list(merged.sources), "provenance": merged.provenance}
        return {"members": list(self.members), "merged": made, "reasons": list(self.reasons)}

    def as_record(self) -> dict[str, object]:
        """Return the merged paper with the fields of the input; its id is that of the first record."""
        paper = self.merged.paper
        facts = {name: getattr(paper, name) for name in TEXT_FIELDS} | {"authors": list(paper.authors)}
        ids = {name: getattr(paper.ids, name) for name in ID_SYSTEMS}
        known = {name: value for name, value in {**facts, **ids}.items() if value not in (None, "", [], ())}
        return {"id": self.members[0], **known}


def group_records(records: Sequence[ParsedRecord]) -> list[DuplicateGroup]:
    """Group the records, each in exactly one group, in the order of the first members."""
    found = deduplicate([Record(record.id, record.paper) for record in records])
    return [DuplicateGroup(**vars(group)) for group in found.groups]


def dedupe_records(records: Iterable[Mapping[str, object] | Paper]) -> list[DuplicateGroup]:
    """Group records of a caller in Python. Raises `InvalidRequest` that names the first one that is wrong."""
    counts, parsed = InputCounts(), list[ParsedRecord]()
    for place, given in enumerate(records, start=1):
        name = f"record {place}"
        if isinstance(given, Paper):
            parsed.append(ParsedRecord(place, given, name))
            continue
        try:
            record = read_record(given, counts)
            paper = make_paper(record, counts)
        except ValueError as error:
            raise InvalidRequest(f"records: {name}: {error}") from error
        parsed.append(ParsedRecord(place if record.id is None else record.id, paper, name))
    require_unique("records:", parsed)
    return group_records(parsed)


def require_unique(name: str, records: Iterable[ParsedRecord]) -> None:
    """Raise `InvalidRequest` that names the first id that two records have; 7 and "7" are one id."""
    places: dict[str, str] = {}
    for record in records:
        before = places.setdefault(str(record.id), record.place)
        if before != record.place:
            raise InvalidRequest(f"{name} {record.place}: id: {str(record.id)[:60]!r} is already that of {before}")
