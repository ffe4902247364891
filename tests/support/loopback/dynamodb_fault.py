"""A DynamoDB on a loopback port that takes everything and holds nothing, and the faults of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Self, Unpack

from tests.support.loopback.fault import Aim, Exchange, LoopbackFault
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

TYPE = {"content-type": "application/x-amz-json-1.0"}
ERRORS = "com.amazonaws.dynamodb.v20120810#"
Item = Mapping[str, Mapping[str, object]]


class LoopbackDynamoDB(LoopbackServer):
    """A context manager that accepts every write, meets every condition, and finds nothing."""

    server_name = "Server"

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as an empty table does."""
        empty: dict[str, dict[str, object]] = {
            "BatchGetItem": {"Responses": {table: [] for table in _tables(request)}, "UnprocessedKeys": {}},
            "BatchWriteItem": {"UnprocessedItems": {}},
            "UpdateItem": {"Attributes": {}},
        }
        return Response.of_json(200, empty.get(operation(request), {}), TYPE)

    def refuse(self, _request: RecordedRequest) -> Response:
        """Refuse a request over the limit of simultaneous ones."""
        return _error(400, "ProvisionedThroughputExceededException", "The level of throughput was exceeded.")


class DynamoDBFault(LoopbackFault):
    """What can be wrong with DynamoDB, or with the way to it."""

    @classmethod
    def error(cls, code: int, name: str, message: str = "Told by the test.", **aim: Unpack[Aim]) -> Self:
        """Answer with an error by its name."""
        return cls(name, lambda _: _error(code, name, message), **aim)

    @classmethod
    def undone(cls, **aim: Unpack[Aim]) -> Self:
        """Leave every part of a batch undone, as a table does that has too much to do."""

        def distort(exchange: Exchange) -> Response:
            asked = exchange.request.body.get("RequestItems", {})
            told = {"Responses": {}, "UnprocessedKeys": asked, "UnprocessedItems": asked}
            return Response.of_json(200, told, TYPE) if asked else exchange.genuine()

        return cls("undone", distort, **aim)

    @classmethod
    def holding(cls, item: Item, **aim: Unpack[Aim]) -> Self:
        """Hold the same item under every key that is asked for."""

        def distort(exchange: Exchange) -> Response:
            request = exchange.request
            if operation(request) == "GetItem":
                return Response.of_json(200, {"Item": {**request.body["Key"], **item}}, TYPE)
            if operation(request) != "BatchGetItem":
                return exchange.genuine()
            asked = request.body["RequestItems"].items()
            found = {table: [{**key, **item} for key in one["Keys"]] for table, one in asked}
            return Response.of_json(200, {"Responses": found, "UnprocessedKeys": {}}, TYPE)

        return cls("holding", distort, **aim)


def operation(request: RecordedRequest) -> str:
    """Name what is asked for."""
    return request.headers.get("x-amz-target", "").rpartition(".")[2]


def _tables(request: RecordedRequest) -> list[str]:
    body: dict[str, Any] = request.body if isinstance(request.body, dict) else {}
    return list(body.get("RequestItems", {}))


def _error(code: int, name: str, message: str) -> Response:
    body = json.dumps({"__type": ERRORS + name, "message": message}).encode()
    return Response(code, body, TYPE)
