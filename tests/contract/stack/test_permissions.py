"""Each role is narrow, and what it reaches has a safe form; the tests of role calls compare it with what is called."""

import re

import pytest

from tests.contract.stack.documents import GATEWAY, functions, resources, strings, template, text
from tests.contract.stack.grants import ROLES, SHARED, grants, listed, statements
from tests.contract.stack.inlined import MACHINES

SERVICES = {
    **dict.fromkeys(("QueryTranslatorRole", "ScoutRole", "ScreenerRole", "ReleaseRole", "RefreshRole"), "lambda"),
    **dict.fromkeys(("SearchMachineRole", "AcceptMachineRole", "RoundsMachineRole", "WarmUpMachineRole"), "states"),
    "ScheduleRole": "scheduler",
    "SearchApiRole": "apigateway",
    "ApiGatewayAccountRole": "apigateway",
}
"""The service that assumes each role."""
OPEN_END = re.compile(r"^\*|\.Arn}:\*$|\.Arn}/libraries/\*$|:stateMachine:SearchMachine-\*$|:key/\*$|Prefix}/\*$")
"""Where a resource may end with anything: versions, libraries, the machine of the stack, secrets and their keys."""
TABLES = resources("AWS::DynamoDB::Table")


def test_every_role_has_one_user() -> None:
    """Each function, machine and API has its own role, the schedules share one, and no role is unused."""
    users = [*functions().values(), *resources("AWS::Lambda::Function").values()]
    users += [*resources("AWS::Serverless::StateMachine").values()]
    used = [user["Role"]["Fn::GetAtt"][0] for user in users]
    used += {each["Target"]["RoleArn"]["Fn::GetAtt"][0] for each in resources("AWS::Scheduler::Schedule").values()}
    used += [each["CloudWatchRoleArn"]["Fn::GetAtt"][0] for each in resources("AWS::ApiGateway::Account").values()]
    used += set(re.findall(r"\$\{(\w+)\.Arn\}", GATEWAY.read_text("utf-8")))
    assert sorted(used) == sorted(ROLES) == sorted(SERVICES)
    compared = "".join(text(f"tests/{layer}/test_role_calls.py") for layer in ("integration", "e2e"))
    assert [role for role in ROLES if f'"{role}"' not in compared] == ["ApiGatewayAccountRole"], (
        "not compared with calls"
    )


def test_a_role_is_as_narrow_as_aws_allows() -> None:
    """One service assumes it, each policy is written here, and `*` is for traces, logs and versions only."""
    assert set(SHARED) == {"SourcesPolicy"}
    [of_aws] = ROLES["ApiGatewayAccountRole"]["ManagedPolicyArns"]
    assert of_aws["Fn::Sub"].endswith(":iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs")
    for role, service in SERVICES.items():
        of_sources = [{"Ref": "SourcesPolicy"}]
        shared = {"ScoutRole": of_sources, "ScreenerRole": of_sources, "ApiGatewayAccountRole": [of_aws]}
        assert ROLES[role].get("ManagedPolicyArns") == shared.get(role)
        assert set(ROLES[role]) - {"ManagedPolicyArns", "Policies"} == {"AssumeRolePolicyDocument"}
        [trust] = ROLES[role]["AssumeRolePolicyDocument"]["Statement"]
        assert trust["Principal"] == {"Service": f"{service}.amazonaws.com"}
        own = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
        assert service not in {"states", "scheduler"} or trust["Condition"] == own
        for _, statement in statements(role):
            actions = listed(statement["Action"])
            assert not {"NotAction", "NotResource", "NotPrincipal"} & set(statement)
            assert not [action for action in actions if "*" in action]
            assert not [each for each in strings(statement["Resource"]) if "*" in OPEN_END.sub("", each)]
            if statement["Resource"] == "*":
                allowed = {"xray"} if service == "lambda" else {"xray", "logs"}
                assert {action.partition(":")[0] for action in actions} <= allowed, role


@pytest.mark.parametrize("function", [*sorted(functions()), "ReleaseFunction", "RefreshFunction"])
def test_a_function_writes_its_own_log_and_decrypts_through_ssm_alone(function: str) -> None:
    """A key of the account decrypts the secrets of goldpan, and nothing else."""
    role = function.replace("Function", "Role")
    group = {"Fn::GetAtt": ["FunctionLogs", "Arn"]}
    assert grants(role, "logs") == [(None, "CreateLogStream", group), (None, "PutLogEvents", group)]
    [key] = [each for _, each in statements(role) if each["Action"] == "kms:Decrypt"]
    assert key["Condition"]["StringEquals"] == {"kms:ViaService": {"Fn::Sub": "ssm.${AWS::Region}.amazonaws.com"}}
    [context] = key["Condition"]["StringLike"].items()
    parameters = {"Fn::Sub": "arn:${AWS::Partition}:ssm:*:*:parameter${SecretsPrefix}/*"}
    assert context == ("kms:EncryptionContext:PARAMETER_ARN", parameters), "a key that only SSM uses for these secrets"


def test_what_is_stored_expires_or_is_private() -> None:
    """Items by `ttl`, in tables paid by request; the bucket of libraries refuses the public and what is not TLS."""
    for name, made in TABLES.items():
        assert made["KeySchema"] == [{"AttributeName": "pk", "KeyType": "HASH"}]
        assert made["TimeToLiveSpecification"] == {"AttributeName": "ttl", "Enabled": True}
        assert (made["SSESpecification"], made["BillingMode"]) == ({"SSEEnabled": True}, "PAY_PER_REQUEST")
        assert template()["Resources"][name]["DeletionPolicy"] == "Delete"
        assert "TableName" not in made, "a table with a fixed name cannot be replaced"
    [(bucket_name, bucket)] = resources("AWS::S3::Bucket").items()
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    [encryption] = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert encryption["ServerSideEncryptionByDefault"]["SSEAlgorithm"] in {"AES256", "aws:kms"}
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(bucket["PublicAccessBlockConfiguration"]) == 4
    [policy] = resources("AWS::S3::BucketPolicy").values()
    [denied] = policy["PolicyDocument"]["Statement"]
    assert (denied["Effect"], denied["Principal"], denied["Action"]) == ("Deny", "*", "s3:*")
    assert denied["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    arn = {"Fn::GetAtt": [bucket_name, "Arn"]}
    assert denied["Resource"] == [arn, {"Fn::Sub": f"${{{bucket_name}.Arn}}/*"}]


@pytest.mark.parametrize(
    "name", ["template.yaml", "api/gateway.json", *(f"statemachine/{path.name}" for path in MACHINES.values())]
)
def test_the_stack_deploys_in_every_partition(name: str) -> None:
    """No ARN names the partition of the public regions: China and GovCloud have others."""
    assert re.findall(r"arn:aws:.*", text(name)) == []
