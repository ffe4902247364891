"""The searches of a catalogue as conditions of SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.kinds.repositories.sources.catalogue.packed import EPOCH, name_key
from goldpan.text import terms

MATCHING = "texts MATCH ?"
DAY = 86_400
"""Seconds."""
IN = "{} IN (SELECT value FROM json_each(?))"


class Conditions(NamedTuple):
    """A FROM clause, the conditions of WHERE that all hold, and the values of their placeholders."""

    tables: str
    where: list[str]
    values: list[str | int]

    def counted(self) -> Conditions:
        """Return conditions with as many rows: words alone are counted without the repositories, in a tenth."""
        return self._replace(tables="texts") if self.where == [MATCHING] else self


def named(names: Iterable[str]) -> Conditions:
    """Write the condition that a repository has one of some names, whatever their case."""
    tables = "repositories r JOIN names n ON n.id = r.id"
    return Conditions(tables, [IN.format("n.key")], [json.dumps(sorted(map(name_key, names)))])


def compiled(search: RepositorySearch, words: Sequence[str]) -> Conditions:
    """Write the qualifiers of a search and words that are to match as SQL."""
    matched = [f'"{term}"' for word in words for term in terms(word)]
    tables = "texts JOIN repositories r ON r.id = texts.rowid" if matched else "repositories r"
    pattern = (" AND " if search.match == "all" else " OR ").join(matched)
    conditions: list[tuple[str, str | int | None]] = [
        (MATCHING, pattern or None),
        ("r.language = ?", search.language),
        ("(r.stars >= ? OR r.stars IS NULL)", search.stars.min),
        ("(r.stars <= ? OR r.stars IS NULL)", search.stars.max),
        ("(r.created_at >= ? OR r.created_at IS NULL)", _seconds(search.created_after)),
        ("(r.created_at <= ? OR r.created_at IS NULL)", _seconds(search.created_before, DAY - 1)),
        ("(r.pushed_at >= ? OR r.pushed_at IS NULL)", _seconds(search.pushed_after)),
    ]
    conditions += [
        # as a phrase of FTS5
        ("r.id IN (SELECT rowid FROM topics WHERE topics MATCH ?)", '"' + topic.lower().replace('"', '""') + '"')
        for topic in search.topics
    ]
    given = [(condition, value) for condition, value in conditions if value is not None]
    return Conditions(tables, [condition for condition, _ in given], [value for _, value in given])


def _seconds(day: date | None, more: int = 0) -> int | None:
    return DAY * (day - EPOCH.date()).days + more if day else None
