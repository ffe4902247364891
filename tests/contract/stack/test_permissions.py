"""Each role is narrow, and what is stored is private; the tests of role calls compare a role with what is called."""

import re
from collections.abc import Iterator

import pytest

from tests.contract.stack.documents import GATEWAY, resources, strings, template, text
from tests.contract.stack.grants import ROLES, listed, statements
from tests.contract.stack.inlined import MACHINES

SERVICES = {
    "AWS::Serverless::Function": "lambda",
    "AWS::Lambda::Function": "lambda",
    "AWS::Serverless::StateMachine": "states",
}
OPEN_END = re.compile(r"^\*|\.Arn}:\*$|\.Arn}/libraries/\*$|:stateMachine:SearchMachine-\*$|:key/\*$|Prefix}/\*$")
"""Where a resource may end with anything: versions, libraries, the machine of the stack, secrets and their keys."""


def _users() -> Iterator[tuple[str, str]]:
    """Yield the role of each function, machine and API, and of the schedules, with the service that assumes it."""
    for kind, service in SERVICES.items():
        yield from ((user["Role"]["Fn::GetAtt"][0], service) for user in resources(kind).values())
    yield from {
        (each["Target"]["RoleArn"]["Fn::GetAtt"][0], "scheduler")
        for each in resources("AWS::Scheduler::Schedule").values()
    }
    yield from (
        (each["CloudWatchRoleArn"]["Fn::GetAtt"][0], "apigateway")
        for each in resources("AWS::ApiGateway::Account").values()
    )
    yield from ((name, "apigateway") for name in set(re.findall(r"\$\{(\w+)\.Arn\}", GATEWAY.read_text("utf-8"))))


def test_every_role_has_one_user() -> None:
    """It trusts the service of its user alone, for this account; no role is unused, or is not compared with calls."""
    users = list(_users())
    assert sorted(role for role, _ in users) == sorted(ROLES)
    for role, service in users:
        [trust] = ROLES[role]["AssumeRolePolicyDocument"]["Statement"]
        assert trust["Principal"] == {"Service": f"{service}.amazonaws.com"}
        own = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
        assert service not in {"states", "scheduler"} or trust["Condition"] == own
    compared = "".join(text(f"tests/{layer}/test_role_calls.py") for layer in ("integration", "e2e"))
    assert [role for role in ROLES if f'"{role}"' not in compared] == ["ApiGatewayAccountRole"]


@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_as_narrow_as_aws_allows(role: str) -> None:
    """`*` is for traces, versions and the logs of machines; a key of the account decrypts goldpan's secrets alone."""
    on_any = {"xray", "logs"} if dict(_users())[role] == "states" else {"xray"}
    for _, statement in statements(role):
        actions = listed(statement["Action"])
        assert not {"NotAction", "NotResource", "NotPrincipal"} & set(statement)
        assert not [each for each in strings(statement["Resource"]) if "*" in OPEN_END.sub("", each)]
        if statement["Resource"] == "*":
            assert {action.partition(":")[0] for action in actions} <= on_any
        if actions == ["kms:Decrypt"]:
            assert statement["Condition"]["StringEquals"].keys() == {"kms:ViaService"}
            assert statement["Condition"]["StringLike"].keys() == {"kms:EncryptionContext:PARAMETER_ARN"}


def test_what_is_stored_expires_or_is_private() -> None:
    """Items by their `ttl`; the bucket of the libraries refuses what is not TLS, and checkov looks at the rest."""
    for name, made in resources("AWS::DynamoDB::Table").items():
        assert made["TimeToLiveSpecification"] == {"AttributeName": "ttl", "Enabled": True}
        assert template()["Resources"][name]["DeletionPolicy"] == "Delete"
        assert "TableName" not in made, "a table with a fixed name cannot be replaced"
    [policy] = resources("AWS::S3::BucketPolicy").values()
    [denied] = policy["PolicyDocument"]["Statement"]
    assert (denied["Effect"], denied["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})


@pytest.mark.parametrize(
    "name", ["template.yaml", "api/gateway.json", *(f"statemachine/{path.name}" for path in MACHINES.values())]
)
def test_the_stack_deploys_in_every_partition(name: str) -> None:
    """No ARN names the partition of the public regions: China and GovCloud have others."""
    assert re.findall(r"arn:aws:.*", text(name)) == []
