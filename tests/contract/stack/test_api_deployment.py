"""The API as it is deployed: the contract word for word, in one stage that every change reaches."""

from __future__ import annotations

import re
import time
from functools import cache
from typing import Any

from tests.contract.stack.documents import resources, strings, template
from tests.contract.stack.translated import NEEDS_SAM, packaged, translated

pytestmark = NEEDS_SAM
[API] = resources("AWS::Serverless::Api").values()
PSEUDO = {"AWS::AccountId", "AWS::Partition", "AWS::Region", "AWS::StackName", "AWS::URLSuffix"}


def _translated(document: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = translated(document)["Resources"]
    return made


@cache
def _made() -> dict[str, Any]:
    return _translated(packaged())


def _one(made: dict[str, Any], kind: str) -> tuple[str, dict[str, Any]]:
    [(name, resource)] = [(name, each) for name, each in made.items() if each["Type"] == kind]
    return name, resource["Properties"]


def test_everything_that_the_contract_leaves_open_is_filled_in() -> None:
    """Each name in the file is a parameter, a resource of the deployed template with that attribute, or AWS's own."""
    made = _made()
    _, api = _one(made, "AWS::ApiGateway::RestApi")
    names = {name for text in strings(api["Body"]) for name in re.findall(r"\$\{([^}]+)\}", text)}
    assert names
    known = {*template()["Parameters"], *made, *PSEUDO}
    assert {name for name in names if name.partition(".")[0] not in known} == set()
    assert {name.partition(".")[2] for name in names} == {"", "Arn"}


def test_the_contract_is_deployed_as_it_is() -> None:
    """SAM changes nothing of the file, so what the tests of the contract say holds for what is deployed."""
    _, api = _one(_made(), "AWS::ApiGateway::RestApi")
    assert api["Body"] == packaged()["Resources"]["SearchApi"]["Properties"]["DefinitionBody"]


def test_there_is_one_stage_and_it_is_made_last() -> None:
    """The stage waits for the role of its logs and for their group; the API itself, which names the group, does not."""
    made = _made()
    _, stage = _one(made, "AWS::ApiGateway::Stage")
    assert stage["StageName"] == {"Ref": "ApiStage"}
    assert stage["Variables"]["executionLogs"] == {"Ref": "SearchApiExecutionLogs"}
    assert stage["Variables"]["logRole"] == {
        "Fn::If": ["HasApiGatewayLogRole", {"Ref": "ApiGatewayAccount"}, "existing"]
    }
    _, api = _one(made, "AWS::ApiGateway::RestApi")
    assert not {"SearchApiExecutionLogs", "ApiGatewayAccount"} & set(strings(api))


def test_the_stage_logs_requests_always_and_errors_where_asked() -> None:
    """SAM hands on the parameter; the log of requests stands beside it, whatever the parameter says."""
    _, stage = _one(_made(), "AWS::ApiGateway::Stage")
    [settings] = stage["MethodSettings"]
    assert (settings["LoggingLevel"], settings["DataTraceEnabled"]) == ({"Ref": "ApiExecutionLog"}, False)
    assert stage["AccessLogSetting"]["DestinationArn"] == {"Fn::GetAtt": ["SearchApiLogs", "Arn"]}


def test_every_deployment_reaches_the_stage() -> None:
    """A change that stands behind a name of the contract, such as who may search, is not seen in its text."""
    assert API["AlwaysDeploy"] is True
    document = packaged()
    first = _one(_translated(document), "AWS::ApiGateway::Deployment")
    time.sleep(1)  # SAM counts in seconds
    assert _one(_translated(document), "AWS::ApiGateway::Deployment")[0] != first[0]


def test_without_that_a_parameter_would_not_reach_the_stage() -> None:
    """SAM makes another deployment for another text alone: the property is not there for show."""
    document = packaged()
    del document["Resources"]["SearchApi"]["Properties"]["AlwaysDeploy"]
    before = _one(_translated(document), "AWS::ApiGateway::Deployment")
    document["Parameters"]["ApiAuthorization"]["Default"] = "AWS_IAM"
    assert _one(_translated(document), "AWS::ApiGateway::Deployment") == before
