"""Groups the records of a caller in Python, and records with their places in a file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from goldpan.errors import InvalidRequest, naming
from goldpan.kinds.papers.deduplication.grouping import Group, Record, deduplicate
from goldpan.kinds.papers.input_files.input_record import InputCounts, make_paper, read_record
from goldpan.kinds.papers.models import Paper


@dataclass(frozen=True)
class ParsedRecord(Record):
    """A record whose key is the id by which the output names it, where it stands ("line 3"), and the user's words."""

    place: str = ""
    tags: tuple[str, ...] = ()
    summary: str | None = None


def dedupe_records(records: Iterable[Mapping[str, object] | Paper]) -> list[Group]:
    """Group records of a caller in Python. Raises `InvalidRequest` that names the first one that is wrong."""
    counts, parsed = InputCounts(), list[ParsedRecord]()
    for place, given in enumerate(records, start=1):
        name = f"record {place}"
        if isinstance(given, Paper):
            parsed.append(ParsedRecord(place, given, place=name))
            continue
        with naming(f"records: {name}", ValueError):
            record = read_record(given, counts)
            paper = make_paper(record, counts)
        parsed.append(ParsedRecord(place if record.id is None else record.id, paper, place=name))
    require_unique("records:", parsed)
    return list(deduplicate(parsed).groups)


def require_unique(name: str, records: Iterable[ParsedRecord]) -> None:
    """Raise `InvalidRequest` that names the first id that two records have; 7 and "7" are one id."""
    places: dict[str, str] = {}
    for record in records:
        before = places.setdefault(str(record.key), record.place)
        if before != record.place:
            raise InvalidRequest(f"{name} {record.place}: id: {str(record.key)[:60]!r} is already that of {before}")
