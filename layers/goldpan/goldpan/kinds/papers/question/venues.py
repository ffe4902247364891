"""Recognize venues: "at NeurIPS", "in Nature", "ICML papers", "published in the Journal of ..."."""

from __future__ import annotations

import re
from functools import cache

from goldpan.kinds.papers.names import is_venue
from goldpan.kinds.papers.question.reading import PaperSpan, cue
from goldpan.kinds.papers.venues import venues
from goldpan.question.lexicon import Named

_PLACE = re.compile(r"\b(?:in|at|from)\s+(?:the\s+)?$|\b(?:or|nor)\s+$", re.IGNORECASE)
_FOLLOWED = re.compile(r"\s+[A-Z](?![A-Z])")


@cache
def _named() -> re.Pattern[str]:
    listed = sorted(venues().tables, key=len, reverse=True)
    return cue("venues", "known", "|".join(re.escape(text).replace(r"\ ", " ") for text in listed))


def venue_at(text: str, start: int) -> Named | None:
    """Return the venue that is named at a place; a short name that means other things too only after "in"."""
    match = _named().match(text, start)
    if match is None:
        return None
    name = " ".join(match["name"].split())
    is_sure = name.casefold() in venues().sure or venues().tables.get(name) == "ordinary"
    venue = venues().name(name)
    return Named(match.end(), venue, {"excluded_venues": (venue,)}) if is_sure or _PLACE.search(text[:start]) else None


def find_venues(text: str, original: str) -> list[PaperSpan]:
    """Find the venues that papers must be published in; `original` has the years that were taken out."""
    found: list[PaperSpan] = []
    for match in cue("venues", "described").finditer(text):
        name = re.sub(r"\s+(?:of|on|the|and|for|in|&)$", "", match["name"])
        if " " in name:
            found.append(_found(match.start(), match.start("name") + len(name), name))
    for match in cue("venues", "abbreviated").finditer(text):
        name = " ".join(match["name"].split())
        full = next((full for full in venues().by_name if " " in full and is_venue(name, full)), name)
        found.append(_found(match.start("name"), match.end(), full))
    end, place = -1, 0
    while named := _named().search(text, place):
        place = named.start() + 1
        follows = end >= 0 and cue("venues", "next").fullmatch(text, end, named.start("name")) is not None
        one = _found(*named.span(), " ".join(named["name"].split()))
        if not one.overlaps(found) and _counts(named, text, original, follows=follows):
            found.append(one)
            end = place = one.end
    return found


def _counts(match: re.Match[str], text: str, original: str, *, follows: bool) -> bool:
    """Report whether the name of a venue means the venue there; `follows` if it stands next to another one."""
    name, lead = " ".join(match["name"].split()), (match["lead"] or "").lower()
    table = venues().tables.get(name)
    if name.casefold() in venues().sure:
        return table is not None or bool(lead) or " " not in name
    if table is None or lead.startswith(("published", "appear")):
        return table is not None
    dated = cue("venues", "dated").match(original, match.end())
    is_placed = match["after"] or follows or dated or (lead and not _FOLLOWED.match(text, match.end()))
    return table == "ordinary" and bool(is_placed)


def _found(start: int, end: int, name: str) -> PaperSpan:
    venue = venues().name(name)
    return PaperSpan(start, end, "constraint", f"in {venue}", {"venues": (venue,)})
