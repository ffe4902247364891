"""The pages of the documentation: links and pictures exist, and what they quote and list is what the code has."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.contract.stack.documents import ROOT, text

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "goldpan-data" / "README.md"]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SOURCE_FILE = re.compile(r"`([\w./-]+\.(?:md|py|ya?ml))`")
MAX_README_LINES, MAX_PICTURE_BYTES = 150, 150_000
DIFFERS, SHORT = re.compile(r"\N{HORIZONTAL ELLIPSIS}|\b[A-Z][A-Z_]{3,}\b|\bGitHub\b"), 8
"""The parts of a message that differ: names of settings and sources; shorter pieces would be found in any program."""


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCE.sub("", page.read_text("utf-8"))


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors that GitHub gives to the headings of a page; a repeated one gets a number."""
    seen = Counter[str]()
    made = set()
    for heading in re.findall(r"^#{1,6} (.+)$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        made.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return frozenset(made)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    """To a file that exists, and to a heading that it has."""
    broken = []
    for path, anchor in LINK.findall(prose(page)):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(f"{path}#{anchor}")
    assert broken == []


def test_every_file_that_a_page_names_exists() -> None:
    """A path may begin below the folder that the page is about."""
    pages = [*PAGES, *ROOT.glob(".github/*.md"), *ROOT.glob("skills/*/*.md"), ROOT / "tests" / "data" / "README.md"]
    tops = [path for path in ROOT.iterdir() if path.name == ".github" or (path.name[0] != "." and path.name != "build")]
    files = [path.as_posix() for top in tops for path in (top, *top.rglob("*.*"))]
    named = {(page.name, name) for page in pages for name in SOURCE_FILE.findall(page.read_text("utf-8"))}
    assert [each for each in named if not any(file.endswith(f"/{each[1]}") for file in files)] == []


def test_every_page_and_picture_is_reached_from_the_readme() -> None:
    """By links; the README is short enough to be read to its end, and pictures are so small that pages load at once."""
    readme = ROOT / "README.md"
    reached, waiting = set[Path](), [readme]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.is_file():
            continue
        reached.add(page)
        waiting += [(page.parent / path).resolve() for path, _ in LINK.findall(prose(page)) if path]
    assert set(PAGES) - reached <= {ROOT / "CHANGELOG.md", ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md"}
    assert len(readme.read_text("utf-8").splitlines()) <= MAX_README_LINES
    pictures = {*(ROOT / "docs").glob("*.png")}
    assert {picture.name for picture in pictures if picture.stat().st_size > MAX_PICTURE_BYTES} == set()
    shown = {(each.parent / path).resolve() for each in PAGES for path, _ in LINK.findall(prose(each))}
    assert pictures - shown == set()


def test_the_messages_to_look_up_are_those_of_the_program() -> None:
    """Each piece of a quoted message, between the parts that differ, is a text of the code."""
    folders = (ROOT / "layers" / "goldpan", ROOT / "local")
    code = "\n".join(path.read_text("utf-8") for folder in folders for path in sorted(folder.rglob("*.py")))
    joined = re.sub(r'"\s*\n\s*f?"', "", code)
    page = prose(ROOT / "docs" / "troubleshooting.md").partition("\n## On AWS\n")[0]
    cells = re.findall(r"^\| ((?!message|---).*?) \|", page, re.MULTILINE)
    quoted = [text for cell in cells for text in re.findall(r"`([^`]+)`", cell)]
    pieces = [piece.strip() for text in quoted for piece in DIFFERS.split(text)]
    assert len(quoted) >= 40
    assert [piece for piece in pieces if len(piece) >= SHORT and piece not in joined] == []


LIBRARY, TESTS = ROOT / "layers" / "goldpan" / "goldpan", ROOT / "tests"
MODULES = (ROOT, LIBRARY, LIBRARY / "kinds")
TEST_FOLDERS = (TESTS, TESTS / "unit", TESTS / "unit" / "kinds")
REQUIREMENTS = text("docs/requirements.md")
COMPONENTS, *DOCUMENTS = REQUIREMENTS.split("\n## ")[1:]


def cells_of(section: str) -> list[list[str]]:
    """Return the cells of each row of the table of a section."""
    body = section.partition("\n|---")[2].partition("\n")[2]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in body.splitlines() if line[:1] == "|"]


def found(name: str, folders: tuple[Path, ...]) -> Path | None:
    """Return the file that a name means."""
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def is_test(name: str) -> bool:
    """Report whether a name is that of a test in its file, or of a benchmark."""
    file, _, test = name.partition("::")
    path = found(file, TEST_FOLDERS)
    written = path.read_text("utf-8") if path else ""
    return f"\ndef {test}(" in written if test else bool(written) and file.startswith("benchmarks/")


def test_every_requirement_names_modules_and_tests_that_exist() -> None:
    """Of each of the five documents; a requirement without a module has its reason, a component its class."""
    table = [row for section in DOCUMENTS for row in cells_of(section)]
    assert len(DOCUMENTS) == 5
    assert len(table) >= 100
    missing = []
    for section, requirement, modules, tests, deviation in table:
        named, tested = re.findall(r"`([^`]+)`", modules), re.findall(r"`([^`]+)`", tests)
        missing += [name for name in named if found(name, MODULES) is None]
        missing += [name for name in tested if not is_test(name)]
        missing += [] if (named and tested) or deviation else [f"{section}: {requirement}"]
    components = {name: found(module.strip("`"), MODULES) for name, module, _ in cells_of(COMPONENTS)}
    assert len(components) == 9
    missing += [name for name, path in components.items() if not path or f"class {name}" not in path.read_text("utf-8")]
    assert missing == []
