"""What the emulator's CloudFront lacks: an API of the same emulator as an origin, and TLS on the way to a bucket."""

import os
from typing import Any

from ministack.core.iam_evaluator import pin_request_origin
from ministack.services import cloudfront as service

Document = dict[str, Any]
API = ".execute-api."


def install() -> None:
    """Fetch from both origins of the page."""
    fetch, serve = service._fetch_from_origin, service._serve_s3_origin

    async def fetch_api(origin: Document, *request: Any) -> Any:
        return await fetch(_of_emulator(origin) if API in origin["domain_name"] else origin, *request)

    def serve_bucket(*request: Any) -> Any:
        pin_request_origin("127.0.0.1", secure_transport=True)  # CloudFront calls S3 as the viewer called it
        return serve(*request)

    service._fetch_from_origin, service._serve_s3_origin = fetch_api, serve_bucket


def _of_emulator(origin: Document) -> Document:
    """Return an origin with the address at which the emulator serves the stage of an API."""
    name = origin["domain_name"].partition(".")[0]
    path = f"/restapis/{name}{origin['origin_path']}/_user_request_"
    address = {"domain_name": "127.0.0.1", "http_port": int(os.environ["GATEWAY_PORT"]), "protocol_policy": "http-only"}
    return origin | address | {"origin_path": path}
