"""Turns what sources write, in HTML, MathML or JATS, into plain texts of a bounded size."""

from __future__ import annotations

import re
from html import unescape

from goldpan.engine.payload import truncate_json
from goldpan.kinds.papers.models import MAX_ABSTRACT_BYTES
from goldpan.kinds.papers.sizes import truncate_abstract

MAX_READ = 20_000
"""Characters of a text that are read; no abstract is as long."""
_BREAK = re.compile(r"</?(?:\w+:)?(?:p|br|div|title|sec|li|list|list-item|h\d)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_TEX = re.compile(r"<((?:\w+:)?tex-math)(?:\s[^<>]*)?>[^<>]*</\1>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:\w+:[\w-]+|i|b|em|strong|sub|sup|scp|u|sc|tt|span|a|italic|bold|inf|math|m\w+)"
    r"(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*\s*/?>",
    re.IGNORECASE,
)
"""Only tags that occur in titles and abstracts: "a <b and c> d" is mathematics."""
_HEADING = re.compile(r"<((?:\w+:)?title)(?:\s[^<>]*)?>\s*abstract\W*</\1>", re.IGNORECASE)
_OPENING = re.compile(r"(?:Abstract|ABSTRACT)[\s:.\u2014-]+(?=[A-Z])")
"""How many abstracts begin."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\ufeff]+")


def one_text(value: object, max_bytes: int) -> str | None:
    """Return a text as one line without markup, truncated as JSON; None if it is none or empty."""
    if not isinstance(value, str):
        return None
    return truncate_json(plain_text(value), max_bytes) or None


def bounded_abstract(text: object) -> str | None:
    """Truncate an abstract, and keep the addresses of repositories of the rest, which often end it."""
    plain = plain_text(text) if isinstance(text, str) else ""
    if opening := _OPENING.match(plain):
        plain = plain[opening.end() :]
    return truncate_abstract(plain, MAX_ABSTRACT_BYTES) or None


def plain_text(markup: str) -> str:
    """Return the text of HTML, MathML or JATS, also if it was escaped twice; a heading "Abstract" is left out."""
    text = markup[:MAX_READ]
    if "<" not in text and "&" not in text and text.isprintable():  # as most texts: no character to be removed
        return " ".join(text.split())
    for _ in range(2):
        if "<" in text:
            text = _TAG.sub("", _BREAK.sub(" ", _HEADING.sub("", _TEX.sub("", text))))
        if "&" not in text:
            break
        text = unescape(text)
    else:
        text = _TAG.sub("", _BREAK.sub(" ", text))
    return " ".join(_CONTROL.sub(" ", text).split())
