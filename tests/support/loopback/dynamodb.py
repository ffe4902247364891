"""DynamoDB on a loopback port, in a process of its own, which answers one request after the other.

moto keeps its items in memory and checks a condition before it writes, without a lock: only requests that follow one
another see what DynamoDB's conditions promise.
"""

from __future__ import annotations

import json
import multiprocessing
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

HOST = "dynamodb.eu-central-1.amazonaws.com"
LIST_TABLES = {"x-amz-target": "DynamoDB_20120810.ListTables", "authorization": "AWS4 test/1/eu-central-1/dynamodb"}
_ONE_AT_A_TIME = threading.Lock()


class _DynamoDB(LoopbackServer):
    """Passes each request to moto."""

    def answer(self, request: RecordedRequest) -> Response:
        """Answer when the requests before it are answered."""
        with _ONE_AT_A_TIME:
            status, headers, body = _answer(request.headers, json.dumps(request.body).encode())
        return Response(status, body.encode() if isinstance(body, str) else body, headers)


def _answer(headers: dict[str, str], body: bytes) -> Any:
    from botocore.awsrequest import AWSPreparedRequest  # noqa: PLC0415 - only the serving process has these
    from moto.core.botocore_stubber import BotocoreStubber  # noqa: PLC0415

    sent: Any = headers | {"host": HOST}
    return BotocoreStubber().process_request(
        AWSPreparedRequest(method="POST", url=f"https://{HOST}/", headers=sent, body=body, stream_output=False)
    )


def _serve(parent: Connection) -> None:
    _answer(LIST_TABLES, b"{}")  # the first request takes seconds
    with _DynamoDB() as server:
        parent.send(server.url)
        parent.poll(None)


@contextmanager
def serialising_dynamodb() -> Iterator[str]:
    """Serve DynamoDB until the end of the block; yields its address."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(30):
            raise RuntimeError("DynamoDB did not start")
        yield ours.recv()
    finally:
        ours.close()
        process.join(10)
        process.kill()
        process.join()
