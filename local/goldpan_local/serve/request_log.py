"""One line of JSON a request on stderr: what was called and how it ended, never what was asked, answered or shown."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
import uuid
from datetime import UTC, datetime

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_METHOD = 16
_GIVEN_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_LOG = logging.getLogger("goldpan_local.serve")


class RequestLog:
    """Gives every request its id, which the answer carries, and its line in the log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and tell of it when it has ended."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status, request_id = time.perf_counter(), 500, _request_id(scope)

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = request_id
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception:  # noqa: BLE001 - answered already, by the handler of the application; here it is told
            _LOG.exception("A request broke as nobody foresaw", extra={"facts": {"request_id": request_id}})
        finally:
            told = {"method": scope["method"][:MAX_METHOD], "path": _path(scope), "status": status}
            told |= {"ms": round(1000 * (time.perf_counter() - begun)), "request_id": request_id}
            _LOG.info("request", extra={"facts": told})


class OneLine(logging.Formatter):
    """Writes a record as one line of JSON, in ASCII: nothing in it can command a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the line; a traceback is one of its fields."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": when, "level": record.levelname.lower(), "message": record.getMessage()}
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


def log_to_stderr() -> None:
    """Send what the server tells to stderr; of all others their warnings, since some name in full what they call."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    _LOG.setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


def _request_id(scope: Scope) -> str:
    given = Headers(scope=scope).get("x-request-id", "")
    return given if _GIVEN_ID.fullmatch(given) else uuid.uuid4().hex


def _path(scope: Scope) -> str:
    """Name the path where it is one of ours; in any other there may stand a question, or a key."""
    return str(scope["path"]) if "endpoint" in scope else "unknown"
