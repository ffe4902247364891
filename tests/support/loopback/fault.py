"""The faults that a test can inject into a loopback server."""

import gzip
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import Any, Self, TypedDict, Unpack

from tests.support.loopback import wire
from tests.support.loopback.wire import RecordedRequest, Response

RECORDS = ("data", "items", "nodes", "results")
"""The names of the lists of records in responses of GitHub and of sources of papers."""


class Aim(TypedDict, total=False):
    """Which requests a fault affects, by a text in them, and how many of these (None: all)."""

    contains: str | None
    times: int | None


@dataclass(frozen=True)
class Exchange:
    """A request, the server's time, and what the server would respond without a fault."""

    request: RecordedRequest
    now: datetime
    genuine: Callable[[], Response]


@dataclass(frozen=True)
class LoopbackFault:
    """A change of the responses to the requests that it affects."""

    name: str
    distort: Callable[[Exchange], Response]
    contains: str | None = None
    times: int | None = 1

    @classmethod
    def status(
        cls, code: int, headers: Mapping[str, str] | None = None, body: object = None, **aim: Unpack[Aim]
    ) -> Self:
        """Respond with a status and a JSON body, by default a message in the form of GitHub and of OpenAI."""
        phrase = HTTPStatus(code).phrase
        payload = {"message": phrase, "error": {"message": phrase}} if body is None else body
        return cls(f"status {code}", lambda _: Response.of_json(code, payload, headers), **aim)

    @classmethod
    def hang(cls, **aim: Unpack[Aim]) -> Self:
        """Accept the request and never respond."""
        return cls("hang", lambda _: Response(200, delivery=wire.hang), **aim)

    @classmethod
    def drip(cls, every: float = 0.2, **aim: Unpack[Aim]) -> Self:
        """Respond one byte at a time."""
        return cls("drip", delivered(wire.drip(every)), **aim)

    @classmethod
    def reset(cls, **aim: Unpack[Aim]) -> Self:
        """Reset the connection before any byte."""
        return cls("reset", lambda _: Response(200, delivery=wire.reset), **aim)

    @classmethod
    def broken_off(cls, **aim: Unpack[Aim]) -> Self:
        """Send half of the response, and close the connection."""
        return cls("broken_off", delivered(wire.broken_off), **aim)

    @classmethod
    def wrong_content_type(cls, **aim: Unpack[Aim]) -> Self:
        """Respond 200 with an HTML page, as a captive proxy does."""
        page = b"<!DOCTYPE html><html><body><h1>Sign in to continue</h1></body></html>"
        headers = {"content-type": "text/html; charset=utf-8"}
        return cls("wrong_content_type", lambda _: Response(200, page, headers), **aim)

    @classmethod
    def not_json(cls, **aim: Unpack[Aim]) -> Self:
        """Respond 200 with JSON that ends too early."""
        response = Response(200, b'{"total_count": 3, "items": [{"id": ', {"content-type": wire.JSON_TYPE})
        return cls("not_json", lambda _: response, **aim)

    @classmethod
    def bomb(cls, megabytes: int = 40, **aim: Unpack[Aim]) -> Self:
        """Respond 200 with a small compressed body that is large when it is decompressed."""
        body = gzip.compress(b"[" + b" " * (megabytes * 1024 * 1024) + b"]", 6)
        headers = {"content-type": wire.JSON_TYPE, "content-encoding": "gzip"}
        return cls("bomb", lambda _: Response(200, body, headers), **aim)

    @classmethod
    def nested(cls, levels: int = 20_000, **aim: Unpack[Aim]) -> Self:
        """Respond 200 with lists within lists."""
        response = Response(200, b"[" * levels + b"]" * levels, {"content-type": wire.JSON_TYPE})
        return cls("nested", lambda _: response, **aim)

    @classmethod
    def null_members(cls, **aim: Unpack[Aim]) -> Self:
        """Put a null and a text before the members of each list of records in a response in JSON."""
        return cls("null_members", edited(_add_nulls), **aim)

    def after(self, seconds: float) -> Self:
        """Wait before the fault."""

        def late(exchange: Exchange) -> Response:
            time.sleep(seconds)
            return self.distort(exchange)

        return replace(self, distort=late)


def delivered(delivery: wire.Delivery) -> Callable[[Exchange], Response]:
    """Deliver the response in another way."""
    return lambda exchange: replace(exchange.genuine(), delivery=delivery)


def _add_nulls(value: Any) -> None:
    if not isinstance(value, dict | list):
        return
    for name, child in list(value.items() if isinstance(value, dict) else enumerate(value)):
        _add_nulls(child)
        if name in RECORDS and isinstance(child, list):
            child[:0] = [None, "no record"]


def edited(edit: Callable[[dict[str, Any]], None]) -> Callable[[Exchange], Response]:
    """Change the JSON of a response."""

    def distort(exchange: Exchange) -> Response:
        response = exchange.genuine()
        body = json.loads(response.body)
        edit(body)
        return replace(response, body=json.dumps(body, ensure_ascii=False).encode())

    return distort
