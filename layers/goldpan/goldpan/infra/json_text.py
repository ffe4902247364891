"""Reads JSON that others sent: in UTF-8, and no deeper than the parser goes, about 200 levels of lists and objects."""

import re

from pydantic_core import from_json

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_ESCAPE = re.compile(rb"(\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\[^u])|\\u[dD][89a-fA-F][0-9a-fA-F]{2}", re.DOTALL)
"""An escape; the group leaves out that of a lone surrogate, which JSON can write and UTF-8 cannot encode."""


def read_json(body: bytes) -> object:
    """Parse JSON in UTF-8 (RFC 8259, 8.1), and replace lone surrogates. Raises `ValueError`."""
    text = body.removeprefix(BYTE_ORDER_MARK)
    if b"\\ud" in text.lower():
        text = _ESCAPE.sub(lambda found: found[1] or rb"\ufffd", text)
    value: object = from_json(text, cache_strings="keys")  # by default, texts of others stay in memory
    return value
