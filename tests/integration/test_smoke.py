"""`make smoke`: against a server, and against a stack whose API is that server and whose other parts are simulated."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import boto3
import httpx2
import pytest
from moto import mock_aws

from scripts.smoke import endpoint
from scripts.smoke.__main__ import main
from scripts.smoke.stack import GATEWAY, sign
from tests.integration.serve.process import ServerProcess

KEY = "a-key-of-twenty-characters"
MODELS: dict[str, Any] = json.loads(GATEWAY.read_text("utf-8"))["components"]["schemas"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Serve with a key and a cache; no GitHub, so the sample catalogue answers."""
    cache = tmp_path_factory.mktemp("cache") / "goldpan.sqlite"
    offline = {"GITHUB_API_URL": "http://127.0.0.1:9", "GOLDPAN_CACHE": str(cache)}
    with ServerProcess(GOLDPAN_API_KEYS=KEY, **offline) as process:
        yield process


@pytest.fixture
def stack(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Deploy a simulated stack with the names that `make smoke` reads; gives the client of its alarms."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with mock_aws():
        boto3.setup_default_session()
        gateway, cloudwatch = boto3.client("apigateway"), boto3.client("cloudwatch")
        api = gateway.create_rest_api(name="goldpan")["id"]
        for name, model in MODELS.items():
            kept = json.dumps(model).replace("#/components/schemas/", f"https://apigateway.amazonaws.com/{api}/models/")
            gateway.create_model(restApiId=api, name=name, schema=kept, contentType="application/json")
        cloudwatch.put_metric_alarm(
            AlarmName="defects", MetricName="m", Namespace="n", Statistic="Sum", Period=60, Threshold=1,
            EvaluationPeriods=1, ComparisonOperator="GreaterThanThreshold",
        )  # fmt: skip
        values = {
            "SearchUrl": f"{server.url}/search",
            "ApiKeyId": gateway.create_api_key(name="first", value=KEY)["id"],
        }
        template = {
            "Parameters": {"ApiAuthorization": {"Type": "String", "Default": "NONE"}},
            "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},  # moto makes no alarm of a stack
            "Outputs": {name: {"Value": value} for name, value in values.items()},
        }
        boto3.client("cloudformation").create_stack(StackName="goldpan", TemplateBody=json.dumps(template))
        listed = [
            {"ResourceType": kind, "PhysicalResourceId": physical_id}
            for kind, physical_id in (("AWS::ApiGateway::RestApi", api), ("AWS::CloudWatch::Alarm", "defects"))
        ]
        boto3.DEFAULT_SESSION.events.register(
            "before-call.cloudformation.ListStackResources",
            lambda **_: (SimpleNamespace(status_code=200), {"StackResourceSummaries": listed}),
        )
        yield cloudwatch


def test_a_running_server_passes(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its health, its search, the repeated one and ten refusals are as the contract says; a wrong key fails by name."""
    monkeypatch.setenv("GOLDPAN_API_KEY", KEY)
    code, printed = main(["--url", server.url]), capsys.readouterr().out
    assert (code, "10 requests were refused" in printed, printed.count("ok ")) == (0, True, 6), printed
    assert "/search 200, /compare 200, /like 200" in printed
    monkeypatch.setenv("GOLDPAN_API_KEY", "wrong")
    code, printed = main(["--url", server.url]), capsys.readouterr().out
    assert (code, "FAILED  search: POST" in printed, "403" in printed) == (1, True, True), printed


def test_a_deployed_stack_passes_until_an_alarm_is_raised(stack: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The key, the models and the alarms are those of the stack; one that is raised is named."""
    code, printed = main(["--stack", "goldpan"]), capsys.readouterr().out
    assert (code, printed.count("ok ")) == (0, 8), printed
    stack.set_alarm_state(AlarmName="defects", StateValue="ALARM", StateReason="a test")
    code, printed = main(["--stack", "goldpan"]), capsys.readouterr().out
    assert (code, printed.count("FAILED")) == (1, 1), printed
    assert "raised: defects" in printed


@pytest.mark.usefixtures("stack")
def test_a_request_is_signed_for_the_gateway() -> None:
    """With AWS_IAM, the signature names the service and covers the body and the key."""
    request = httpx2.Request("POST", "https://x.execute-api.us-east-1.amazonaws.com/live/search", json={"query": "x"})
    sign(request)
    assert "/us-east-1/execute-api/aws4_request" in request.headers["authorization"]


def test_a_signed_api_may_refuse_an_unknown_path_as_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its policy knows no caller there; any other API answers 404."""
    refused = httpx2.Response(403, json={"status": 403}, headers={"content-type": endpoint.PROBLEM})
    refused.request = httpx2.Request("POST", "https://x.example/live/nothing-here")
    monkeypatch.setattr(endpoint, "_refused", lambda: [("/nothing-here", "{}", endpoint.JSON, (404,))])
    monkeypatch.setattr(endpoint, "_send", lambda _: refused)
    assert endpoint.Endpoint("https://x.example/live/search", KEY, lambda _: None).refusals()
    with pytest.raises(endpoint.CheckError):
        endpoint.Endpoint("https://x.example/live/search", KEY).refusals()
