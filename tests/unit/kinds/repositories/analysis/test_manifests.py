"""Manifests: which are read, what they name, and the version that can be asked about."""

from __future__ import annotations

import time

import pytest
from goldpan.kinds.repositories.analysis.manifests.parse import parse_manifests, select_manifests
from goldpan.kinds.repositories.analysis.manifests.versions import lowest_version
from goldpan.kinds.repositories.analysis.models import Manifest

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><properties><jackson>2.15.0</jackson></properties>
<dependencies><dependency><groupId>com.fasterxml</groupId><artifactId>core</artifactId><version>${jackson}</version>
</dependency><dependency><groupId>a</groupId><artifactId>b</artifactId><version>${other}</version></dependency>
<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.0</version><scope>test</scope></dependency>
</dependencies></project>"""
GO = """module example.org/app

go 1.22

require github.com/one/line v1.0.0

require (
	github.com/pkg/errors v0.9.1
	golang.org/x/net v0.7.0 // indirect
)
exclude github.com/bad/one v1.1.1
"""
POETRY = '[tool.poetry.dependencies]\npython = "^3.11"\nrequests = "^2.31"\nlocal = { path = "../x" }\n'
PROJECT = """[project]
dependencies = ["flask>=2.0,<3", "jinja2==3.1.2", "click", "attrs<24", "uvicorn[standard]~=0.20.1",
  "named @ https://example.org/named.zip", "not a requirement !"]
"""
CARGO = """[dependencies]
serde = "1.0"
tokio = { version = "1.35.1" }
mine = { path = "." }
http = { package = "hyper", version = "=0.14.1" }
"""
REQUIREMENTS = (
    "# pinned\nflask==2.0.0 --hash=sha256:abc\n-r other.txt\n-e .\ndjango>=3.2 ; python_version < '4'  # why\n"
)
GRADLE = """dependencies {
  implementation 'com.google.guava:guava:31.1-jre'
  api("a:b:$v")
  testImplementation 'j:u:4'
}
"""
COMPOSER = '{"require": {"php": ">=8.1", "ext-json": "*", "monolog/monolog": "^2.0"}, "require-dev": {"x/y": "1.0"}}'
PACKAGE = (
    '{"dependencies": {"a": "1.2.3", "b": "^4.17.0", "c": "*", "d": "git+https://x/y.git", "e": "workspace:*",'
    ' "f": "~1.2 || ^2.0", "g": "1.x", "h": "<2", "i": null}, "devDependencies": {"z": "9.9.9"}}'
)
PROJECT_FILE = (
    '<Project><ItemGroup><PackageReference Include="Newtonsoft.Json" Version="12.0.1" /></ItemGroup></Project>'
)
EXPANDING = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><project><dependency>&b;</dependency></project>'


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("package.json", PACKAGE, "a 1.2.3!, b 4.17.0, c -, d -, e -, f 1.2.0, g 1.0.0, h -, i -"),
        ("pyproject.toml", PROJECT, "flask 2.0, jinja2 3.1.2!, click -, attrs -, uvicorn 0.20.1, named -"),
        ("pyproject.toml", POETRY, "requests 2.31, local -"),
        ("requirements-prod.txt", REQUIREMENTS, "flask 2.0.0!, django 3.2"),
        ("setup.cfg", "[options]\ninstall_requires =\n  six>=1.5\n  toml\n", "six 1.5, toml -"),
        ("Cargo.toml", CARGO, "serde 1.0.0, tokio 1.35.1, mine -, hyper 0.14.1!"),
        ("go.mod", GO, "github.com/one/line 1.0.0!, github.com/pkg/errors 0.9.1!, golang.org/x/net 0.7.0!"),
        ("pom.xml", POM, "com.fasterxml:core 2.15.0!, a:b -"),
        ("build.gradle", GRADLE, "com.google.guava:guava 31.1-jre!, a:b -"),
        ("Gemfile", "source 'x'\ngem 'rails', '~> 7.0.1'\ngem \"puma\"\n", "rails 7.0.1, puma -"),
        ("composer.json", COMPOSER, "monolog/monolog 2.0"),
        ("App.csproj", PROJECT_FILE, "Newtonsoft.Json 12.0.1!"),
    ],
)
def test_the_dependencies_of_each_format(path: str, text: str, expected: str) -> None:
    """The version is the exact one (!) or the lowest that is allowed; "-" is one that cannot be asked about."""
    parsed = parse_manifests([Manifest(path=path, text=text)])
    found = [f"{each.name} {each.version or '-'}{'!' if each.is_exact else ''}" for each in parsed.dependencies]
    assert (", ".join(found), parsed.read, parsed.notes) == (expected, (path,), ())


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", '{"dependencies": '),
        ("package.json", "[" * 100_000),
        ("composer.json", "[1]"),
        ("pyproject.toml", "= 1"),
        ("setup.cfg", "no section"),
        ("pom.xml", "<project>"),
        ("pom.xml", EXPANDING),
        ("big/package.json", None),
    ],
)
def test_a_manifest_that_cannot_be_read_is_named_and_costs_no_other(path: str, text: str | None) -> None:
    """Not even one that is nested without end, or that would grow when its entities are expanded."""
    parsed = parse_manifests([Manifest(path=path, text=text), Manifest(path="Gemfile", text="gem 'a', '1.0'")])
    assert [each.name for each in parsed.dependencies] == ["a"]
    [note] = parsed.notes
    assert note.startswith(f"{path} was not read: it ")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", '{"dependencies": {"a": "' + "1." * 100_000 + '"}}'),
        ("Gemfile", "gem 'a', '" * 20_000),
        ("go.mod", "require (" * 20_000),
        ("build.gradle", "implementation '" * 20_000),
        ("requirements.txt", "a==" + "1." * 100_000),
    ],
)
def test_a_hostile_manifest_takes_no_time(path: str, text: str) -> None:
    """Each pattern is linear in the length of the text."""
    begin = time.process_time()
    parse_manifests([Manifest(path=path, text=text)])
    assert time.process_time() - begin < 2


def test_the_manifests_of_a_large_repository() -> None:
    """The root comes first, then first-level folders but those of tests and examples; the rest is counted."""
    folders = [f"package-{number:02}/package.json" for number in range(15)]
    paths = ["tests/package.json", "examples/pom.xml", "a/b/go.mod", "requirements-dev.txt", "src/main.py"]
    chosen, left_out = select_manifests([*folders, *paths, "pyproject.toml", "requirements.txt"])
    assert chosen[:3] == ["pyproject.toml", "requirements.txt", "package-00/package.json"]
    assert (len(chosen), left_out) == (12, 5)


@pytest.mark.parametrize(
    ("written", "lowest"),
    [
        ("^1.2", "1.2.0"), (">=1.2.3 <2", "1.2.3"), ("1.2.3 - 2.0.0", "1.2.3"), ("v1.2.3", "1.2.3"),
        ("=1.0.0", "1.0.0"),
        ("^3 || ^2.1", "2.1.0"), ("1.2.3-beta.1", "1.2.3-beta.1"), ("latest", None), ("", None), (">1.0", None),
        ("npm:other@1.0.0", None), (7, None),
    ],
)  # fmt: skip
def test_the_lowest_version_of_a_range(written: object, lowest: str | None) -> None:
    """A range without a lower bound has none, nor has `>1.0`, whose lowest version is not known."""
    found = lowest_version(written, "npm")
    assert (found[0] if found else None) == lowest
