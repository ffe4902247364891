"""CloudFront on a loopback port: the distribution of page/template.yaml, with files and an API behind one address."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import httpx2

from tests.contract.stack.documents import ROOT, read
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

PAGE_STACK: dict[str, Any] = read(ROOT / "page" / "template.yaml")["Resources"]
DISTRIBUTION: dict[str, Any] = PAGE_STACK["Distribution"]["Properties"]["DistributionConfig"]
NOT_FORWARDED = {"host", "cookie", "content-length", "connection", "accept-encoding"}


class LoopbackEdge(LoopbackServer):
    """Serves what S3 responds to the keys of the files, and forwards to the API what the template routes to it."""

    server_name = "loopback-cloudfront"

    def __init__(self, files: Mapping[str, Response], api: str) -> None:
        super().__init__()
        self._files, self._api = files, api

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as the first behavior whose pattern fits the path."""
        behavior = behavior_of(request.path)
        if behavior["TargetOriginId"] == "api":
            return self._forward(request)
        key = request.path.lstrip("/") or DISTRIBUTION["DefaultRootObject"]
        file = self._files.get(key, Response(403))
        return Response(file.status, file.body, {**file.headers, **headers_of(behavior)})

    def _forward(self, request: RecordedRequest) -> Response:
        """Send what ApiRequests lets through: no query, no cookie, and the host of the API in place of this one."""
        kept = {name: value for name, value in request.headers.items() if name not in NOT_FORWARDED}
        with httpx2.Client(base_url=self._api, timeout=30, trust_env=False) as client:
            got = client.request(request.method, request.path, headers=kept, json=request.body)
        sent = {name: got.headers[name] for name in ("content-type", "retry-after") if name in got.headers}
        return Response(got.status_code, got.content, sent)


def behavior_of(path: str) -> dict[str, Any]:
    """Return the behavior of a path."""
    fitting = (each for each in DISTRIBUTION["CacheBehaviors"] if fnmatchcase(path, each["PathPattern"]))
    found: dict[str, Any] = next(fitting, DISTRIBUTION["DefaultCacheBehavior"])
    return found


def headers_of(behavior: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers that a behavior of the files adds, without the one for HTTPS."""
    policy = PAGE_STACK[behavior["ResponseHeadersPolicyId"]["Ref"]]["Properties"]["ResponseHeadersPolicyConfig"]
    security, custom = policy["SecurityHeadersConfig"], policy.get("CustomHeadersConfig", {"Items": ()})
    named = {"content-security-policy": "ContentSecurityPolicy", "referrer-policy": "ReferrerPolicy"}
    made = {header: security[name][name] for header, name in named.items() if name in security}
    made |= {"x-content-type-options": "nosniff"} if "ContentTypeOptions" in security else {}
    return made | {each["Header"]: each["Value"] for each in custom["Items"]}
