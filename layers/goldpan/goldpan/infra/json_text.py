"""Reads JSON that an upstream sent: in UTF-8, and no deeper than any real answer."""

from __future__ import annotations

import json
import re
from itertools import accumulate

from goldpan.text import replace_lone_surrogates

MAX_DEPTH = 100
"""Levels of lists and objects. Python's parser, and all that walks a parsed value, fail beyond about a thousand."""
MOST_LEFT = 7 / 8
"""Of the brackets, if the innermost pairs are removed: what a text with few levels has left at most."""
_STRING = re.compile(rb'"[^"]*"?')
_MEANINGLESS = bytes(set(range(256)) - set(b'[]{}"'))
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_STEPS = {ord("["): 1, ord("]"): -1}


def read_json(body: bytes) -> object:
    """Parse JSON in UTF-8 (RFC 8259, 8.1), and replace lone surrogates; `is_too_deep` is to be asked before.

    Raises `ValueError`.
    """
    value: object = json.loads(body.decode("utf-8-sig"))
    return replace_lone_surrogates(value) if b"\\ud" in body.lower() else value


def is_too_deep(body: bytes) -> bool:
    """Report whether a text has more levels than `MAX_DEPTH`, without parsing it."""
    return _depth(body) > MAX_DEPTH


def _depth(body: bytes) -> int:
    """Return the greatest depth that a parser meets before the end of the body or its first fault."""
    if sum(map(body.count, (b"[", b"{"))) <= MAX_DEPTH:
        return 0
    unescaped = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = unescaped.translate(_ONE_KIND, _MEANINGLESS).replace(b'""', b"")  # most strings hold no bracket
    brackets = _STRING.sub(b"", brackets) if b'"' in brackets else brackets
    depth, left = 0, brackets
    while left and len(fewer := left.replace(b"[]", b"")) <= MOST_LEFT * len(left):
        depth, left = depth + 1, fewer
    if not left:
        return depth
    return max(accumulate(_STEPS[bracket] for bracket in brackets))  # they are not balanced, or very deep
