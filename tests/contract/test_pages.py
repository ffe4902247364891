"""The pages of the documentation: links and pictures exist, and the messages that they quote are the program's."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.contract.stack.documents import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "goldpan-data" / "README.md"]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
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


def test_every_page_is_reached_from_the_readme() -> None:
    """A reader finds each page by links, and the README is short enough to be read to its end."""
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


def test_the_pictures_are_small() -> None:
    """A page with pictures loads at once, and none is in the repository that no page shows."""
    pictures = {*(ROOT / "docs").glob("*.png")}
    assert {picture.name for picture in pictures if picture.stat().st_size > MAX_PICTURE_BYTES} == set()
    shown = {(page.parent / path).resolve() for page in PAGES for path, _ in LINK.findall(prose(page))}
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
