"""The manifests by their names, and the dependencies of each: what is used at run time, not what builds or tests it.

Each function takes the text of a file and returns its dependencies. It raises `ValueError`, or an exception of the
parser that is a `ValueError`, for a file that is not of its format.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from goldpan.kinds.repositories.analysis.manifests.versions import lowest_of_pep_440, lowest_version
from goldpan.kinds.repositories.analysis.models import Dependency

Read = Callable[[str], list[Dependency]]
_GO_LINE = re.compile(r"^\s*(?:require\s+)?(?P<name>[\w.-]+\.[\w.-]+/[^\s]+)\s+v(?P<version>\d[^\s/]*)", re.MULTILINE)
_GO_REQUIRE = re.compile(r"^require\s*(?:\((?P<block>[^)]*)\)|(?P<line>[^\n(]+))", re.MULTILINE)
_GEM = re.compile(r"^\s*gem\s+['\"](?P<name>[\w.-]+)['\"](?:\s*,\s*['\"](?P<version>[^'\"\n]+)['\"])?", re.MULTILINE)
_GRADLE = re.compile(
    r"^\s*(?:implementation|api|compileOnly|runtimeOnly)\b[\s(]*['\"]"
    r"(?P<name>[\w.-]+:[\w.-]+)(?::(?P<version>[^'\"\n:@]+))?['\"]",
    re.MULTILINE,
)
_COMMENT = re.compile(r"(?:^|\s)#.*")
NO_PACKAGES = re.compile(r"php(?:-\w+)?|(?:ext|lib|composer)-.*|composer")
"""What a composer.json requires that is no package."""


def package_json(text: str) -> list[Dependency]:
    """Read `dependencies` and `optionalDependencies` of npm."""
    content = _object(json.loads(text))
    named = {**_table(content.get("optionalDependencies")), **_table(content.get("dependencies"))}
    return [_ranged("npm", name, version, bare_is_exact=True) for name, version in named.items()]


def composer_json(text: str) -> list[Dependency]:
    """Read `require` of Composer."""
    named = _table(_object(json.loads(text)).get("require"))
    packages = {name: version for name, version in named.items() if not NO_PACKAGES.fullmatch(name)}
    return [_ranged("Packagist", name, version, bare_is_exact=True, pad=False) for name, version in packages.items()]


def cargo_toml(text: str) -> list[Dependency]:
    """Read `dependencies` of a crate or of its workspace."""
    content = tomllib.loads(text)
    tables = (content.get("dependencies"), _table(content.get("workspace")).get("dependencies"))
    named = {name: row for table in tables for name, row in _table(table).items()}
    return [_crate(name, row) for name, row in named.items()]


def _crate(name: str, row: object) -> Dependency:
    """Read one crate; a path or a repository in place of a version has none, and a package may have another name."""
    if not isinstance(row, Mapping):
        return _ranged("crates.io", name, row, bare_is_exact=False)
    return _ranged("crates.io", str(row.get("package", name)), row.get("version"), bare_is_exact=False)


def pyproject_toml(text: str) -> list[Dependency]:
    """Read `project.dependencies`, and those of Poetry."""
    content = tomllib.loads(text)
    listed = _table(content.get("project")).get("dependencies")
    poetry = _table(_table(_table(content.get("tool")).get("poetry")).get("dependencies"))
    found = list(_requirements(listed if isinstance(listed, list) else ()))
    for name, row in poetry.items():
        if name.lower() != "python":
            version = row.get("version") if isinstance(row, Mapping) else row
            found.append(_ranged("PyPI", name, version, bare_is_exact=True, pad=False))
    return found


def requirements_txt(text: str) -> list[Dependency]:
    """Read a list of requirements of pip; options, other files, addresses and hashes are left out."""
    lines = text.replace("\\\n", " ").splitlines()
    stripped = (_COMMENT.sub("", line).partition(" --")[0].strip() for line in lines)
    return list(_requirements(line for line in stripped if line and not line.startswith("-")))


def setup_cfg(text: str) -> list[Dependency]:
    """Read `install_requires` of setuptools."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from error
    return list(_requirements(parser.get("options", "install_requires", fallback="").splitlines()))


