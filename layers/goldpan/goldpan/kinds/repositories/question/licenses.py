"""The licences that a question asks for or refuses (licenses.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from goldpan.kinds.repositories.question.wording import is_technical, platform_of

_KIND = r"(?:(?:dual|multi)[\s-]+)?licen[cs]e[ds]?|licensing"
_LEAD = (
    rf"(?:(?:under|with|has|having|using)\s+)?(?:(?:an?|the)\s+)?(?:(?:{_KIND})\s*(?:under|:|is|as)?\s+(?:the\s+)?)?"
)
_CAPITALS = ("MIT", "ISC", "EPL")
_UNKNOWN = frozenset({"NOASSERTION", "OTHER", "CUSTOM"})


@dataclass(frozen=True)
class _Licenses:
    names: dict[str, tuple[str, ...]]
    """All names in lower case, also those of families and the SPDX identifiers."""
    families: frozenset[str]
    each: re.Pattern[str]
    certain: re.Pattern[str]
    with_word: re.Pattern[str]
    """An ambiguous name with a word such as "licensed"."""


class LicensesNamed(NamedTuple):
    """The licences that a text names from a place to another, by their SPDX identifiers, and how they are shown."""

    start: int
    end: int
    ids: tuple[str, ...]
    label: str


def licenses_at(text: str, start: int) -> LicensesNamed | None:
    """Return the licences that a text names at a place."""
    if not _may_name(text[start:]):
        return None
    tables = _licenses()
    for pattern in (tables.with_word, tables.certain):
        match = pattern.match(text, start)
        if match and not (pattern is tables.certain and _is_owner(text, match)):
            return _read(match, tables)
    return None


def find_licenses(text: str) -> list[LicensesNamed]:
    """Find the licences that a text names."""
    found: list[LicensesNamed] = []
    if not _may_name(text):
        return found
    tables = _licenses()
    for pattern in (tables.with_word, tables.certain):
        for match in pattern.finditer(text):
            if pattern is tables.certain and _is_owner(text, match):
                continue
            if all(match.end() <= other.start or other.end <= match.start() for other in found):
                found.append(_read(match, tables))
    return found


def _is_owner(text: str, match: re.Match[str]) -> bool:
    """Report whether capitals are a part of a name, as in "MIT Scheme", unlike in "MIT Go router" and "MIT JSON"."""
    following = re.match(r"\s+([A-Z][\w.+#]*)", text[match.end() :])
    if match["first"] not in _CAPITALS or following is None or platform_of(following[1]) is not None:
        return False
    return not (following[1].isupper() and is_technical(following[1].lower()))


def _read(match: re.Match[str], tables: _Licenses) -> LicensesNamed:
    groups = [text for text in match.groups() if text]
    names = [groups[0], *(name for text in groups[1:] for name in tables.each.findall(text))]
    keys = list(dict.fromkeys(_key(name, tables) for name in names))
    ids = tuple(dict.fromkeys(spdx for name in keys for spdx in tables.names[name]))
    return LicensesNamed(match.start(), match.end(), ids, " or ".join(_label(name, tables) for name in keys))


def _key(name: str, tables: _Licenses) -> str:
    """Return a name as the tables have it: "GPL-3" and "GPLv3" are "gpl 3"."""
    lower = re.sub(r"\s+", " ", name.lower())
    if lower in tables.names:
        return lower
    spaced = re.sub(r"[\s-]*v?\.?(?=\d)", " ", lower, count=1)
    return spaced if spaced in tables.names else spaced.replace("-", " ")


def with_affero(ids: tuple[str, ...]) -> tuple[str, ...]:
    """Add the Affero licence to the GPL: a question that excludes one excludes the stronger one too."""
    return (*ids, "AGPL-3.0") if "GPL-3.0" in ids and "AGPL-3.0" not in ids else ids


def _label(name: str, tables: _Licenses) -> str:
    if name in tables.families:
        return f"{'permissive' if name.startswith(('perm', 'busi', 'comm')) else 'copyleft'} licence"
    ids = tables.names[name]
    return ids[0] if len(ids) == 1 else name.upper() if len(name) <= len("AGPL") else name


def resolve_license(name: str) -> tuple[str, ...]:
    """Return the SPDX identifiers of a licence or a family of licences; empty if it is not known."""
    tables = _licenses()
    return tables.names.get(_key(name.strip(), tables), ())


def license_names() -> tuple[str, ...]:
    """Return the SPDX identifiers, and the names of the families."""
    tables = _licenses()
    return (*dict.fromkeys(spdx for ids in tables.names.values() for spdx in ids), *sorted(tables.families))


def is_known_license(spdx_id: str | None) -> bool:
    """Report whether a repository's licence says anything: GitHub's NOASSERTION does not."""
    return bool(spdx_id) and str(spdx_id).upper() not in _UNKNOWN


def matches_license(spdx_id: str | None, wanted: tuple[str, ...]) -> bool:
    """Report whether a licence is among the wanted ones; "-only" and "-or-later" make no difference."""
    plain = re.sub(r"-(?:only|or-later)$", "", (spdx_id or "").casefold())
    return plain in {re.sub(r"-(?:only|or-later)$", "", name.casefold()) for name in wanted}


@cache
def _names() -> tuple[dict[str, dict[str, tuple[str, ...]]], frozenset[str]]:
    """Return the names by what they are sure of, with their SPDX identifiers, and the words that they begin with."""
    tables = tomllib.loads(Path(__file__).with_name("licenses.toml").read_text("utf-8"))
    names = {
        "families": {name: tuple(tables["families"][family]) for name, family in tables["family_names"].items()},
        "certain": {name: tuple(ids) for name, ids in tables["names"].items()},
        "ambiguous": {name: tuple(ids) for name, ids in tables["ambiguous_names"].items()},
        "spdx": {spdx.lower(): (spdx,) for ids in tables["families"].values() for spdx in ids},
    }
    listed = (re.match(r"[a-z]+|\d+", name) for group in names.values() for name in group)
    return names, frozenset(match[0] for match in listed if match)


def _may_name(text: str) -> bool:
    """Report whether a text may name a licence; the patterns are compiled for such a text only."""
    begins = tuple(_names()[1])
    return any(word.startswith(begins) for word in re.findall(r"[a-z]+|\d+", text.lower()))


@cache
def _licenses() -> _Licenses:
    names, _ = _names()
    families, certain, ambiguous, spdx_ids = names["families"], names["certain"], names["ambiguous"], names["spdx"]
    every = {**spdx_ids, **certain, **ambiguous, **families}
    sure = _either([name for name in {**spdx_ids, **certain} if name not in ambiguous] + list(families))
    anyone = _either(list(every))
    listed = rf"mit(?=\s*(?:,|/|or\b|and\b)\s*(?:{anyone})(?![\w-]))"  # "mit" alone is German
    first = rf"(?P<first>{sure}|(?-i:{'|'.join(_CAPITALS)})|{listed})"
    later = r"(?:\+|(?:\s+|-)(?:or[\s-]+later|or[\s-]+newer|only)(?!\w))?"
    link = r"\s*(?:,\s*(?:or|and|nor)\s|,|/|\b(?:or|and|nor)\b)\s*(?:(?:no|not)\s+)?"
    list_of = rf"((?:{link}(?:{_KIND}\s+)?(?:{anyone})(?![\w-]))+)?"
    version = r"(?:,?\s+(?:version\s+|v\.?\s?)?\d(?:\.\d)?(?![\w.]))?"
    return _Licenses(
        names=every,
        families=frozenset(families),
        each=re.compile(rf"(?<![\w-])(?:{anyone})(?!\w)", re.IGNORECASE),
        certain=re.compile(
            rf"(?<![\w-]){_LEAD}{first}(?!\.\d|[\w-](?!or-|only)){list_of}{later}(?:[\s-](?:{_KIND}))?(?!\w|-free)",
            re.IGNORECASE,
        ),
        with_word=re.compile(
            rf"(?<![\w-])(?:{_LEAD}({anyone}){list_of}[\s-]+(?:{_KIND}){version}|(?:(?:{_KIND})\s*(?:under|is|:|as)?|under)"
            rf"\s+(?:the\s+|an?\s+)?({anyone}){list_of}(?:\s+(?:{_KIND}))?)(?![\w-])",
            re.IGNORECASE,
        ),
    )


def _either(names: list[str]) -> str:
    """Match any of the names; a version may follow a space, a hyphen or "v", as in "GPL-3" and "LGPLv3"."""
    escaped = (re.escape(name) for name in sorted(names, key=len, reverse=True))
    versioned = (re.sub(r"\\ (?=\d)", r"(?:[\\s-]*v|[\\s-]+)\\.?", name) for name in escaped)
    return "|".join(name.replace(r"\ ", r"[\s-]+") for name in versioned)
