"""The log of the server: one line of JSON per request and search on stderr, without questions, answers and keys."""

import json
import logging
import re
import sys
import time
import uuid
from datetime import UTC, datetime

import h11
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_VALID_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
"""The ids of clients that are safe to log; others are replaced."""
_LOG = logging.getLogger("goldpan_local.server")


class RequestLog:
    """ASGI middleware that gives every request an id, as a response header, and logs it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log it at its end."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status, given = time.perf_counter(), 500, Headers(scope=scope).get("x-request-id", "")
        request_id = given if _VALID_ID.fullmatch(given) else uuid.uuid4().hex

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except Exception:  # noqa: BLE001 - the application has responded to it already
            _LOG.exception("Unexpected error in a request", extra={"fields": {"request_id": request_id}})
        finally:
            # The path of the contract, without an id; the one that was sent may contain a question or a key.
            path = scope["route"].path if "route" in scope else "unknown"
            fields = {"method": scope["method"][:16], "path": path, "status": status}
            fields |= {"ms": round(1000 * (time.perf_counter() - start)), "request_id": request_id}
            _LOG.info("request", extra={"fields": fields})


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON in ASCII, so that it cannot contain terminal commands."""

    def format(self, record: logging.LogRecord) -> str:
        """Format the record, with a traceback as one of the fields."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": when, "level": record.levelname.lower(), "message": record.getMessage()}
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


def log_to_stderr() -> None:
    """Configure logging: requests and searches from INFO, others from WARNING, because some log URLs."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in (_LOG.name, "goldpan.engine.answers"):  # which has a line for each search that was run
        logging.getLogger(name).setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    logging.getLogger("asyncio").addFilter(_is_not_handled)


def _is_not_handled(record: logging.LogRecord) -> bool:
    """Whether uvicorn has not handled what the event loop logs: malformed HTTP after a response closes a connection."""
    return not (record.exc_info and isinstance(record.exc_info[1], h11.ProtocolError))
