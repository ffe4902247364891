"""What a README shows: its structure, measured on the whole text, and an excerpt for the language model."""

from __future__ import annotations

import re

from goldpan.kinds.repositories.models import ReadmeOutline

MAX_READ = 100_000
"""Characters of a README that are looked at."""
MAX_EXCERPTED = 20_000
"""Characters of a README that its excerpt is taken from."""
# Every repetition below is bounded or stays in its line: a stranger's text of opening signs alone must not cost
# the square of its length.
_HEADING = re.compile(r"^(?:#{1,6}[ \t]*(?P<text>[^\s#].*)|(?P<rst>\S.*)\n[=\-~^]{3,}[ \t]*$)", re.MULTILINE)
_CODE = re.compile(r"^[ \t]{0,8}(?:```|~~~|\.\. code)|<pre", re.MULTILINE)
_IMAGE = re.compile(r"!\[|<img\b|\.\. image::", re.IGNORECASE)
_LINK = re.compile(r"(?<!!)\[[^\[\]\n]{0,200}\]\(|<a\s|https?://", re.IGNORECASE)
_SECTIONS = {
    "install": r"install|set\s?up|download",
    "usage": r"usage|quick\s?start|getting started|how to use|tutorial|basic",
    "examples": r"example|demo|sample|showcase|recipe",
    "api": r"\bapi\b|reference|options|configuration",
    "contributing": r"contribut|development",
    "license": r"licen[sc]e",
    "docs": r"documentation|\bdocs?\b|guide|wiki",
}
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<[^<>\n]{0,300}>")
_BADGE = re.compile(r"\[?!\[[^\[\]\n]{0,200}\]\([^()\n]{0,300}\)(?:\]\([^()\n]{0,300}\))?")


def outline(readme: str) -> ReadmeOutline:
    """Measure the structure of a README in Markdown or reStructuredText."""
    text = readme[:MAX_READ]
    headings = [match.group("text") or match.group("rst") for match in _HEADING.finditer(text)]
    titles = "\n".join(headings).lower()
    return ReadmeOutline(
        characters=len(text.strip()),
        headings=len(headings),
        code_blocks=(len(_CODE.findall(text)) + 1) // 2,
        links=len(_LINK.findall(text)),
        images=len(_IMAGE.findall(text)),
        sections=tuple(name for name, pattern in _SECTIONS.items() if re.search(pattern, titles)),
    )


def excerpt(readme: str | None, length: int) -> str | None:
    """Cut the first prose of a README, without badges, tags and comments."""
    if readme is None:
        return None
    text = readme[:MAX_EXCERPTED]
    for sign, noise in (("<!--", _COMMENT), ("![", _BADGE), ("<", _TAG)):
        if sign in text:
            text = noise.sub(" ", text)
    return " ".join(text.split())[:length]
