"""Writes queries in the Boolean syntax of a source: every concept in one of its wordings, within a length.

The words of a question are never read as operators or fields: `goldpan.text.words` leaves lower-case letters and
digits, several of them are quoted as a phrase, and all operators of these sources are written in capitals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from goldpan.errors import Refused
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.settings import TITLES
from goldpan.text import words

Concepts = list[list[str]]
"""Each with its wordings, the best first, as words between single spaces."""


@dataclass(frozen=True)
class Syntax:
    """How a source writes a query."""

    source: str
    max_chars: int
    write_wording: Callable[[str], str]
    """Write one wording, which is words between single spaces."""
    all_of: str = " AND "
    any_of: str = " OR "


@dataclass(frozen=True)
class Written:
    """The text of a query, and what was left out to keep it within the length."""

    text: str
    dropped: tuple[str, ...] = ()


def write_query(queries: Sequence[PaperQuery], filters: Sequence[str], syntax: Syntax) -> Written:
    """Write a query that matches what any of these matches, and the filters, which may take half of the length.

    Raises `Refused` if no word is left to search for.
    """
    kept, dropped = _within(filters, syntax)
    room = syntax.max_chars - sum(len(syntax.all_of) + len(text) for text in kept)
    each = room // len(queries) - len(syntax.any_of) - len("()")
    parts = [_write_concepts(query, syntax, each) for query in queries]
    texts = list(dict.fromkeys(part.text for part in parts if part.text))
    subject = texts[0] if len(texts) == 1 else syntax.any_of.join(f"({text})" for text in texts)
    if len(texts) > 1 and kept:
        subject = f"({subject})"
    text = syntax.all_of.join(filter(None, [subject, *kept]))
    if not text:
        raise Refused(f"no word of the question can be searched for at {TITLES[syntax.source]}")
    return Written(text, (*dropped, *(word for part in parts for word in part.dropped)))


def shortened_notes(written: Sequence[Written], source: str) -> tuple[str, ...]:
    """List a note for each query that was shortened."""
    return tuple(
        f"too long for {TITLES[source]}, searched without: {', '.join(query.dropped)}"
        for query in written
        if query.dropped
    )


def quoted(text: str) -> str:
    """Quote the words of a text as a phrase; empty if it has none."""
    found = " ".join(words(text))
    return f'"{found}"' if found else ""


def _within(filters: Sequence[str], syntax: Syntax) -> tuple[list[str], list[str]]:
    """Return the filters that fit into half of the length, and the others."""
    kept, dropped, room = list[str](), list[str](), syntax.max_chars // 2
    for text in filters:
        room -= len(text) + len(syntax.all_of)
        (kept if room >= 0 else dropped).append(text)
    return kept, dropped


def _write_concepts(query: PaperQuery, syntax: Syntax, room: int) -> Written:
    """Write one query; the source's own text is used as it is, if it fits and its quotes and brackets are closed."""
    own = " ".join(query.texts.get(syntax.source, "").split())
    if own and len(own) + len("()") <= room and _is_closed(own):
        return Written(f"({own})")
    concepts = [found for concept in query.concepts if (found := _wordings(concept))]
    dropped = list[str]()
    while len(_join(concepts, syntax)) > room and concepts:
        dropped.append(_drop_weakest(concepts))
    return Written(_join(concepts, syntax), tuple(dropped))


def _wordings(concept: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(text for wording in concept if (text := " ".join(words(wording)))))


def _drop_weakest(concepts: Concepts) -> str:
    """Drop the last further wording of the last concept that has one, else the last concept or its last word."""
    for concept in reversed(concepts):
        if len(concept) > 1:
            return concept.pop()
    if len(concepts) > 1:
        return concepts.pop()[0]
    kept, _, last = concepts[0][0].rpartition(" ")
    concepts[:] = [[kept]] if kept else []
    return last


def _join(concepts: Concepts, syntax: Syntax) -> str:
    groups = [[syntax.write_wording(wording) for wording in concept] for concept in concepts]
    return syntax.all_of.join(
        group[0] if len(group) == 1 else f"({syntax.any_of.join(group)})" for group in groups
    )


def _is_closed(text: str) -> bool:
    """Whether quotes and brackets are closed, so that nothing of the text reaches the filters beside it."""
    parts = text.split('"')
    outside = "".join(parts[::2])
    depth = 0
    for bracket in outside:
        depth += (bracket == "(") - (bracket == ")")
        if depth < 0:
            return False
    return len(parts) % 2 == 1 and not depth
