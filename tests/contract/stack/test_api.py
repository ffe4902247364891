"""The API of the template: who may ask, how often, and what is logged of it."""

from __future__ import annotations

import json

import pytest

from tests.contract.stack.documents import CONTRACT, ROOT, resources, template
from tests.contract.stack.permissions import listed

[API] = resources("AWS::Serverless::Api").values()
LOGGED = {
    "$context.requestId", "$context.requestTime", "$context.httpMethod", "$context.resourcePath", "$context.status",
    "$context.error.responseType", "$context.identity.apiKeyId", "$context.responseLatency",
    "$context.responseLength", "$context.integration.status", "$context.integration.latency", "$context.xrayTraceId",
}  # fmt: skip
"""All that an access log may hold: `path`, `error.message`, `error.validationErrorString` and the rest of `identity`
would name what was sent, or who sent it.
https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html"""


def test_the_api_is_the_contract() -> None:
    """The file that others read is the one that is deployed, put in before SAM reads the template."""
    transform = API["DefinitionBody"]["Fn::Transform"]
    assert transform == {"Name": "AWS::Include", "Parameters": {"Location": str(CONTRACT.relative_to(ROOT))}}


def test_the_api_is_regional_traced_and_named_after_the_stack() -> None:
    """Its metrics carry that name, which the alarm watches; two stacks have two."""
    assert API["EndpointConfiguration"] == {"Type": "REGIONAL"}
    assert API["TracingEnabled"] is True
    assert API["Name"] == {"Ref": "AWS::StackName"}
    assert API["OpenApiVersion"] == "3.0.1"


def test_requests_are_bounded_for_all_and_for_each_key() -> None:
    """One moment, one second in the long run, and a day."""
    [settings] = API["MethodSettings"]
    assert (settings["ResourcePath"], settings["HttpMethod"]) == ("/*", "*")
    assert settings["ThrottlingRateLimit"] == {"Ref": "ApiRequestsPerSecond"}
    assert settings["ThrottlingBurstLimit"] == {"Ref": "ApiBurst"}
    [plan] = resources("AWS::ApiGateway::UsagePlan").values()
    assert plan["Throttle"] == {"RateLimit": {"Ref": "ApiRequestsPerSecond"}, "BurstLimit": {"Ref": "ApiBurst"}}
    assert plan["Quota"] == {"Limit": {"Ref": "ApiRequestsPerDay"}, "Period": "DAY"}
    assert plan["ApiStages"] == [{"ApiId": {"Ref": "SearchApi"}, "Stage": {"Ref": "SearchApi.Stage"}}]


def test_the_first_key_is_of_the_plan() -> None:
    """A key that is of no plan opens nothing."""
    [key] = resources("AWS::ApiGateway::UsagePlanKey").values()
    assert key == {"KeyId": {"Ref": "ApiKey"}, "KeyType": "API_KEY", "UsagePlanId": {"Ref": "ApiUsagePlan"}}
    assert resources("AWS::ApiGateway::ApiKey")["ApiKey"]["Enabled"] is True
    assert "Value" not in resources("AWS::ApiGateway::ApiKey")["ApiKey"], "a key in a template is known to its readers"


def test_the_log_of_requests_holds_nothing_of_what_was_asked() -> None:
    """One JSON object a request, of fields that name neither the body nor the asker."""
    log = API["AccessLogSetting"]
    assert log["DestinationArn"] == {"Fn::GetAtt": ["SearchApiLogs", "Arn"]}
    assert "\n" not in log["Format"]
    assert set(json.loads(log["Format"]).values()) == LOGGED


def test_the_gateway_s_own_log_is_off_unless_a_parameter_says_otherwise() -> None:
    """It may quote a body that the gateway refuses; whoever turns it on is told so, and gets errors alone."""
    [settings] = API["MethodSettings"]
    assert settings["LoggingLevel"] == {"Ref": "ApiExecutionLog"}
    parameter = template()["Parameters"]["ApiExecutionLog"]
    assert (parameter["Default"], parameter["AllowedValues"]) == ("OFF", ["OFF", "ERROR"])
    assert "question" in parameter["Description"]


def test_the_gateway_s_own_log_holds_no_traced_bodies() -> None:
    """Whatever the parameter says; it is in the group that API Gateway chooses, which the stack makes first."""
    [settings] = API["MethodSettings"]
    assert (settings["DataTraceEnabled"], settings["MetricsEnabled"]) == (False, True)
    group = resources("AWS::Logs::LogGroup")["SearchApiExecutionLogs"]
    assert group["LogGroupName"] == {"Fn::Sub": "API-Gateway-Execution-Logs_${SearchApi}/${ApiStage}"}


def test_where_requests_are_signed_no_other_account_searches() -> None:
    """The policy exists only then; it leaves health open, as the contract does, and refuses strangers."""
    condition, policy, otherwise = API["Policy"]["Fn::If"]
    assert (condition, otherwise) == ("HasSignedRequests", {"Ref": "AWS::NoValue"})
    allowed, denied = policy["Statement"]
    assert (allowed["Effect"], allowed["Resource"]) == ("Allow", "execute-api:/*/GET/health")
    assert (denied["Effect"], denied["Resource"]) == ("Deny", "execute-api:/*/POST/search")
    assert denied["Condition"] == {"StringNotEquals": {"aws:PrincipalAccount": {"Ref": "AWS::AccountId"}}}
    assert template()["Parameters"]["ApiAuthorization"]["AllowedValues"] == ["NONE", "AWS_IAM"]


@pytest.mark.parametrize("name", ["ApiGatewayAccount", "ApiGatewayAccountRole"])
def test_the_account_s_own_setting_is_left_alone_where_asked(name: str) -> None:
    """Where another stack has set the role of all APIs, this one sets none."""
    assert template()["Resources"][name]["Condition"] == "HasApiGatewayLogRole"
    assert template()["Conditions"]["HasApiGatewayLogRole"] == {"Fn::Equals": [{"Ref": "ApiGatewayLogRole"}, "create"]}


def test_the_role_of_all_apis_outlives_the_stack() -> None:
    """The setting stays when the stack goes, and a role that is gone would silence every other API."""
    role = template()["Resources"]["ApiGatewayAccountRole"]
    assert (role["DeletionPolicy"], role["UpdateReplacePolicy"]) == ("Retain", "Retain")
    retained = [name for name, each in template()["Resources"].items() if each.get("DeletionPolicy") == "Retain"]
    assert retained == ["ApiGatewayAccountRole"], "nothing else is left behind"
    assert listed(role["Properties"]["Policies"])[0]["PolicyName"] == "logs"
