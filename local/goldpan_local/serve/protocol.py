"""HTTP as uvicorn speaks it, with problem details for what is no HTTP, and an end to what never ends."""

from __future__ import annotations

import asyncio

import h11
from goldpan.engine.problem_details import PROBLEM_TYPE
from uvicorn.protocols.http.h11_impl import H11Protocol

from goldpan_local.serve.refusals import REFUSALS, body_of

HEAD_SECONDS = 10.0
"""How long a connection may take to say what it wants, or to send a body that nobody reads."""


class BoundedProtocol(H11Protocol):
    """One connection; uvicorn would wait for ever for its first request, and for the rest of a head."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read on; the time for the rest does not begin anew with every byte."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._rest()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP; uvicorn's own answer is plain text, and fails where another one was given before."""
        del msg
        if self.conn.our_state is h11.IDLE or self.conn.our_state is h11.SEND_RESPONSE:
            self._refuse()
        self.transport.close()

    def _refuse(self) -> None:
        body = body_of(400, REFUSALS[400]).encode()
        headers = [("content-type", PROBLEM_TYPE), ("content-length", str(len(body))), ("connection", "close")]
        head = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (head, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")

    def _watch(self) -> None:
        """Let the time run while something is awaited that no request waits for."""
        theirs = self.conn.their_state
        head = theirs is h11.IDLE and (self.cycle is None or bool(self.conn.trailing_data[0]))
        unread = theirs is h11.SEND_BODY and self.cycle.response_complete
        if not head and not unread:
            self._rest()
        elif self._limit is None:
            self._limit = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _rest(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
