"""The dependencies that each format of manifest names: what is used at run time, not what builds or tests it.

Each function takes the text of a file and returns its dependencies. It raises `ValueError`, `SyntaxError` or
`configparser.Error`, as the parsers do, for a file that is not of its format.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement

from goldpan.kinds.repositories.analysis.manifests.versions import LowestVersion, lowest_of_pep_440, lowest_version
from goldpan.kinds.repositories.analysis.models import Dependency

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

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
MAX_NAME = 200


def package_json(text: str) -> list[Dependency]:
    """Read `dependencies` and `optionalDependencies` of npm."""
    content = _json(text)
    return _packages("npm", {**_table(content, "optionalDependencies"), **_table(content, "dependencies")})


def composer_json(text: str) -> list[Dependency]:
    """Read `require` of Composer."""
    named = _table(_json(text), "require")
    return _packages("Packagist", {name: row for name, row in named.items() if not NO_PACKAGES.fullmatch(name)})


def cargo_toml(text: str) -> list[Dependency]:
    """Read `dependencies` of a crate or of its workspace."""
    content = tomllib.loads(text)
    return _packages("crates.io", {**_table(content, "dependencies"), **_table(content, "workspace", "dependencies")})


def pyproject_toml(text: str) -> list[Dependency]:
    """Read `project.dependencies`, and those of Poetry."""
    content = tomllib.loads(text)
    listed = _table(content, "project").get("dependencies")
    poetry = _table(content, "tool", "poetry", "dependencies")
    of_poetry = _packages("PyPI", {name: row for name, row in poetry.items() if name.lower() != "python"})
    return [*_requirements(listed if isinstance(listed, list) else ()), *of_poetry]


def requirements_txt(text: str) -> list[Dependency]:
    """Read a list of requirements of pip; options, other files, addresses and hashes are left out."""
    lines = text.replace("\\\n", " ").splitlines()
    stripped = (_COMMENT.sub("", line).partition(" --")[0].strip() for line in lines)
    return list(_requirements(line for line in stripped if line and not line.startswith("-")))


def setup_cfg(text: str) -> list[Dependency]:
    """Read `install_requires` of setuptools."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    return list(_requirements(parser.get("options", "install_requires", fallback="").splitlines()))


def _requirements(lines: Iterable[object]) -> Iterator[Dependency]:
    for line in lines:
        try:
            requirement = Requirement(str(line).strip())
        except InvalidRequirement:
            continue
        yield _dependency(
            "PyPI", requirement.name, None if requirement.url else lowest_of_pep_440(requirement.specifier)
        )


def go_mod(text: str) -> list[Dependency]:
    """Read the modules that are required, also indirectly; each has the version that is used."""
    blocks = (found["block"] or found["line"] or "" for found in _GO_REQUIRE.finditer(text))
    return [
        _dependency("Go", found["name"], (found["version"], True))
        for block in blocks
        for found in _GO_LINE.finditer(block)
    ]


def gemfile(text: str) -> list[Dependency]:
    """Read the `gem` lines of a Gemfile, which is a program: what it computes is not read."""
    return [_package("RubyGems", found["name"], found["version"]) for found in _GEM.finditer(text)]


def build_gradle(text: str) -> list[Dependency]:
    """Read the dependencies that are written as `group:name:version`; a build is a program, and computes others."""
    return [_maven(found["name"], found["version"]) for found in _GRADLE.finditer(text)]


def pom_xml(text: str) -> list[Dependency]:
    """Read the dependencies of Maven but those of tests; properties of the same file are inserted."""
    root = _xml(text)
    properties = {f"${{{_tag(each)}}}": (each.text or "").strip() for part in _all(root, "properties") for each in part}
    rows = ({_tag(each): (each.text or "").strip() for each in row} for row in _all(root, "dependency"))
    return [
        _maven(f"{row['groupId']}:{row['artifactId']}", properties.get(row.get("version", ""), row.get("version")))
        for row in rows
        if row.get("scope") != "test" and row.get("groupId") and row.get("artifactId")
    ]


def project_file(text: str) -> list[Dependency]:
    """Read the packages of a project file of .NET."""
    rows = _all(_xml(text), "PackageReference")
    return [_package("NuGet", name, row.get("Version")) for row in rows if (name := row.get("Include"))]


def _xml(text: str) -> Element:
    """Parse XML without entities, which an untrusted file could expand without end."""
    from defusedxml import ElementTree  # noqa: PLC0415 - for such a file only

    root: Element = ElementTree.fromstring(text)
    return root


def _all(root: Element, tag: str) -> list[Element]:
    return [each for each in root.iter() if _tag(each) == tag]


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _maven(name: str, version: str | None) -> Dependency:
    return _package("Maven", name, None if version and ("$" in version or "+" in version) else version)


def _packages(ecosystem: str, named: Mapping[str, object]) -> list[Dependency]:
    """Read a table of packages and their versions.

    A row may be a table: a path or a repository in place of a version has none, and a package may have another name.
    """
    return [
        _package(ecosystem, str(row.get("package", name)), row.get("version"))
        if isinstance(row, Mapping)
        else _package(ecosystem, name, row)
        for name, row in named.items()
    ]


def _package(ecosystem: str, name: str, version: object) -> Dependency:
    return _dependency(ecosystem, name, lowest_version(version, ecosystem))


def _dependency(ecosystem: str, name: str, lowest: LowestVersion) -> Dependency:
    version, is_exact = lowest or (None, False)
    return Dependency(ecosystem=ecosystem, name=name[:MAX_NAME], version=version, is_exact=is_exact)


def _json(text: str) -> Mapping[str, object]:
    value = json.loads(text)
    if not isinstance(value, Mapping):
        message = f"must be an object, not {type(value).__name__}"
        raise ValueError(message)  # noqa: TRY004 - as the parsers do
    return value


def _table(content: Mapping[str, object], *names: str) -> Mapping[str, object]:
    """Return the table under these names, an empty one for anything else: a field of another form names nothing."""
    for name in names:
        inner = content.get(name)
        content = inner if isinstance(inner, Mapping) else {}
    return content
