"""Writes queries in the Boolean syntax of a source: every concept in one of its wordings, and the filters beside them.

The words of a question are never read as operators or fields: they are lower-case letters and digits (`wording`), while
these sources write their operators in capitals and their fields with a colon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.person_names import divide
from goldpan.kinds.papers.sources.queries import NOTHING_TO_ASK, Asked, Concepts, fit, subject_of, wording
from goldpan.kinds.papers.sources.settings import TITLES

BRACKETS, OR = 2, " OR "
_NO_NAME = re.compile(r"(?<!\w)[-.']|[^\w\s,.'\u2010\u2019-]")
"""Signs that stand in no name."""


@dataclass(frozen=True)
class Syntax:
    """How a source writes a query of at most `longest` characters."""

    source: str
    longest: int
    write_wording: Callable[[str], str]
    """Write one wording: lower-case words between single spaces."""
    write_filters: Callable[[Constraints], Iterable[str]]
    """Write the constraints that the source knows, the most important first."""
    all_of: str = " AND "


def write_query(queries: Sequence[PaperQuery], constraints: Constraints, syntax: Syntax) -> Asked:
    """Write one query for all that any of these matches; the filters may take half of its length.

    Authors are a question on their own; other filters alone would find everything.
    """
    kept, notes = _that_fit(syntax.write_filters(constraints), syntax)
    room = syntax.longest - sum(len(text) + len(syntax.all_of) for text in kept)
    longest = room // len(queries) - len(OR) - 2 * BRACKETS
    parts = [_write_one(query, constraints, syntax, longest) for query in queries]
    texts = list(dict.fromkeys(part.text for part in parts if part.text))
    if not texts and not (kept and constraints.authors):
        return NOTHING_TO_ASK
    subject = any_of([f"({text})" for text in texts] if len(texts) > 1 else texts)
    notes += (note for part in parts for note in part.notes)
    return Asked(syntax.all_of.join([*subject, *kept]), notes=tuple(dict.fromkeys(notes)))


def any_of(texts: Sequence[str]) -> list[str]:
    """Write alternatives as one filter, in a list; no filter without any."""
    found = list(dict.fromkeys(filter(None, texts)))
    return [f"({OR.join(found)})" if len(found) > 1 else found[0]] if found else []


def field(name: str, text: str) -> str:
    """Write that a field has the words of a text, as a phrase; empty if it has none."""
    plain = wording(text)
    return f'{name}:"{plain}"' if plain else ""


def name_and_initial(author: str) -> tuple[str, str]:
    """Split a name into the family name and the first initial: `Guido van Rossum`, `van Rossum, Guido`, `Rossum G`."""
    family, given = map(wording, divide(_NO_NAME.sub(" ", author)))
    return family, given[:1]


def _that_fit(filters: Iterable[str], syntax: Syntax) -> tuple[list[str], list[str]]:
    """Return the filters that fit into half of the length, and a note of the others."""
    kept, dropped, room = list[str](), list[str](), syntax.longest // 2
    for text in filters:
        room -= len(text) + len(syntax.all_of)
        (kept if room >= 0 else dropped).append(text)
    notes = [f"too long for {TITLES[syntax.source]}, searched without: {', '.join(dropped)}"] if dropped else []
    return kept, notes


def _write_one(query: PaperQuery, constraints: Constraints, syntax: Syntax, longest: int) -> Asked:
    def render(concepts: Concepts) -> str:
        groups = [any_of(list(map(syntax.write_wording, wordings))) for wordings in concepts]
        return syntax.all_of.join(text for group in groups for text in group)

    return fit(subject_of(query, constraints), render, longest, TITLES[syntax.source])
