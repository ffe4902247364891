"""Recognize venues: "at NeurIPS", "in Nature", "ICML papers", "published in the Journal of ..." (venues.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from goldpan.kinds.papers.names import is_venue
from goldpan.kinds.papers.question.reading import PaperSpan, cue
from goldpan.question.lexicon import Named

_PLACE = re.compile(r"\b(?:in|at|from)\s+(?:the\s+)?$|\b(?:or|nor)\s+$", re.IGNORECASE)
_FOLLOWED = re.compile(r"\s+[A-Z](?![A-Z])")
_PUBLISHED = ("published", "appear")
_DOUBTFUL = ("ordinary", "published")
"""The tables of the names that mean other things too."""
MAX_SHORT = 3
"""Letters of an abbreviation that means other things too, and counts as an ordinary word."""


@dataclass(frozen=True)
class Venues:
    """The known venues, and the pattern that finds them."""

    names: dict[str, tuple[str, ...]]
    """The further names of each."""
    by_name: dict[str, str]
    """The venues by each of their names in lower case."""
    spelled: dict[str, str]
    """The tables of the names as they are written."""
    sure: frozenset[str]
    """The names in lower case that mean nothing else."""
    pattern: re.Pattern[str]


@cache
def venues() -> Venues:
    """Return the table; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("venues.toml").read_text("utf-8"))
    names: dict[str, tuple[str, ...]] = {}
    spelled: dict[str, str] = {}
    for field, table in tables.items():
        for line in re.split(r"[\n;]", table["names"].strip()):
            name, *further = (part.strip() for part in re.split("[=,]", line))
            names[name] = tuple(further)
            spelled[name] = "ordinary" if len(name) <= MAX_SHORT and field not in _DOUBTFUL else field
            spelled |= {one: "ordinary" if len(one) <= MAX_SHORT else "further" for one in further}
    either = "|".join(re.escape(text).replace(r"\ ", " ") for text in sorted(spelled, key=len, reverse=True))
    return Venues(
        names=names,
        by_name={text.casefold(): name for name, further in names.items() for text in (name, *further)},
        spelled=spelled,
        sure=frozenset(text.casefold() for text, table in spelled.items() if table not in _DOUBTFUL),
        pattern=cue("venues", "known", either),
    )


def venue_names(venue: str) -> tuple[str, ...]:
    """Return all known names of a venue, its best known abbreviation first; the name itself if it is not known."""
    name = venues().by_name.get(venue.casefold())
    return (name, *venues().names[name]) if name else (venue,)


def venue_at(text: str, start: int) -> Named | None:
    """Return the venue that is named at a place; a short name that means other things too only after "in"."""
    match = venues().pattern.match(text, start)
    if match is None:
        return None
    name = " ".join(match["name"].split())
    is_sure = name.casefold() in venues().sure or venues().spelled.get(name) == "ordinary"
    venue = venues().by_name[name.casefold()]
    return Named(match.end(), venue, {"excluded_venues": (venue,)}) if is_sure or _PLACE.search(text[:start]) else None


def find_venues(text: str, original: str) -> list[PaperSpan]:
    """Find the venues that papers must be published in; `original` has the years that were taken out."""
    found: list[PaperSpan] = []
    for match in cue("venues", "described").finditer(text):
        name = re.sub(r"\s+(?:of|on|the|and|for|in|&)$", "", match["name"])
        if " " in name:
            known = venues().by_name.get(name.casefold(), name)
            found.append(_found(match.start(), match.start("name") + len(name), known))
    short = cue("venues", "abbreviated").finditer(text)
    found += [_found(match.start("name"), match.end(), _known(match["name"])) for match in short]
    end, place = -1, 0
    while named := venues().pattern.search(text, place):
        name, place = " ".join(named["name"].split()), named.start() + 1
        follows = end >= 0 and cue("venues", "next").fullmatch(text, end, named.start("name")) is not None
        one = _found(named.start(), named.end(), venues().by_name[name.casefold()])
        if not one.overlaps(found) and _counts(named, name, text, original, follows=follows):
            found.append(one)
            end = place = one.end
    return found


def _counts(match: re.Match[str], name: str, text: str, original: str, *, follows: bool) -> bool:
    """Report whether the name of a venue means the venue there; `follows` if it stands next to another one."""
    lead, table = (match["lead"] or "").lower(), venues().spelled.get(name)
    if name.casefold() in venues().sure:
        return table is not None or bool(lead) or " " not in name
    if table is None or lead.startswith(_PUBLISHED):
        return table is not None
    dated = cue("venues", "dated").match(original, match.end())
    is_placed = match["after"] or follows or dated or (lead and not _FOLLOWED.match(text, match.end()))
    return table == "ordinary" and bool(is_placed)


def _known(name: str) -> str:
    """Return the name by which a venue is best known, if it is known."""
    plain = " ".join(name.split())
    return next((known for full, known in venues().by_name.items() if " " in full and is_venue(plain, full)), plain)


def _found(start: int, end: int, name: str) -> PaperSpan:
    return PaperSpan(start, end, "constraint", f"in {name}", {"venues": (name,)})
