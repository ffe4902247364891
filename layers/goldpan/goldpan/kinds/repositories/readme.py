"""The structure and the excerpt of a README, in Markdown or reStructuredText."""

import re

from goldpan.kinds.repositories.models import ReadmeOutline

MAX_MEASURED = 100_000
"""Characters of a README that the outline is measured on."""
MAX_EXCERPTED = 20_000
"""Characters of a README that the excerpt is taken from."""
# Each repetition is bounded or stays within its line: with an unbounded one, a README of 300,000 opening brackets
# takes time in proportion to the square of its length.
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
    text = readme[:MAX_MEASURED]
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
    """Return the first `length` characters of a README's prose, without comments, badges and tags."""
    if readme is None:
        return None
    text = readme[:MAX_EXCERPTED]
    for marker, markup in (("<!--", _COMMENT), ("![", _BADGE), ("<", _TAG)):
        if marker in text:  # a search for a plain string is much faster
            text = markup.sub(" ", text)
    return " ".join(text.split())[:length]
