"""What the internet reaches: the API of the template, and the stack of the page, with the headers of the server."""

import json
import re
from fnmatch import fnmatch
from typing import Any

from goldpan_local.page.files import HEADERS
from goldpan_local.server.contract import PAGE_HEADERS

from api.generate import UNKNOWN
from scripts.page.build import site
from tests.contract.stack.documents import GATEWAY, read, resources, strings, template
from tests.support.loopback.edge import DISTRIBUTION, PAGE_STACK, behavior_of, headers_of

[API] = resources("AWS::Serverless::Api").values()
[METHODS] = API["MethodSettings"]


def test_the_logs_reveal_neither_request_nor_caller() -> None:
    """A line is one JSON object of known variables; the execution log may quote a refused body, so it is off."""
    assert API["AccessLogSetting"]["DestinationArn"] == {"Fn::GetAtt": ["SearchApiLogs", "Arn"]}
    logged = json.loads(API["AccessLogSetting"]["Format"]).values()
    private = re.compile(r"\.path$|message|authorizer|requestOverride|identity\.(?!apiKeyId$)")
    assert [name for name in logged if private.search(name)] == []
    assert (METHODS["LoggingLevel"], METHODS["DataTraceEnabled"]) == ("OFF", False)


def test_a_first_deployment_that_fails_leaves_nothing() -> None:
    """And what stays of one that is deleted is the user's own, or what other stacks use."""
    policies = {name: each.get("DeletionPolicy") for name, each in template()["Resources"].items()}
    assert "Retain" not in policies.values()
    kept = [name for name, policy in policies.items() if policy == "RetainExceptOnCreate"]
    assert kept == ["LibraryBucket", "LibraryBucketPolicy", "ApiGatewayAccountRole"]
    assert template()["Parameters"]["ApiGatewayLogRole"]["Default"] == "existing", "another stack may have set it"


def test_signed_requests_are_of_this_account() -> None:
    """With AWS_IAM, health and the preflight of a browser stay open, and no other account can search."""
    condition, policy, otherwise = API["Policy"]["Fn::If"]
    assert (condition, otherwise) == ("HasSignedRequests", {"Ref": "AWS::NoValue"})
    allowed, denied = policy["Statement"]
    assert (allowed["Effect"], denied["Effect"]) == ("Allow", "Deny")
    assert allowed["Resource"] == ["execute-api:/*/GET/health", "execute-api:/*/OPTIONS/*"]
    patterns = [each.partition("/*/")[2] for each in denied["Resource"]]
    operations = [f"{verb.upper()}{path}" for path, verbs in read(GATEWAY)["paths"].items() for verb in verbs]
    served = [each for each in operations if not each.startswith("X-")]
    assert {each for each in served if not any(fnmatch(each, one) for one in patterns)} == {"GET/health"}
    assert denied["Condition"] == {"StringNotEquals": {"aws:PrincipalAccount": {"Ref": "AWS::AccountId"}}}


PATHS: dict[str, Any] = {path: each for path, each in read(GATEWAY)["paths"].items() if path not in UNKNOWN}
CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"


def test_only_this_distribution_reads_the_bucket() -> None:
    """The files have no public address, and `make deploy` makes neither."""
    assert "CloudFront" not in json.dumps(template())
    allowed, denied = PAGE_STACK["PageBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert [denied["Effect"], allowed["Effect"], allowed["Action"]] == ["Deny", "Allow", "s3:GetObject"]
    [source] = strings(allowed["Condition"]["StringEquals"])
    assert source.endswith(":distribution/${Distribution}")


def test_every_path_is_routed() -> None:
    """Each path goes uncached to the API, each file to the bucket; headers and /docs are those that are served."""
    assert headers_of(behavior_of("/")) | {"cache-control": "no-cache"} == HEADERS
    assert headers_of(behavior_of("/docs")) == PAGE_HEADERS
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
    served = {path: {verb for verb in each if not verb.startswith("x-")} for path, each in PATHS.items()}
    described = json.loads(site()["/openapi.json"])["paths"]
    assert {path: set(operations) for path, operations in described.items()} == served
    assert b"<form" not in site()["/docs"]