def _requirements(lines: Iterable[object]) -> Iterator[Dependency]:
    for line in lines:
        try:
            requirement = Requirement(str(line).strip())
        except InvalidRequirement:
            continue
        lowest = None if requirement.url else lowest_of_pep_440(requirement.specifier)
        yield _dependency("PyPI", requirement.name, lowest)


def go_mod(text: str) -> list[Dependency]:
    """Read the modules that are required, also indirectly; each has the version that is used."""
    blocks = (found["block"] or found["line"] or "" for found in _GO_REQUIRE.finditer(text))
    lines = (found for block in blocks for found in _GO_LINE.finditer(block))
    return [Dependency(ecosystem="Go", name=found["name"], version=found["version"], is_exact=True) for found in lines]


def gemfile(text: str) -> list[Dependency]:
    """Read the `gem` lines of a Gemfile, which is a program: what it computes is not read."""
    return [
        _ranged("RubyGems", found["name"], found["version"], bare_is_exact=True, pad=False)
        for found in _GEM.finditer(text)
    ]


def build_gradle(text: str) -> list[Dependency]:
    """Read the dependencies that are written as `group:name:version`; a build is a program, and computes others."""
    return [_maven(found["name"], found["version"]) for found in _GRADLE.finditer(text)]


def pom_xml(text: str) -> list[Dependency]:
    """Read the dependencies of Maven but those of tests; properties of the same file are inserted."""
    root = _xml(text)
    properties = {f"${{{_tag(each)}}}": (each.text or "").strip() for part in _all(root, "properties") for each in part}
    found = []
    for row in _all(root, "dependency"):
        fields = {_tag(each): (each.text or "").strip() for each in row}
        if fields.get("scope") != "test" and fields.get("groupId") and fields.get("artifactId"):
            version = fields.get("version", "")
            found.append(_maven(f"{fields['groupId']}:{fields['artifactId']}", properties.get(version, version)))
    return found


def project_file(text: str) -> list[Dependency]:
    """Read the packages of a project file of .NET."""
    return [
        _ranged("NuGet", row.get("Include"), row.get("Version"), bare_is_exact=True, pad=False)
        for row in _all(_xml(text), "PackageReference")
        if row.get("Include")
    ]


def _xml(text: str) -> Any:
    """Parse XML without entities, which a stranger's file could expand without end; `Any`, as it has no types."""
    from defusedxml import DefusedXmlException, ElementTree  # noqa: PLC0415 - for such a file only

    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, DefusedXmlException) as error:
        raise ValueError(str(error) or type(error).__name__) from error


def _all(root: Any, tag: str) -> list[Any]:
    return [each for each in root.iter() if _tag(each) == tag]


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _maven(name: str, version: str | None) -> Dependency:
    is_plain = bool(version) and "$" not in str(version) and "+" not in str(version)
    return _ranged("Maven", name, version if is_plain else None, bare_is_exact=True, pad=False)


def _ranged(ecosystem: str, name: object, version: object, *, bare_is_exact: bool, pad: bool = True) -> Dependency:
    return _dependency(ecosystem, str(name), lowest_version(version, bare_is_exact=bare_is_exact, pad=pad))


def _dependency(ecosystem: str, name: str, lowest: tuple[str, bool] | None) -> Dependency:
    version, is_exact = lowest or (None, False)
    return Dependency(ecosystem=ecosystem, name=name[:MAX_NAME], version=version, is_exact=is_exact)


MAX_NAME = 200


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        message = f"must be an object, not {type(value).__name__}"
        raise ValueError(message)  # noqa: TRY004 - as the parsers do
    return value


def _table(value: object) -> Mapping[str, Any]:
    """Return a table, an empty one for anything else: a field of another form names nothing."""
    return value if isinstance(value, Mapping) else {}
