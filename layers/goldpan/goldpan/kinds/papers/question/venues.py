"""Recognize venues: "at NeurIPS", "in Nature", "ICML papers", "published in the Journal of ..." (venues.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from goldpan.kinds.papers.names import is_venue
from goldpan.kinds.papers.question.reading import PaperSpan

_IN = (
    r"(?:(?i:published|presented|accepted|appeared|appearing)\s+)?(?:(?i:in|at|from|@|on|to|venue:|journal:|of))\s*"
    r"(?:the\s+)?(?:journal\s+)?"
)
_AFTER = r"\s+(?i:papers?|articles?|publications?|proceedings|tutorials?|workshops?|best\s+papers?|journal)"
_JOURNAL = re.compile(
    r"(?<![\w-])(?i:published\s+in|in|at|from)\s+(?:the\s+)?(?P<name>(?:(?:Journal|Proceedings|Transactions|Annals|Review|Reviews"
    r"|International\s+Journal|[A-Z][\w-]+\s+(?:Journal|Conference|Symposium|Review|Letters))\b)(?:\s+(?:of|on|the|and|for|in|&)"
    r"(?=\s)|\s+[A-Z][\w-]*)*)"
)
_PUBLISHER = re.compile(
    r"(?<![\w-])(?:(?i:published\s+in|in|at|from)\s+)?(?:the\s+)?(?P<name>(?:IEEE|ACM|SIAM|AMS)(?:/(?:IEEE|ACM))?\s+"
    r"(?:Transactions|Journal|Letters|Magazine)(?:\s+(?:of|on|the|and|for|in|&)(?=\s)|\s+[A-Z][\w-]*)*)"
)
_ABBREVIATED = re.compile(
    r"(?:(?<![\w-])(?i:published\s+in|in|at|from)\s+(?:the\s+)?|,\s*|^)(?P<name>(?:[A-Z][\w&-]*\.?\s+){1,6}[A-Z][\w&-]*\.?)(?![\w-])"
)
_ABBREVIATIONS = frozenset(
    "J. Jour. Proc. Trans. Rev. Lett. Ann. Commun. Bull. Conf. Symp. Mag. Arch. Adv. Int.".split()  # noqa: SIM905
)
"""Words of abbreviated venues (ISO 4) that are no initials of people but for the first."""
_PLACE = re.compile(r"\b(?:in|at|from)\s+(?:the\s+)?$|\b(?:or|nor)\s+$", re.IGNORECASE)
MAX_SHORT = 3
"""Letters of an abbreviation that means other things too, and counts as an ordinary word."""
UNMISTAKABLE = frozenset({"Nature", "Science", "Cell"})
"""Ordinary words that name a journal wherever they have a capital after "in"; others need "published in"."""


@dataclass(frozen=True)
class Venues:
    """The known venues by each of their names in lower case, and the patterns that find them."""

    by_name: dict[str, str]
    names: dict[str, tuple[str, ...]]
    anywhere: re.Pattern[str]
    ordinary: re.Pattern[str]
    dated: re.Pattern[str]
    """A venue with its year: "PRL 2021"."""
    at: re.Pattern[str]
    """A venue after "in", in any letter case, where it is refused."""
    at_any_place: re.Pattern[str]
    further: re.Pattern[str]
    """Another venue after one: "in Cell and Nature"."""


@cache
def venues() -> Venues:
    """Return the table; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("venues.toml").read_text("utf-8"))
    names: dict[str, tuple[str, ...]] = {}
    for field, table in tables.items():
        for line in re.split(r"[\n;]", table["names"]) if field == "ordinary" else table["names"].splitlines():
            name, _, further = line.partition("=")
            if name.strip():
                names[name.strip()] = tuple(one.strip() for one in further.split(",") if one.strip())
    by_name = {text.casefold(): name for name, further in names.items() for text in (name, *further)}
    plain = [line.partition("=")[0].strip() for line in re.split(r"[\n;]", tables["ordinary"]["names"]) if line.strip()]
    texts = [text for name, further in names.items() for text in (name, *further) if text not in plain]
    short = [text for text in texts if len(text) <= MAX_SHORT]
    single, several = (
        [text for text in texts if text not in short and (" " in text) == spaced] for spaced in (False, True)
    )
    strict = _either([*short, *(name for name in plain if name.isupper() or name in UNMISTAKABLE)])
    return Venues(
        by_name,
        names,
        re.compile(
            rf"(?<![\w-])(?:(?:{_IN})?(?P<one>(?i:{_either(single)})|{_either(several)})|{_IN}(?P<several>(?i:{_either(several)})))"
            rf"(?:{_AFTER})?(?![\w-])"
        ),
        re.compile(
            rf"(?<![\w-])(?:{_IN}(?P<in>{strict})(?![\w-])(?!\s+[A-Z](?![A-Z]))|(?P<of>{strict})(?:{_AFTER})(?![\w-])"
            rf"|(?i:published|appeared|appearing)\s+in\s+(?:the\s+)?(?:journal\s+)?(?P<journal>{_either(plain)})(?![\w-]))"
        ),
        re.compile(rf"(?<![\w-])(?P<name>{strict})(?=,?\s*(?:(?:19|20)\d\d|'\d\d)(?![\w-]))"),
        re.compile(
            rf"(?:the\s+)?(?P<name>{_either([*single, *several, *short, *plain])})(?:{_AFTER})?(?![\w-])", re.IGNORECASE
        ),
        re.compile(rf"(?P<name>(?i:{_either([*single, *several])})|{strict})(?:{_AFTER})?(?![\w-])"),
        re.compile(rf"(?:\s*,|\s+(?:and|or|&))\s+(?:the\s+)?(?P<name>{strict})(?![\w-])"),
    )


