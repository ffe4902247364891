"""DynamoDB on a loopback port, in a process of its own, which answers one request after the other.

moto keeps its items in memory and checks a condition before it writes, without a lock: only requests that follow one
another see what DynamoDB's conditions promise.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any, ClassVar

HOST = "dynamodb.eu-central-1.amazonaws.com"
TARGET = "DynamoDB_20120810"
_ONE_AT_A_TIME = threading.Lock()


class _Handler(BaseHTTPRequestHandler):
    """Hands each request to moto, with the connection kept open and the lock held."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    served: ClassVar[int] = 0

    def do_GET(self) -> None:
        """Tell how many requests were served."""
        self._reply(200, {}, str(_Handler.served))

    def do_POST(self) -> None:
        """Serve a request of DynamoDB."""
        body = self.rfile.read(int(self.headers["content-length"]))
        with _ONE_AT_A_TIME:
            _Handler.served += 1
            told = _answer(dict(self.headers.items()), body)
        self._reply(*told)

    def _reply(self, status: int, headers: dict[str, Any], body: str | bytes) -> None:
        sent = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in {**headers, "content-length": len(sent)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


def _answer(headers: dict[str, str], body: bytes) -> Any:
    from botocore.awsrequest import AWSPreparedRequest  # noqa: PLC0415 - only the serving process has these
    from moto.core.botocore_stubber import BotocoreStubber  # noqa: PLC0415

    sent: Any = headers | {"host": HOST}
    return BotocoreStubber().process_request(
        AWSPreparedRequest(method="POST", url=f"https://{HOST}/", headers=sent, body=body, stream_output=False)
    )


def _serve(parent: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    _answer({"x-amz-target": f"{TARGET}.ListTables", "authorization": "AWS4 test/1/eu-central-1/dynamodb"}, b"{}")
    parent.send(server.server_port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    parent.poll(None)


@contextmanager
def serialising_dynamodb() -> Iterator[str]:
    """Serve DynamoDB until the end of the block; gives its address."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(30):
            message = "DynamoDB did not start"
            raise RuntimeError(message)
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        ours.close()
        process.join(10)
        process.kill()
        process.join()
