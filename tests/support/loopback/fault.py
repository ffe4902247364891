"""Faults that a loopback server can be told to have."""

from __future__ import annotations

import gzip
import threading
import time
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Literal, Self, TypedDict, Unpack

from tests.support.loopback import wire
from tests.support.loopback.wire import RecordedRequest, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

Where = Literal["rest", "graphql", "any"]


class Aim(TypedDict, total=False):
    """Which requests a fault strikes, and how many of them (None: for ever)."""

    where: Where
    contains: str | None
    times: int | None


@dataclass(frozen=True)
class Exchange:
    """A request, the server's time, and the answer that a healthy server would give to it."""

    request: RecordedRequest
    now: datetime
    genuine: Callable[[], Response]


@dataclass(frozen=True)
class LoopbackFault:
    """A distortion of the answers to the requests that it strikes."""

    name: str
    distort: Callable[[Exchange], Response]
    where: Where = "any"
    contains: str | None = None
    times: int | None = 1

    @staticmethod
    def default_body(code: int) -> object:
        """Give the body for a status that came without one."""
        return {"message": HTTPStatus(code).phrase}

    @classmethod
    def status(
        cls,
        code: int,
        headers: Mapping[str, str] | None = None,
        body: object = None,
        **aim: Unpack[Aim],
    ) -> Self:
        """Answer with a status, and with a JSON body."""
        payload = cls.default_body(code) if body is None else body
        return cls(f"status {code}", lambda _: Response.of_json(code, payload, headers), **aim)

    @classmethod
    def hang(cls, **aim: Unpack[Aim]) -> Self:
        """Accept the request and never answer."""
        return cls("hang", lambda _: Response(HTTPStatus.OK, delivery=wire.hang), **aim)

    @classmethod
    def drip(cls, every: float = 0.2, **aim: Unpack[Aim]) -> Self:
        """Answer truly, but one byte at a time."""
        return cls("drip", lambda exchange: replace(exchange.genuine(), delivery=wire.drip(every)), **aim)

    @classmethod
    def reset(cls, **aim: Unpack[Aim]) -> Self:
        """Reset the connection before any byte."""
        return cls("reset", lambda _: Response(HTTPStatus.OK, delivery=wire.reset), **aim)

    @classmethod
    def wrong_content_type(cls, **aim: Unpack[Aim]) -> Self:
        """Answer 200 with a page for people, as a captive proxy does."""
        page = b"<!DOCTYPE html><html><body><h1>Sign in to continue</h1></body></html>"
        headers = {"content-type": "text/html; charset=utf-8"}
        return cls("wrong_content_type", lambda _: Response(HTTPStatus.OK, page, headers), **aim)

    @classmethod
    def bomb(cls, megabytes: int = 40, **aim: Unpack[Aim]) -> Self:
        """Answer 200 with a small packed body that is large when it is unpacked."""
        body = gzip.compress(b"[" + b" " * (megabytes * 1024 * 1024) + b"]", 6)
        headers = {"content-type": wire.JSON_TYPE, "content-encoding": "gzip"}
        return cls("bomb", lambda _: Response(HTTPStatus.OK, body, headers), **aim)

    def after(self, seconds: float) -> Self:
        """Strike as before, but only some seconds after the request came."""

        def late(exchange: Exchange) -> Response:
            time.sleep(seconds)
            return self.distort(exchange)

        return replace(self, distort=late)

    def strikes(self, request: RecordedRequest) -> bool:
        """Tell whether a request is one that this fault is aimed at."""
        kind = "graphql" if request.path.endswith("/graphql") else "rest"
        return self.where in ("any", kind) and (self.contains is None or self.contains in request.text)


class FaultQueue:
    """The faults still to come; the oldest that strikes a request is the one that it gets."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[LoopbackFault, int | None]] = []

    def extend(self, faults: tuple[LoopbackFault, ...]) -> None:
        """Queue faults behind those that wait already."""
        with self._lock:
            self._waiting.extend((fault, fault.times) for fault in faults)

    def clear(self) -> None:
        """Forget all faults, also those that would last for ever."""
        with self._lock:
            self._waiting.clear()

    def take(self, request: RecordedRequest) -> LoopbackFault | None:
        """Use up one time of the first fault that strikes this request."""
        with self._lock:
            for place, (fault, times) in enumerate(self._waiting):
                if fault.strikes(request):
                    left = None if times is None else times - 1
                    self._waiting[place : place + 1] = [] if left == 0 else [(fault, left)]
                    return fault
        return None
