"""The dependencies that each format of manifest names: what is used at run time, not what builds or tests it.

Each reader takes the text of a file and returns its dependencies. It raises `ValueError`, `SyntaxError` or
`configparser.Error`, as the parsers do, for a file that is not of its format.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement

from goldpan.kinds.repositories.analysis.manifests.versions import lowest_version
from goldpan.kinds.repositories.analysis.models import Dependency

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Read = Callable[[str], list[Dependency]]
_GO_OTHER = re.compile(r"^(?:exclude|replace|retract)\s*(?:\([^)]*\)|[^\n(]+)", re.MULTILINE)
_GO = re.compile(r"^\s*(?:require\s+)?(?P<name>[\w.-]+\.[\w.-]+/[^\s]+)\s+v(?P<version>\d[^\s/]*)", re.MULTILINE)
_GEM = re.compile(r"^\s*gem\s+['\"](?P<name>[\w.-]+)['\"](?:\s*,\s*['\"](?P<version>[^'\"\n]+)['\"])?", re.MULTILINE)
_GRADLE = re.compile(
    r"^\s*(?:implementation|api|compileOnly|runtimeOnly)\b[\s(]*['\"]"
    r"(?P<name>[\w.-]+:[\w.-]+)(?::(?P<version>[^'\"\n:@]+))?['\"]",
    re.MULTILINE,
)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_NO_PACKAGES = {
    "Packagist": re.compile(r"php(?:-\w+)?|(?:ext|lib|composer)-.*|composer"),
    "PyPI": re.compile("python", re.IGNORECASE),
}
"""What a table of dependencies requires that is no package, by ecosystem."""
MAX_NAME = 200


def _dependency(ecosystem: str, name: str, version: object) -> Dependency:
    lowest, is_exact = lowest_version(version, ecosystem) or (None, False)
    return Dependency(ecosystem=ecosystem, name=name[:MAX_NAME], version=lowest, is_exact=is_exact)


def _tables(ecosystem: str, parse: Callable[[str], object], *places: str) -> Read:
    """Make the reader of tables of packages and their versions; of a package in several, the last row counts.

    A row may be a table: a path or a repository in place of a version has none, and a package may have another name.
    """
    no_package = _NO_PACKAGES.get(ecosystem)

    def read(text: str) -> list[Dependency]:
        content = parse(text)
        named = {name: row for place in places for name, row in _table(content, place).items()}
        rows = ((name, row if isinstance(row, Mapping) else {"version": row}) for name, row in named.items())
        return [
            _dependency(ecosystem, str(row.get("package", name)), row.get("version"))
            for name, row in rows
            if not (no_package and no_package.fullmatch(name))
        ]

    return read


def _table(content: object, place: str) -> Mapping[str, object]:
    """Return the table at a place, an empty one for anything else: a field of another form names nothing."""
    if not isinstance(content, Mapping):
        message = f"must be an object, not {type(content).__name__}"
        raise ValueError(message)  # noqa: TRY004 - as the parsers do
    for name in place.split("."):
        inner = content.get(name)
        content = inner if isinstance(inner, Mapping) else {}
    return content


def _lines(ecosystem: str, pattern: re.Pattern[str]) -> Read:
    """Make the reader of a file, often a program, of which only the dependencies that are written out are read."""
    return lambda text: [_dependency(ecosystem, found["name"], found["version"]) for found in pattern.finditer(text)]


def _requirements(lines: Iterable[object]) -> list[Dependency]:
    """Read requirements of Python; one that names an address has no version."""
    found = []
    for line in lines:
        try:
            requirement = Requirement(str(line).strip())
        except InvalidRequirement:
            continue
        version = None if requirement.url else str(requirement.specifier)
        found.append(_dependency("PyPI", requirement.name, version))
    return found


def pyproject_toml(text: str) -> list[Dependency]:
    """Read `project.dependencies`, and those of Poetry."""
    listed = _table(tomllib.loads(text), "project").get("dependencies")
    of_poetry = _tables("PyPI", tomllib.loads, "tool.poetry.dependencies")(text)
    return [*_requirements(listed if isinstance(listed, list) else ()), *of_poetry]


def requirements_txt(text: str) -> list[Dependency]:
    """Read a list of requirements of pip; options, other files, addresses and hashes are left out."""
    lines = text.replace("\\\n", " ").splitlines()
    return _requirements(_COMMENT.sub("", line).partition(" --")[0] for line in lines)


def setup_cfg(text: str) -> list[Dependency]:
    """Read `install_requires` of setuptools."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    return _requirements(parser.get("options", "install_requires", fallback="").splitlines())


def pom_xml(text: str) -> list[Dependency]:
    """Read the dependencies of Maven but those of tests; properties of the same file are inserted."""
    root = _xml(text)
    properties = {f"${{{_tag(each)}}}": (each.text or "").strip() for part in _all(root, "properties") for each in part}
    rows = ({_tag(each): (each.text or "").strip() for each in row} for row in _all(root, "dependency"))
    return [
        _dependency("Maven", f"{group}:{name}", properties.get(row.get("version", ""), row.get("version")))
        for row in rows
        if row.get("scope") != "test" and (group := row.get("groupId")) and (name := row.get("artifactId"))
    ]


def project_file(text: str) -> list[Dependency]:
    """Read the packages of a project file of .NET."""
    rows = _all(_xml(text), "PackageReference")
    return [_dependency("NuGet", name, row.get("Version")) for row in rows if (name := row.get("Include"))]


def _xml(text: str) -> Element:
    """Parse XML without entities, which an untrusted file could expand without end."""
    from defusedxml import ElementTree  # noqa: PLC0415 - for such a file only

    root: Element = ElementTree.fromstring(text)
    return root


def _all(root: Element, tag: str) -> list[Element]:
    return [each for each in root.iter() if _tag(each) == tag]


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


FORMATS: dict[str, Read] = {
    "package.json": _tables("npm", json.loads, "optionalDependencies", "dependencies"),
    "pyproject.toml": pyproject_toml,
    "requirements*.txt": requirements_txt,
    "setup.cfg": setup_cfg,
    "Cargo.toml": _tables("crates.io", tomllib.loads, "dependencies", "workspace.dependencies"),
    "go.mod": lambda text: _lines("Go", _GO)(_GO_OTHER.sub("", text)),
    "pom.xml": pom_xml,
    "build.gradle": _lines("Maven", _GRADLE),
    "build.gradle.kts": _lines("Maven", _GRADLE),
    "Gemfile": _lines("RubyGems", _GEM),
    "composer.json": _tables("Packagist", json.loads, "require"),
    "*.csproj": project_file,
}
"""What reads a manifest, by the pattern of its name."""
