"""SSM parameters on a loopback port, and the credentials with which a function reads them."""

import time
from collections.abc import Mapping

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
        """Return the endpoint and the credentials, as Lambda provides them.

        With SnapStart no credentials are in the environment, because they would be frozen with the snapshot.
        """
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
