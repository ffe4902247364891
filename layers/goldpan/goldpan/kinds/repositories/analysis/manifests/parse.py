"""Which files are manifests, and what they name together."""

from __future__ import annotations

import configparser
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from goldpan.kinds.repositories.analysis.manifests.formats import FORMATS, Read
from goldpan.kinds.repositories.analysis.models import Dependency, Manifest

NOT_RUN = ("dev", "test", "lint", "doc", "build", "ci")
"""Parts of the names of requirements files that no user of the repository installs."""
MAX_MANIFEST = 256 * 1024
"""Bytes of a manifest; the largest written by hand have a tenth of that, generated ones are not read."""
MAX_MANIFESTS = 12
MAX_DEPENDENCIES = 400
"""Of one repository; OSV accepts 1,000 a call."""
SKIPPED_FOLDERS = frozenset(
    {"node_modules", "vendor", "third_party", "examples", "example", "test", "tests", "fixtures", "docs", "testdata"}
)
"""First-level folders whose manifests are not the repository's own."""


@dataclass(frozen=True)
class Parsed:
    """The dependencies of all manifests, each once, with the manifest that names it; and what could not be read."""

    dependencies: dict[Dependency, str]
    read: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def select_manifests(paths: Iterable[str]) -> tuple[list[str], int]:
    """Return the manifests of the root and of first-level folders, the root first; and how many are left out."""
    found = [path for path in paths if path.count("/") <= 1 and _format_of(path) and _is_own(path)]
    found.sort(key=lambda path: (path.count("/"), path))
    return found[:MAX_MANIFESTS], max(0, len(found) - MAX_MANIFESTS)


def parse_manifests(manifests: Iterable[Manifest]) -> Parsed:
    """Parse each manifest; one that cannot be parsed is named in the notes."""
    dependencies, read, notes = dict[Dependency, str](), list[str](), list[str]()
    for manifest in manifests:
        parse = _format_of(manifest.path)
        if parse is None or manifest.text is None:
            notes.append(f"{manifest.path} was not read: it has more than {MAX_MANIFEST // 1024} KiB, or no text.")
            continue
        try:
            found = parse(manifest.text)
        except (ValueError, SyntaxError, configparser.Error, RecursionError) as error:
            reason = " ".join((str(error) or type(error).__name__).split())[:80]
            notes.append(f"{manifest.path} was not read: it is not of its format ({reason}).")
            continue
        read.append(manifest.path)
        for dependency in found:
            dependencies.setdefault(dependency, manifest.path)
    if len(dependencies) > MAX_DEPENDENCIES:
        notes.append(f"{len(dependencies) - MAX_DEPENDENCIES} of {len(dependencies)} dependencies were left out.")
        dependencies = dict(list(dependencies.items())[:MAX_DEPENDENCIES])
    return Parsed(dependencies, tuple(read), tuple(notes))


def _format_of(path: str) -> Read | None:
    name = path.rpartition("/")[2]
    return next((read for pattern, read in FORMATS.items() if fnmatchcase(name, pattern)), None)


def _is_own(path: str) -> bool:
    """Whether a manifest is for users of the repository: not of an example, of tests, or for its developers."""
    folder, _, name = path.rpartition("/")
    is_for_developers = fnmatchcase(name, "requirements?*.txt") and any(part in name.lower() for part in NOT_RUN)
    return folder.lower() not in SKIPPED_FOLDERS and not is_for_developers
