"""The kinds of papers that a question asks for: surveys, preprints, theses; open access, and what changes the order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldpan.kinds.papers.question.reading import PaperSpan, cues, find_cues, strings
from goldpan.question.lexicon import Named

CONTRADICTED = "“{}” is not used: the question asks for such papers too."


def type_at(text: str, start: int) -> Named | None:
    """Return the type of papers that is refused at a place."""
    for section in ("types", "refused_types"):
        for name, pattern in cues(section).items():
            match = pattern.match(text, start)
            if match and not match.groupdict().get("not"):
                return Named(match.end(), name, {"excluded_types": (name,)})
    return None


def find_types(text: str) -> list[PaperSpan]:
    """Find the types of papers that are asked for."""
    found: list[PaperSpan] = []
    for name, match in find_cues("types", text):
        groups = match.groupdict()
        start, end = match.span("type" if "type" in groups else 0)
        one = PaperSpan(start, end, "constraint", f"type {name}", {"types": (name,)})
        if not groups.get("not") and not one.overlaps(found):
            found.append(one)
    return found


def without_contradicting_types(found: Sequence[PaperSpan]) -> list[PaperSpan]:
    """Leave an exclusion unread of what is asked for too, such as "conference papers, no workshop papers"."""
    asked = {name for one in found for name in strings(one, "types")}
    return [
        one.unread(CONTRADICTED.format(one.value)) if asked.intersection(strings(one, "excluded_types")) else one
        for one in found
    ]


def find_access_and_order(text: str) -> list[PaperSpan]:
    """Find open access, the wish for influential or recent work, and what a question cannot set."""
    unread = [PaperSpan(*one.span(), "unread", one[0].strip(), note=note) for note, one in find_cues("unread", text)]
    ordered = [
        PaperSpan(*match.span(), "constraint", f"{name} first", {"preferences": (name,)})
        for name, match in find_cues("preferences", text)
    ]
    return [*unread, *_open_access(text), *(one for one in ordered if not one.overlaps(unread))]


def _open_access(text: str) -> Iterator[PaperSpan]:
    for _, match in find_cues("access", text):
        is_open = bool(match["denied"]) == bool(match["closed"])
        value = "open access" if is_open else "not open access"
        yield PaperSpan(*match.span(), "constraint", value, {"open_access": is_open})
