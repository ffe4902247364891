"""The licences that questions and filters name, by their SPDX identifiers (licenses.toml)."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_UNKNOWN = frozenset({"NOASSERTION", "OTHER", "CUSTOM"})
_SUFFIX = re.compile(r"(?:-only|-or-later|\+)$")


@dataclass(frozen=True)
class Licenses:
    """The tables of licenses.toml; an identifier is in lower case, a name as `_spaced` makes it."""

    ids: dict[str, tuple[str, ...]]
    """By each identifier, and by each name of a licence or a family."""
    families: dict[str, str]
    """The family by each of its names."""
    ambiguous: frozenset[str]
    """Names that are also other things."""

    def key(self, name: str) -> str | None:
        """Return what the tables have a name under: "GPL-3" and "GPLv3" are "gpl 3"; None if they do not have it."""
        plain = _SUFFIX.sub("", name.strip().lower())
        return next((key for key in (plain, _spaced(plain)) if key in self.ids), None)

    def label(self, key: str) -> str:
        """Return how an answer names a licence: its identifier, or the name that stands for several."""
        if key in self.families:
            return f"{self.families[key]} licence"
        ids = self.ids[key]
        return ids[0] if len(ids) == 1 else key.upper() if len(key) <= len("AGPL") else key


@cache
def licenses() -> Licenses:
    """Return the tables; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("licenses.toml").read_text("utf-8"))
    identifiers = {spdx.lower(): (spdx,) for ids in tables["families"].values() for spdx in ids}
    families = {_spaced(name): family for name, family in tables["family_names"].items()}
    names = {_spaced(name): tuple(ids) for name, ids in (tables["names"] | tables["ambiguous_names"]).items()}
    members = {name: tuple(tables["families"][family]) for name, family in families.items()}
    return Licenses(identifiers | names | members, families, frozenset(map(_spaced, tables["ambiguous_names"])))


def _spaced(name: str) -> str:
    return " ".join(re.sub(r"[\s-]*v?\.?(?=\d)|[\s-]+", " ", name.lower()).split())


def resolve_license(name: str) -> tuple[str, ...]:
    """Return the SPDX identifiers of a licence or a family of licences; empty if it is not known."""
    key = licenses().key(name)
    return licenses().ids[key] if key else ()


def is_known_license(spdx_id: str | None) -> bool:
    """Report whether a repository's licence says anything: GitHub's NOASSERTION does not."""
    return bool(spdx_id) and str(spdx_id).upper() not in _UNKNOWN


def matches_license(spdx_id: str | None, wanted: tuple[str, ...]) -> bool:
    """Report whether a licence is among the wanted ones; "-only", "-or-later" and "+" make no difference."""
    return _SUFFIX.sub("", (spdx_id or "").casefold()) in {_SUFFIX.sub("", name.casefold()) for name in wanted}
