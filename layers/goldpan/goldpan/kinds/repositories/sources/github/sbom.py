"""Reads the dependencies of a repository from GitHub's dependency graph, a software bill of materials in SPDX.

https://docs.github.com/en/rest/dependency-graph/sboms
"""

import re
from urllib.parse import unquote

from goldpan.kinds.repositories.analysis.models import Dependency
from goldpan.kinds.repositories.sources.github.mapping import Node, at, members

MAX_DEPENDENCIES = 1000
"""Of one repository; OSV accepts as many a call."""
_PACKAGE = re.compile(
    r"(?P<package>pkg:(?:cargo|composer|gem|golang|hex|maven|npm|nuget|pub|pypi)/(?P<name>[^@?#\s]{1,200}))"
    r"(?:@(?P<version>[^?#\s]{1,100}))?(?:[?#]\S*)?"
)
"""A package URL of an ecosystem that OSV knows."""
_EXACT = re.compile(r"v?\d[\w.+!~-]*")


def dependencies_of(document: object) -> tuple[Dependency, ...]:
    """Read the packages, each once; those of GitHub Actions and of ecosystems that OSV does not know are left out."""
    packages = members(at(document, "sbom", "packages"))
    references = (each for package in packages for each in members(package.get("externalRefs")))
    found = (_dependency(reference) for reference in references)
    return tuple(dict.fromkeys(each for each in found if each))[:MAX_DEPENDENCIES]


def _dependency(reference: Node) -> Dependency | None:
    match = _PACKAGE.fullmatch(str(reference.get("referenceLocator")))
    if match is None:
        return None
    version = unquote(match["version"] or "")
    exact = version if _EXACT.fullmatch(version) else None
    return Dependency(package=match["package"], name=unquote(match["name"]), version=exact)
