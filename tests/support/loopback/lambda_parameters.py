"""SSM's parameters on a loopback port, and the credentials that a function asks for them with."""

from __future__ import annotations

import time
from collections.abc import Mapping

from tests.support.loopback.lambda_environment import ACCOUNT, REGION
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

CREDENTIALS = "/2021-04-23/credentials"


class LoopbackParameters(LoopbackServer):
    """A context manager that gives SecureStrings by their names, as far as `GetParameter` and `GetParameters` go."""

    server_name = "loopback-ssm"

    def __init__(self, values: Mapping[str, str]) -> None:
        super().__init__()
        self.values = dict(values)

    def environment(self, *, snap_start: bool = False) -> dict[str, str]:
        """Tell a function where parameters are read, and its credentials as Lambda gives them.

        A function with SnapStart has no keys in its environment: they would be frozen with the snapshot.
        """
        where = {"AWS_ENDPOINT_URL_SSM": self.url}
        if snap_start:
            uri = f"{self.url}{CREDENTIALS}"
            return where | {"AWS_CONTAINER_CREDENTIALS_FULL_URI": uri, "AWS_CONTAINER_AUTHORIZATION_TOKEN": "loopback"}
        names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
        return where | dict.fromkeys(names, "loopback")

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as SSM, or as the place where credentials lie."""
        if (request.method, request.path) == ("GET", CREDENTIALS):
            return Response.of_json(200, _credentials())
        action = request.headers.get("x-amz-target", "").removeprefix("AmazonSSM.")
        if action == "GetParameter":
            name = request.body["Name"]
            if name not in self.values:
                return Response.of_json(400, {"__type": "ParameterNotFound"})
            return Response.of_json(200, {"Parameter": self._parameter(name, request)})
        if action == "GetParameters":
            names = request.body["Names"]
            known = [self._parameter(name, request) for name in names if name in self.values]
            unknown = [name for name in names if name not in self.values]
            return Response.of_json(200, {"Parameters": known, "InvalidParameters": unknown})
        return self.refuse(request)

    def refuse(self, request: RecordedRequest) -> Response:
        """Refuse what no function is permitted to do."""
        denied = f"not authorized to perform: {request.headers.get('x-amz-target', request.path)}"
        return Response.of_json(400, {"__type": "AccessDeniedException", "Message": denied})

    def _parameter(self, name: str, request: RecordedRequest) -> dict[str, object]:
        value = self.values[name] if request.body.get("WithDecryption") else "AQICAHj-still-encrypted"
        arn = f"arn:aws:ssm:{REGION}:{ACCOUNT}:parameter/{name.removeprefix('/')}"
        return {"Name": name, "Type": "SecureString", "Value": value, "Version": 1, "ARN": arn, "DataType": "text"}


def _credentials() -> dict[str, str]:
    until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 6 * 3600))
    return {"AccessKeyId": "loopback", "SecretAccessKey": "loopback", "Token": "loopback", "Expiration": until}
