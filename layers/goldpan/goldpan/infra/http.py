"""The port of HTTP: requests, responses, JSON that others sent, and a total deadline."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pydantic_core import from_json

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Unavailable
from goldpan.infra.redaction import redact

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_ESCAPE = re.compile(rb"(\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\[^u])|\\u[dD][89a-fA-F][0-9a-fA-F]{2}", re.DOTALL)
"""An escape; the group leaves out that of a lone surrogate, which JSON can write and UTF-8 cannot encode."""
MAX_NAMED = 80
"""Characters of a content type that a message repeats."""


@dataclass(frozen=True)
class HttpRequest:
    """A request; a body is sent as JSON."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    body: object = None


@dataclass(frozen=True)
class HttpResponse:
    """A response, with header names in lower case and the unpacked body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> object:
        """Parse the body, and replace lone surrogates. Raises `Unavailable` if it is not JSON."""
        try:
            return read_json(self.body)
        except ValueError as error:
            content_type = redact(self.headers.get("content-type", "no content type"))[:MAX_NAMED]
            raise Unavailable(f"answered {self.status} with {content_type} that is not JSON") from error


class Http(Protocol):
    """Sends requests."""

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Send, and read the whole response. Raises `TimedOut` or `Unavailable`, never for a status."""


def read_json(body: bytes) -> object:
    """Parse JSON in UTF-8, no deeper than about 200 levels, and replace lone surrogates. Raises `ValueError`."""
    text = body.removeprefix(BYTE_ORDER_MARK)
    if b"\\ud" in text.lower():
        text = _ESCAPE.sub(lambda found: found[1] or rb"\ufffd", text)
    value: object = from_json(text, cache_strings="keys")  # by default, texts of others stay in memory
    return value
