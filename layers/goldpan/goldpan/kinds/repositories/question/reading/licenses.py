"""Recognize licences in a question, and compare the licence of a repository with them (licenses.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from goldpan.kinds.repositories.question.reading.parts import Found
from goldpan.kinds.repositories.question.reading.wording import is_technical, platform_of

_KIND = r"(?:(?:dual|multi)[\s-]+)?licen[cs]e[ds]?|licensing"
_NOT = (
    r"(?P<not>\b(?:not|no|non|without|except|(?:anything|any\s+licen[cs]e)\s+(?:but|except|other\s+than)"
    r"|other\s+than|avoid)[\s-]+(?:under\s+|an?\s+|any\s+|the\s+)?|-)?"
)
_BEFORE = (
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
    beside_kind: re.Pattern[str]


def find_licenses(text: str) -> list[Found]:
    """Find the licences that a question asks for or excludes."""
    tables = _licenses()
    found: list[Found] = []
    for pattern in (tables.beside_kind, tables.certain):
        for match in pattern.finditer(text):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            if pattern is tables.certain and _is_owner(text, match):
                continue
            found += _read(match, tables)
    return found


def _is_owner(text: str, match: re.Match[str]) -> bool:
    """Report whether capitals are a part of a name, as in "MIT Scheme", unlike in "MIT Go router" and "MIT JSON"."""
    following = re.match(r"\s+([A-Z][\w.+#]*)", text[match.end() :])
    if match["first"] not in _CAPITALS or following is None or platform_of(following[1]) is not None:
        return False
    return not (following[1].isupper() and is_technical(following[1].lower()))


def _read(match: re.Match[str], tables: _Licenses) -> list[Found]:
    groups = {key: text for key, text in match.groupdict().items() if text and key != "not"}
    listed = [[*tables.each.findall(text)] if key in ("second", "fourth") else [text] for key, text in groups.items()]
    names = [_key(name, tables) for names in listed for name in names]
    free = names[-1] == "free"
    named = [name for name in names if name != "free"]
    ids = tuple(dict.fromkeys(spdx for name in named for spdx in tables.names[name]))
    label = " or ".join(_label(name, tables) for name in named)
    excluded = bool(match["not"]) != free
    fields = {"excluded_licenses" if excluded else "licenses": _with_affero(ids) if excluded else ids}
    kind, value = ("exclusion", f"not {label}") if excluded else ("constraint", label)
    return [Found(match.start(), match.end(), "exclusion" if kind == "exclusion" else "constraint", value, fields)]


def _key(name: str, tables: _Licenses) -> str:
    """Return a name as the tables have it: "GPL-3" and "GPLv3" are "gpl 3"."""
    lower = re.sub(r"\s+", " ", name.lower())
    if lower in tables.names or lower == "free":
        return lower
    spaced = re.sub(r"[\s-]*v?\.?(?=\d)", " ", lower, count=1)
    return spaced if spaced in tables.names else spaced.replace("-", " ")


def _with_affero(ids: tuple[str, ...]) -> tuple[str, ...]:
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
def _licenses() -> _Licenses:
    tables = tomllib.loads(Path(__file__).with_name("licenses.toml").read_text("utf-8"))
    families = {name: tuple(tables["families"][family]) for name, family in tables["family_names"].items()}
    certain = {name: tuple(ids) for name, ids in tables["names"].items()}
    ambiguous = {name: tuple(ids) for name, ids in tables["ambiguous_names"].items()}
    listed = [spdx for ids in tables["families"].values() for spdx in ids]
    spdx_ids = {spdx.lower(): (spdx,) for spdx in listed}
    every = {**spdx_ids, **certain, **ambiguous, **families}
    sure = _either([name for name in {**spdx_ids, **certain} if name not in ambiguous] + list(families))
    capitals = f"(?-i:{'|'.join(_CAPITALS)})"  # "mit" is German
    anyone = _either(list(every))
    later = r"(?:\+|(?:\s+|-)(?:or[\s-]+later|or[\s-]+newer|only)(?!\w))?"
    second = rf"(?P<second>(?:\s*(?:,\s*(?:or|and)\s|,|/|or|and)\s*(?:{_KIND}\s+)?(?:{anyone}))+)?"
    return _Licenses(
        names=every,
        families=frozenset(families),
        each=re.compile(rf"(?<![\w-])(?:{anyone})(?!\w)", re.IGNORECASE),
        certain=re.compile(
            rf"(?<![\w-]){_NOT}{_BEFORE}(?P<first>{sure}|{capitals})(?!\.\d|[\w-](?!free|or-|only))(?:{second}{later}(?:[\s-](?:{_KIND}))?|-(?P<free>free))(?!\w)",
            re.IGNORECASE,
        ),
        beside_kind=re.compile(
            rf"(?<![\w-]){_NOT}(?:"
            rf"{_BEFORE}(?P<first>{anyone}){second}[\s-]+(?:{_KIND})(?:,?\s+(?:version\s+|v\.?\s?)?\d(?:\.\d)?(?![\w.]))?"
            rf"|(?:(?:{_KIND})\s*(?:under|is|:|as)?|under)\s+(?:the\s+|an?\s+)?(?P<third>{anyone})"
            rf"{second.replace('second', 'fourth')}(?:\s+(?:{_KIND}))?"
            rf"|(?P<fifth>{anyone})-(?P<free>free)"
            rf")(?![\w-])",
            re.IGNORECASE,
        ),
    )


def _either(names: list[str]) -> str:
    """Match any of the names; a version may follow a space, a hyphen or "v", as in "GPL-3" and "LGPLv3"."""
    escaped = (re.escape(name) for name in sorted(names, key=len, reverse=True))
    versioned = (re.sub(r"\\ (?=\d)", r"(?:[\\s-]*v|[\\s-]+)\\.?", name) for name in escaped)
    return "|".join(name.replace(r"\ ", r"[\s-]+") for name in versioned)
