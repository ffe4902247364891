"""The API of the template: who may call it, how often, and what is logged."""

from __future__ import annotations

import json

from tests.contract.stack.documents import resources, template

[API] = resources("AWS::Serverless::Api").values()
[METHODS] = API["MethodSettings"]
LOGGED = {
    "$context.requestId", "$context.requestTime", "$context.httpMethod", "$context.resourcePath", "$context.status",
    "$context.error.responseType", "$context.identity.apiKeyId", "$context.responseLatency",
    "$context.responseLength", "$context.integration.status", "$context.integration.latency", "$context.xrayTraceId",
}  # fmt: skip
"""No other variable may be logged: `path`, `error.message` and most of `identity` reveal the request or its sender.
https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html"""


def test_the_api_is_the_contract() -> None:
    """The published file is the deployed one, included before SAM reads the template."""
    include = {"Name": "AWS::Include", "Parameters": {"Location": "api/openapi.yaml"}}
    assert API["DefinitionBody"]["Fn::Transform"] == include
    assert (API["Name"], API["TracingEnabled"]) == ({"Ref": "AWS::StackName"}, True)


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


def test_the_access_log_reveals_neither_request_nor_caller() -> None:
    """Each line is one JSON object of known variables."""
    log = API["AccessLogSetting"]
    assert log["DestinationArn"] == {"Fn::GetAtt": ["SearchApiLogs", "Arn"]}
    assert "\n" not in log["Format"]
    assert set(json.loads(log["Format"]).values()) == LOGGED


def test_the_execution_log_is_off_by_default_and_never_holds_bodies() -> None:
    """It may quote a refused body, so an operator must turn it on; it goes to a group that expires."""
    assert (METHODS["LoggingLevel"], METHODS["DataTraceEnabled"]) == ({"Ref": "ApiExecutionLog"}, False)
    parameter = template()["Parameters"]["ApiExecutionLog"]
    assert (parameter["Default"], parameter["AllowedValues"]) == ("OFF", ["OFF", "ERROR"])
    assert "question" in parameter["Description"]
    group = resources("AWS::Logs::LogGroup")["SearchApiExecutionLogs"]
    assert group["LogGroupName"] == {"Fn::Sub": "API-Gateway-Execution-Logs_${SearchApi}/${ApiStage}"}


def test_signed_requests_are_of_this_account() -> None:
    """With AWS_IAM, health stays open and no other account can search."""
    condition, policy, otherwise = API["Policy"]["Fn::If"]
    assert (condition, otherwise) == ("HasSignedRequests", {"Ref": "AWS::NoValue"})
    allowed, denied = policy["Statement"]
    assert (allowed["Effect"], allowed["Resource"]) == ("Allow", "execute-api:/*/GET/health")
    assert (denied["Effect"], denied["Resource"]) == ("Deny", "execute-api:/*/POST/search")
    assert denied["Condition"] == {"StringNotEquals": {"aws:PrincipalAccount": {"Ref": "AWS::AccountId"}}}


def test_the_log_role_of_the_account_is_optional_and_outlives_the_stack() -> None:
    """All APIs of a region share the role: it is created on request only, and deleting it would silence the others."""
    for name in ("ApiGatewayAccount", "ApiGatewayAccountRole"):
        assert template()["Resources"][name]["Condition"] == "HasApiGatewayLogRole"
    retained = [name for name, each in template()["Resources"].items() if each.get("DeletionPolicy") == "Retain"]
    assert retained == ["ApiGatewayAccountRole"]
