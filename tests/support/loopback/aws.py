"""What functions call of AWS, on loopback ports: SSM, a bucket of S3, and an empty DynamoDB, with its faults."""

import hashlib
import json
import time
from collections.abc import Mapping
from typing import Self, Unpack

from tests.support.loopback.fault import Aim, Exchange, LoopbackFault
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

CREDENTIALS = "/2021-04-23/credentials"


class LoopbackParameters(LoopbackServer):
    """A context manager that serves SecureStrings by `GetParameter`."""

    server_name = "loopback-ssm"

    def __init__(self, values: Mapping[str, str]) -> None:
        super().__init__()
        self.values = dict(values)

    def environment(self, *, snap_start: bool = False) -> dict[str, str]:
        """Return the endpoint and, without SnapStart, the credentials, which would be frozen with the snapshot."""
        endpoint = {"AWS_ENDPOINT_URL_SSM": self.url}
        if snap_start:
            uri = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{self.url}{CREDENTIALS}"}
            return endpoint | uri | {"AWS_CONTAINER_AUTHORIZATION_TOKEN": "loopback"}
        names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
        return endpoint | dict.fromkeys(names, "loopback")

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as SSM, or as the service that provides credentials."""
        if (request.method, request.path) == ("GET", CREDENTIALS):
            expiry = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 6 * 3600))
            keys = dict.fromkeys(("AccessKeyId", "SecretAccessKey", "Token"), "loopback")
            return Response.of_json(200, keys | {"Expiration": expiry})
        if request.headers.get("x-amz-target") != "AmazonSSM.GetParameter":
            return Response.of_json(400, {"__type": "AccessDeniedException"})
        name = request.body["Name"]
        if name not in self.values:
            return Response.of_json(400, {"__type": "ParameterNotFound"})
        value = self.values[name] if request.body.get("WithDecryption") else "AQICAHj-still-encrypted"
        return Response.of_json(200, {"Parameter": {"Name": name, "Type": "SecureString", "Value": value}})


MISSING = b"<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>There is no such key.</Message></Error>"


class LoopbackBucket(LoopbackServer):
    """A context manager that serves objects by HeadObject and GetObject; the client names the bucket in the path."""

    server_name = "loopback-s3"

    def __init__(self, objects: Mapping[str, bytes]) -> None:
        super().__init__()
        self.objects = dict(objects)

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as S3 does, without conditions and ranges; a response to HEAD has no body."""
        content = self.objects.get(request.path.strip("/").partition("/")[2])
        if content is None:
            return Response(404, b"" if request.method == "HEAD" else MISSING, {"content-type": "application/xml"})
        headers = {"etag": f'"{hashlib.sha256(content).hexdigest()[:32]}"'}
        return Response(200, b"" if request.method == "HEAD" else content, headers)


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
