"""Records that the tests of the deduplicator are made from."""

from collections.abc import Sequence
from typing import Any

from goldpan.kinds.papers.deduplication.grouping import Deduplicated, Key, Record, deduplicate
from goldpan.kinds.papers.models import Paper, PaperIds

TITLE = "Augmenting large language models with chemistry tools"
AUTHORS = ("Andres M. Bran", "Sam Cox", "Philippe Schwaller")


def record(key: str, title: str = TITLE, ids: dict[str, Any] | None = None, **fields: Any) -> Record:
    """Return a record of a paper with these authors and the year 2020, where nothing else is given."""
    given = {"source": "crossref", "authors": AUTHORS, "year": 2020, **fields}
    return Record(key, Paper(title=title, ids=PaperIds(**(ids or {})), **given))


def partition(found: Deduplicated) -> set[frozenset[Key]]:
    """Return the groups by their keys."""
    return {frozenset(group.members) for group in found.groups}


def groups(*records: Record) -> set[frozenset[Key]]:
    """Return the groups of these records by their keys."""
    return partition(deduplicate(records))


def are_one(*records: Record) -> bool:
    """Return whether all records are one paper."""
    return len(groups(*records)) == 1


def titles_are_one(one: str, other: str, **fields: Any) -> bool:
    """Return whether two titles of the same authors are one paper."""
    return are_one(record("a", one, **fields), record("b", other, **fields))


def all_apart(records: Sequence[Record]) -> bool:
    """Return whether each record is a paper of its own."""
    return len(groups(*records)) == len(records)
