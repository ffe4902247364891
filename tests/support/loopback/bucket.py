"""A bucket of S3 on a loopback port, with objects that can be read."""

import hashlib
from collections.abc import Mapping

from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

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
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(304, b"", headers)
        return Response(200, b"" if request.method == "HEAD" else content, headers)
