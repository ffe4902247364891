"""The structure and the excerpt of a README."""

import re

from goldpan.kinds.repositories.models import ReadmeOutline

MAX_MEASURED = 100_000
"""Characters of a README that the outline is measured on."""
MAX_EXCERPTED = 20_000
"""Characters of a README that the excerpt is taken from."""
# Each repetition is bounded or stays within its line: with an unbounded one, a README of 300,000 opening brackets
# takes time in proportion to the square of its length.
_CODE = re.compile(
    r"^(?:(?:(?=[ \t]{0,8}`)|(?<![^`\n]\n))[ \t]{0,8}(?P<fence>`{3,9}|~{3,9})[^`\n]*"
    r"|\[source[^\n]{0,200}\]\n(?P<dashes>-{4,9}))$"
    r"(?s:.*?)(?:^[ \t]{0,8}(?:(?P=fence)|(?P=dashes))[`~-]{0,9}[ \t]*$|\Z)"
    r"|(?<!`)<pre\b(?s:.*?)(?:</pre>|\Z)"
    r"|^[ \t]{0,8}\.\. (?:source)?code(?:-block)?::.*(?:\n(?![ \t]{0,8}\.\. )[ \t].*|\n(?=\n))*",
    re.MULTILINE | re.IGNORECASE,
)
"""A block of code in Markdown, AsciiDoc, HTML or reStructuredText, where tildes may underline a title; one without an
end is the whole rest."""
_HEADING = re.compile(
    r"^(?:(?:#{1,6}[ \t]*|={1,6}[ \t]+)(?P<text>[^\s#=].*)|(?P<rst>\S.*)\n[=\-~^]{3,}[ \t]*$)"
    r"|<h[1-6]\b[^<>]{0,300}>(?P<html>(?:<(?!/?h[1-6])[^<>]{0,300}>|[^<]){0,200})",
    re.MULTILINE | re.IGNORECASE,
)
_IMAGE = re.compile(
    r"!\[[^\[\]\n]{0,200}\](?:\([^()\n]{0,500}\))?|<img\b[^<>]{0,1000}|\.\. (?:\|[^|\n]{0,100}\| )?image::.*",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"\[[^\[\]\n]{0,200}\]\([^()\n]{0,500}|<a\s[^<>]{0,300}?href=[^<>]{0,1000}(?:>https?:)?|https?://", re.IGNORECASE
)
"""With its own address, which is no second one."""
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
    """Measure the structure of a README in Markdown, HTML, reStructuredText or AsciiDoc, without what is in code."""
    text = readme.strip()[:MAX_MEASURED]
    prose, code_blocks = _CODE.subn("\n", text)
    titles = [_TAG.sub("", next(filter(None, match.groups()), "")).lower() for match in _HEADING.finditer(prose)]
    rest, images = _IMAGE.subn("", prose)
    return ReadmeOutline(
        characters=len(text),
        headings=len(titles),
        code_blocks=code_blocks,
        links=len(_LINK.findall(rest)),
        images=images,
        sections=tuple(name for name, pattern in _SECTIONS.items() if re.search(pattern, "\n".join(titles))),
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
