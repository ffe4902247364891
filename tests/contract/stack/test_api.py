"""What the internet reaches: the API of the template, and the stack of the page, with the headers of the server."""

import json
import re
from fnmatch import fnmatch
from typing import Any

from goldpan_local.page.files import HEADERS
from goldpan_local.server.contract import PAGE_HEADERS

from scripts.page.build import site
from tests.contract.stack.documents import CONTRACT, GATEWAY, read, resources, strings, template
from tests.support.loopback.edge import DISTRIBUTION, PAGE_STACK, behavior_of, headers_of

[API] = resources("AWS::Serverless::Api").values()
[METHODS] = API["MethodSettings"]

KEPT = "RetainExceptOnCreate"
ADDRESSED = (
    "AWS::Serverless::LayerVersion", "AWS::Serverless::StateMachine", "AWS::Logs::LogGroup", "AWS::DynamoDB::Table",
    "AWS::ApiGateway::ApiKey", "AWS::ApiGateway::UsagePlan", "AWS::SQS::Queue", "AWS::S3::Bucket",
    "AWS::CloudWatch::Dashboard",
)  # fmt: skip
"""The types of resources that an operator or another stack addresses."""


def test_requests_are_limited_in_total_and_for_each_key() -> None:
    """A rate, a burst and a daily quota hold; the first key belongs to the plan and is not in the template."""
    rate, burst = {"Ref": "ApiRequestsPerSecond"}, {"Ref": "ApiBurst"}
    assert (METHODS["ResourcePath"], METHODS["HttpMethod"]) == ("/*", "*")
    assert (METHODS["ThrottlingRateLimit"], METHODS["ThrottlingBurstLimit"]) == (rate, burst)
    [plan] = resources("AWS::ApiGateway::UsagePlan").values()
    assert plan["Throttle"] == {"RateLimit": rate, "BurstLimit": burst}
    assert plan["Quota"] == {"Limit": {"Ref": "ApiRequestsPerDay"}, "Period": "DAY"}
    assert plan["ApiStages"] == [{"ApiId": {"Ref": "SearchApi"}, "Stage": {"Ref": "SearchApi.Stage"}}]
    [key] = resources("AWS::ApiGateway::UsagePlanKey").values()
    assert key == {"KeyId": {"Ref": "ApiKey"}, "KeyType": "API_KEY", "UsagePlanId": {"Ref": "ApiUsagePlan"}}
    assert "Value" not in resources("AWS::ApiGateway::ApiKey")["ApiKey"]


def test_the_logs_reveal_neither_request_nor_caller() -> None:
    """A line is one JSON object of known variables; the execution log may quote a refused body, so it is off."""
    assert API["AccessLogSetting"]["DestinationArn"] == {"Fn::GetAtt": ["SearchApiLogs", "Arn"]}
    logged = json.loads(API["AccessLogSetting"]["Format"]).values()
    private = re.compile(r"\.path$|message|authorizer|requestOverride|identity\.(?!apiKeyId$)")
    assert [name for name in logged if private.search(name)] == []
    assert (METHODS["LoggingLevel"], METHODS["DataTraceEnabled"]) == ("OFF", False)
    retained = [name for name, each in template()["Resources"].items() if each.get("DeletionPolicy") == "Retain"]
    assert retained == [], "nothing is left by a first deployment that fails"
    kept = [name for name, each in template()["Resources"].items() if each.get("DeletionPolicy") == KEPT]
    files = ["LibraryBucket", "LibraryBucketPolicy"]
    assert kept == [*files, "ApiGatewayAccountRole"], "the user's own files; all APIs of a region log by this role"
    assert template()["Parameters"]["ApiGatewayLogRole"]["Default"] == "existing", "another stack may have set it"


def test_the_outputs_lead_to_the_contract_and_to_every_addressable_resource() -> None:
    """The stack outputs the URL of the search, and its key, machines, layers, log groups and tables."""
    assert API["DefinitionBody"]["Fn::Transform"]["Parameters"] == {"Location": "api/gateway.json"}
    outputs = {name: output["Value"] for name, output in template()["Outputs"].items()}
    before, _, path = outputs.pop("SearchUrl")["Fn::Sub"].partition("live")
    assert before == "https://${SearchApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}/"
    assert "post" in read(CONTRACT)["paths"][path]
    expected = {name for name, made in template()["Resources"].items() if made["Type"] in ADDRESSED}
    expected ^= {"SearchMachine", "SearchMachineAliaslive"}
    assert {value["Ref"] for value in outputs.values()} == expected


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
