"""Recognize venues: "at NeurIPS", "in Nature", "ICML papers", "published in the Journal of ..." (venues.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from goldpan.kinds.papers.names import is_venue
from goldpan.kinds.papers.question.cues import cue
from goldpan.kinds.papers.question.reading import PaperSpan
from goldpan.question.lexicon import Named

_ABBREVIATIONS = frozenset(
    "J. Jour. Proc. Trans. Rev. Lett. Ann. Commun. Bull. Conf. Symp. Mag. Arch. Adv. Int.".split()  # noqa: SIM905
)
"""Words of abbreviated venues (ISO 4) that are no initials of people but for the first."""
_PLACE = re.compile(r"\b(?:in|at|from)\s+(?:the\s+)?$|\b(?:or|nor)\s+$", re.IGNORECASE)
_FOLLOWED = re.compile(r"\s+[A-Z](?![A-Z])")
_PUBLISHED = ("published", "appear")
MAX_SHORT = 3
"""Letters of an abbreviation that means other things too, and counts as an ordinary word."""
UNMISTAKABLE = frozenset({"Nature", "Science", "Cell"})
"""Ordinary words that name a journal wherever they have a capital after "in"; others need "published in"."""


@dataclass(frozen=True)
class Venues:
    """The known venues, and the pattern that finds them."""

    names: dict[str, tuple[str, ...]]
    """The further names of each."""
    by_name: dict[str, str]
    """The venues by each of their names in lower case."""
    spelled: frozenset[str]
    """All names as they are written."""
    sure: frozenset[str]
    """The names in lower case that mean nothing else."""
    strict: frozenset[str]
    """Names that mean other things too, and count as they are written, after "in" or before "papers"."""
    pattern: re.Pattern[str]

    def named(self, match: re.Match[str]) -> str:
        """Return the venue that a match names."""
        return self.by_name[" ".join(match["name"].split()).casefold()]


@cache
def venues() -> Venues:
    """Return the table; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("venues.toml").read_text("utf-8"))
    names: dict[str, tuple[str, ...]] = {}
    ordinary: set[str] = set()
    for field, table in tables.items():
        for line in re.split(r"[\n;]", table["names"].strip()):
            name, _, further = (part.strip() for part in line.partition("="))
            names[name] = tuple(one.strip() for one in further.split(",") if one.strip())
            ordinary |= {name} if field == "ordinary" else set()
    by_text = {text: name for name, further in names.items() for text in (name, *further)}
    short = {text for text in by_text if len(text) <= MAX_SHORT} - ordinary
    either = "|".join(re.escape(text).replace(r"\ ", " ") for text in sorted(by_text, key=len, reverse=True))
    return Venues(
        names=names,
        by_name={text.casefold(): name for text, name in by_text.items()},
        spelled=frozenset(by_text),
        sure=frozenset(text.casefold() for text in by_text.keys() - short - ordinary),
        strict=frozenset(short | {name for name in ordinary if name.isupper() or name in UNMISTAKABLE}),
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
    name, venue = " ".join(match["name"].split()), venues().named(match)
    is_sure = name.casefold() in venues().sure or name in venues().strict
    return Named(match.end(), venue, {"excluded_venues": (venue,)}) if is_sure or _PLACE.search(text[:start]) else None


def find_venues(text: str, original: str) -> list[PaperSpan]:
    """Find the venues that papers must be published in; `original` has the years that were taken out."""
    found: list[PaperSpan] = []
    for match in cue("venues", "described").finditer(text):
        name = re.sub(r"\s+(?:of|on|the|and|for|in|&)$", "", match["name"])
        if " " in name:
            known = venues().by_name.get(name.casefold(), name)
            found.append(_found(match.start(), match.start("name") + len(name), known))
    found += [
        _found(match.start("name"), match.end(), _known(match["name"]))
        for match in cue("venues", "abbreviated").finditer(text)
        if _abbreviates_venue(match["name"].split())
    ]
    end, place = -1, 0
    while named := venues().pattern.search(text, place):
        follows = end >= 0 and cue("venues", "next").fullmatch(text, end, named.start("name")) is not None
        one = _found(named.start(), named.end(), venues().named(named))
        place = named.start() + 1
        if not one.overlaps(found) and _counts(named, text, original, follows=follows):
            found.append(one)
            end = place = one.end
    return found


def _counts(match: re.Match[str], text: str, original: str, *, follows: bool) -> bool:
    """Report whether the name of a venue means the venue there; `follows` if it stands next to another one."""
    name, lead = " ".join(match["name"].split()), (match["lead"] or "").lower()
    is_spelled = name in venues().spelled
    if name.casefold() in venues().sure:
        return is_spelled or bool(lead) or " " not in name
    if is_spelled and lead.startswith(_PUBLISHED):
        return True
    if name not in venues().strict:
        return False
    dated = cue("venues", "dated").match(original, match.end())
    return bool(match["after"] or follows or dated or (lead and not _FOLLOWED.match(text, match.end())))


def _abbreviates_venue(parts: list[str]) -> bool:
    """Report whether capitalized words abbreviate a venue: "J. Fluid Mech.", "J. ACM", unlike "J. Austen"."""
    if _ABBREVIATIONS.isdisjoint(parts):
        return False
    further = [part for part in parts if len(part.rstrip(".")) > 1]
    return parts[0] != "J." or any(part.endswith(".") or part.isupper() for part in further) or len(further) > 1


def _known(name: str) -> str:
    """Return the name by which a venue is best known, if it is known."""
    plain = " ".join(name.split())
    return next((known for full, known in venues().by_name.items() if " " in full and is_venue(plain, full)), plain)


def _found(start: int, end: int, name: str) -> PaperSpan:
    return PaperSpan(start, end, "constraint", f"in {name}", {"venues": (name,)})