def venue_names(venue: str) -> tuple[str, ...]:
    """Return all known names of a venue, its best known abbreviation first; the name itself if it is not known."""
    name = venues().by_name.get(venue.casefold())
    return (name, *venues().names[name]) if name else (venue,)


class VenueNamed(NamedTuple):
    """A venue that a text names, and where it ends."""

    name: str
    end: int


def venue_at(text: str, start: int) -> VenueNamed | None:
    """Return the venue that is named at a place; a short name that means other things too only after "in"."""
    pattern = venues().at if _PLACE.search(text[:start]) else venues().at_any_place
    match = pattern.match(text, start)
    return VenueNamed(venues().by_name[" ".join(match["name"].split()).casefold()], match.end()) if match else None


def find_venues(text: str, original: str) -> list[PaperSpan]:
    """Find the venues that papers must be published in; `original` has the years that were taken out."""
    found: list[PaperSpan] = []
    for pattern in (_JOURNAL, _PUBLISHER):
        for match in pattern.finditer(text):
            name = re.sub(r"\s+(?:of|on|the|and|for|in|&)$", "", match["name"])
            known = venues().by_name.get(name.casefold(), name)
            one = _found(match.start(), match.start("name") + len(name), known)
            if " " in name and not one.overlaps(found):
                found.append(one)
    found += [
        _found(match.start("name"), match.end(), _known(match["name"]))
        for match in _ABBREVIATED.finditer(text)
        if _abbreviates_venue(match["name"].split())
    ]
    for pattern in (venues().anywhere, venues().ordinary):
        for match in pattern.finditer(text):
            name = next(text for text in match.groups() if text)
            one = _found(match.start(), match.end(), venues().by_name[name.casefold()])
            if not one.overlaps(found):
                found.append(one)
    dated = (match for match in venues().dated.finditer(original) if match[0] == text[match.start() : match.end()])
    others = [_found(match.start(), match.end(), venues().by_name[match["name"].casefold()]) for match in dated]
    found += [one for one in others if not one.overlaps(found)]
    further = ((one.end, venues().further.match(text, one.end)) for one in found)
    more = [_found(end, m.end(), venues().by_name[m["name"].casefold()]) for end, m in further if m]
    return [*found, *(one for one in more if not one.overlaps(found))]


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


def _either(names: list[str]) -> str:
    return "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in sorted(names, key=len, reverse=True))
