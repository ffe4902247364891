"""The port of HTTP: requests, responses, and a total deadline for both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Unavailable
from goldpan.infra.json_text import read_json
from goldpan.infra.redaction import redact

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
