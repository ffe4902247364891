"""The API of the template: who may call it, how often, and what is logged."""

import json
import re
from fnmatch import fnmatch

from tests.contract.stack.documents import CONTRACT, GATEWAY, read, resources, template

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
