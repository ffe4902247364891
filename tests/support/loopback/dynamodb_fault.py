"""A DynamoDB on a loopback port that accepts everything and stores nothing, and its faults."""

import json
from collections.abc import Mapping
from typing import Self, Unpack

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
        tables = request.body.get("RequestItems", {})
        empty: dict[str, dict[str, object]] = {
            "BatchGetItem": {"Responses": {table: [] for table in tables}, "UnprocessedKeys": {}},
            "BatchWriteItem": {"UnprocessedItems": {}},
            "UpdateItem": {"Attributes": {}},
        }
        return Response.of_json(200, empty.get(operation(request), {}), TYPE)


class DynamoDBFault(LoopbackFault):
    """A fault of DynamoDB, or of the connection to it."""

    @classmethod
    def error(cls, code: int, name: str, **aim: Unpack[Aim]) -> Self:
        """Respond with an error by its name."""
        body = json.dumps({"__type": ERRORS + name, "message": "Injected by the test."}).encode()
        return cls(name, lambda _: Response(code, body, TYPE), **aim)

    @classmethod
    def undone(cls, **aim: Unpack[Aim]) -> Self:
        """Leave every part of a batch unprocessed, as an overloaded table does."""

        def distort(exchange: Exchange) -> Response:
            asked = exchange.request.body.get("RequestItems", {})
            undone = {"Responses": {}, "UnprocessedKeys": asked, "UnprocessedItems": asked}
            return Response.of_json(200, undone, TYPE) if asked else exchange.genuine()

        return cls("undone", distort, **aim)

    @classmethod
    def holding(cls, item: Item, **aim: Unpack[Aim]) -> Self:
        """Return the same item for every key."""

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
    """Name the operation of a request."""
    return request.headers.get("x-amz-target", "").rpartition(".")[2]
