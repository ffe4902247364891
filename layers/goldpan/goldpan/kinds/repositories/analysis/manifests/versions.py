"""Which version of a dependency a manifest names: the exact one, or the lowest that it allows.

A database of vulnerabilities is asked about a version. Where a manifest allows a range, the lowest version of it is the
one that a user may still have; where there is no lowest, such as `*` or `<2`, nothing can be asked.
"""

from __future__ import annotations

import re

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

MAX_SPECIFICATION = 200
_NUMBER = r"v?(?P<number>\d+(?:\.(?:\d+|[xX*]))*(?:[-+.]?[0-9A-Za-z][0-9A-Za-z.+-]*)?)"
_LOWEST = re.compile(rf"(?P<operator>\^|~>|~|>=|==|=)?\s*{_NUMBER}")
_WILD = re.compile(r"\.[xX*].*")
FULL_PARTS = 3
"""The parts of a version in semantic versioning, which some ecosystems may leave out."""
THREE_PARTS = frozenset({"npm", "crates.io"})
"""The ecosystems of semantic versions, in which 1.2 means 1.2.0."""
RANGE_WITHOUT_OPERATOR = "crates.io"
"""Where 1.2 means ^1.2; elsewhere a version without an operator is exact."""

LowestVersion = tuple[str, bool] | None
"""The version, and whether it is the only one that is allowed; None if there is no lowest."""


def lowest_version(specification: object, ecosystem: str) -> LowestVersion:
    """Return the lowest version that a range such as `^1.2`, `~> 3.1`, `>=2 <3` or `1 || 2` allows."""
    if not isinstance(specification, str) or len(specification) > MAX_SPECIFICATION:
        return None
    bare_is_exact = ecosystem != RANGE_WITHOUT_OPERATOR
    found = [_lowest_of(part.strip(), bare_is_exact=bare_is_exact) for part in specification.split("||")]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    version, is_exact = min(known, key=lambda each: _numbers(each[0]))
    return (_padded(version) if ecosystem in THREE_PARTS else version), is_exact and len(known) == 1


def _lowest_of(part: str, *, bare_is_exact: bool) -> LowestVersion:
    """Read one alternative; of several bounds the first one counts, if it is a lower one."""
    match = _LOWEST.match(part.strip("[](),'\" "))
    if match is None:
        return None
    number, rest = match["number"], part[match.end() :].strip("[](),'\" ")
    is_wild = _WILD.search(number) is not None
    operator = match["operator"]
    is_exact = operator in {"=", "=="} or (operator is None and bare_is_exact)
    return _WILD.sub("", number), is_exact and not rest and not is_wild


def lowest_of_pep_440(specifiers: SpecifierSet) -> LowestVersion:
    """Return the lowest version of a Python requirement; a version that only an upper bound limits has none."""
    lowest: list[Version] = []
    is_exact = False
    for each in specifiers:
        if each.operator not in {"==", "===", ">=", "~="}:
            continue
        try:
            lowest.append(Version(each.version.removesuffix(".*")))
        except InvalidVersion:
            continue
        is_exact = is_exact or (each.operator in {"==", "==="} and not each.version.endswith(".*"))
    return (str(max(lowest)), is_exact) if lowest else None


def _padded(version: str) -> str:
    """Complete a version to three numbers, before its label."""
    number = re.match(r"[\d.]+", version)
    if number is None:
        return version
    digits = number.group().strip(".")
    return digits + ".0" * (FULL_PARTS - digits.count(".") - 1) + version[number.end() :]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part[:9]) for part in re.findall(r"\d+", version)[:4])
