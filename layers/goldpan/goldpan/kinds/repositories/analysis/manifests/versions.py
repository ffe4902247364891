"""Which version of a dependency a manifest names: the exact one, or the lowest that it allows.

A database of vulnerabilities is asked about a version. Where a manifest allows a range, the lowest version of it is the
one that a user may still have; where there is no lowest, such as `*` or `<2`, nothing can be asked.
"""

from __future__ import annotations

import re
from itertools import takewhile

MAX_SPECIFICATION = 200
_BOUND = re.compile(
    r"(?P<operator>[~^<>=!]*)v?(?P<version>\d+(?:\.(?:\d+|[xX*]))*(?:[-+.]?[0-9A-Za-z][0-9A-Za-z.+-]*)?)"
)
_WILD = re.compile(r"\.[xX*](?:\..*)?$")
_SPACE_AFTER_OPERATOR = re.compile(r"(?<=[~^<>=!])\s+")
_LOWER = frozenset({"", "=", "==", "===", ">=", "^", "~", "~>", "~="})
"""The operators of a bound that has a lowest version."""
_EXACT = frozenset({"=", "==", "==="})
THREE_PARTS = frozenset({"npm", "crates.io"})
"""The ecosystems of semantic versions, in which 1.2 means 1.2.0."""
RANGE_WITHOUT_OPERATOR = "crates.io"
"""Where 1.2 means ^1.2; elsewhere a version without an operator is exact."""

LowestVersion = tuple[str, bool] | None
"""The version, and whether it is the only one that is allowed; None if there is no lowest."""


def lowest_version(specification: object, ecosystem: str) -> LowestVersion:
    """Return the lowest version that a range such as `^1.2`, `~> 3.1`, `>=2,<3`, `[1.0,2.0)` or `1 || 2` allows."""
    if not isinstance(specification, str) or len(specification) > MAX_SPECIFICATION:
        return None
    exact = _EXACT if ecosystem == RANGE_WITHOUT_OPERATOR else {*_EXACT, ""}
    found = [_lowest_of(part, exact) for part in specification.split("||")]
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return None
    version, is_exact = min(known, key=_numbers)
    return (_padded(version) if ecosystem in THREE_PARTS else version), is_exact and len(known) == 1


def _lowest_of(part: str, exact: set[str] | frozenset[str]) -> LowestVersion:
    """Return the largest lower bound of one alternative; what follows the first text that is no bound is not read."""
    parts = re.split(r"[\s,]+", _SPACE_AFTER_OPERATOR.sub("", part.strip("[]()'\" ")))
    bounds = takewhile(bool, map(_BOUND.fullmatch, parts))
    lower = [
        (_WILD.sub("", bound["version"]), len(parts) == 1 and bound["operator"] in exact and not _WILD.search(bound[0]))
        for place, bound in enumerate(bounds)
        if bound and bound["operator"] in (_LOWER if place == 0 else _LOWER - {""})
    ]
    return max(lower, key=_numbers, default=None)


def _padded(version: str) -> str:
    """Complete a version to three numbers, before its label."""
    digits = re.split(r"[^\d.]", version)[0].rstrip(".")
    return digits + ".0" * (2 - digits.count(".")) + version[len(digits) :]


def _numbers(found: tuple[str, bool]) -> tuple[int, ...]:
    return tuple(int(part[:9]) for part in re.findall(r"\d+", found[0])[:4])
