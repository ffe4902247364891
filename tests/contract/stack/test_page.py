"""The stack of the page: a private bucket and the API under one domain, with the headers of the local server."""

import json
from typing import Any

from goldpan_local.page.files import HEADERS
from goldpan_local.server.contract import PAGE_HEADERS

from scripts.page.build import site
from tests.contract.stack.documents import GATEWAY, read, strings, template
from tests.support.loopback.edge import DISTRIBUTION, PAGE_STACK, behavior_of, headers_of

PATHS: dict[str, Any] = {path: each for path, each in read(GATEWAY)["paths"].items() if path != "/{proxy+}"}
CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"


def test_only_this_distribution_reads_the_bucket() -> None:
    """The files have no public address, nothing else of AWS reads them, and `make deploy` makes neither."""
    assert "CloudFront" not in json.dumps(template())
    assert set(PAGE_STACK["PageBucket"]["Properties"]["PublicAccessBlockConfiguration"].values()) == {True}
    allowed, denied = PAGE_STACK["PageBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert [denied["Effect"], allowed["Effect"], allowed["Action"]] == ["Deny", "Allow", "s3:GetObject"]
    assert allowed["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    [source] = strings(allowed["Condition"]["StringEquals"])
    assert source.endswith(":distribution/${Distribution}")
    assert DISTRIBUTION["Origins"][0]["OriginAccessControlId"] == {"Ref": "BucketAccess"}
    control = PAGE_STACK["BucketAccess"]["Properties"]["OriginAccessControlConfig"]
    assert control["SigningBehavior"] == "always"


def test_the_headers_are_those_of_the_local_server() -> None:
    """What the policy forbids here it forbids there; the files bring their cache header with them."""
    assert headers_of(behavior_of("/")) | {"cache-control": "no-cache"} == HEADERS
    assert headers_of(behavior_of("/docs")) == PAGE_HEADERS


def test_every_path_is_routed() -> None:
    """Each path of the API goes to it, uncached, without a query or a cookie; each file comes from the bucket."""
    for path in PATHS:
        behavior = behavior_of(path.replace("{id}", "6f1c"))
        assert (behavior["TargetOriginId"], behavior["CachePolicyId"]) == ("api", CACHING_DISABLED), path
        assert "POST" in behavior["AllowedMethods"]
    assert {behavior_of(path)["TargetOriginId"] for path in site()} == {"files"}
    forwarded = PAGE_STACK["ApiRequests"]["Properties"]["OriginRequestPolicyConfig"]
    assert forwarded["HeadersConfig"] == {"HeaderBehavior": "allExcept", "Headers": ["Host"]}
    assert [*strings(forwarded["CookiesConfig"]), *strings(forwarded["QueryStringsConfig"])] == ["none", "none"]
    assert "Logging" not in DISTRIBUTION  # the addresses of the page have the questions
    assert {each["ErrorCachingMinTTL"] for each in DISTRIBUTION["CustomErrorResponses"]} == {0}


def test_the_page_describes_what_its_api_serves() -> None:
    """/openapi.json names the operations of API Gateway, and /docs offers no form for another one."""
    served = {path: {verb for verb in each if not verb.startswith("x-")} for path, each in PATHS.items()}
    described = json.loads(site()["/openapi.json"])["paths"]
    assert {path: set(operations) for path, operations in described.items()} == served
    assert b"<form" not in site()["/docs"]
