"""The calls of AWS that clients of boto3 make, as IAM sees them, by the role under which they are made; and IAM."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from botocore.client import BaseClient
from botocore.exceptions import ClientError

from tests.contract.stack.grants import ACCOUNT, REGION, Call, grants, refused
from tests.support.dynamodb_service import TABLES

ACTIONS = {"s3:HeadObject": "s3:GetObject", "s3:ListObjectsV2": "s3:ListBucket"}
"""The operations whose action has another name."""
NOT_THERE = frozenset({"404", "NoSuchKey"})
Parameters = Mapping[str, Any]


class RecordedCalls:
    """Records the calls of all clients while it is installed."""

    def __init__(self) -> None:
        self.role = ""  # whose function runs; calls without a role are of the test itself
        self.clients: dict[int, str] = {}  # by their id, those whose calls have another name than that of a role
        self.answers: dict[str, Any] = {}  # what AWS responds to operations, instead of being called
        self.calls: defaultdict[str, list[Call]] = defaultdict(list)  # of each role

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Record from now on."""
        original = BaseClient._make_api_call

        def recording(client: Any, operation: str, parameters: dict[str, Any]) -> Any:
            role, service = self.clients.get(id(client), self.role), client.meta.service_model.signing_name
            if not role:
                return original(client, operation, parameters)
            calls = self.calls[role]
            calls += calls_of(service, operation, parameters)
            if operation in self.answers:
                return self.answers[operation]
            try:
                return original(client, operation, parameters)
            except ClientError as error:
                if service == "s3" and error.response["Error"]["Code"] in NOT_THERE:
                    # Without this permission S3 refuses a missing object, in place of saying that it is missing.
                    calls.append(Call("s3:ListBucket", _bucket(parameters)))
                raise

        with patch.object(BaseClient, "_make_api_call", recording):
            yield


@contextmanager
def enforced(roles: Mapping[int, str]) -> Iterator[None]:
    """Refuse what the role of a client, by its id, does not allow of the tables, as IAM does and moto does not."""
    arns = {f"{table}.Arn": _table(name) for table, name in TABLES.items()} | {"LibraryBucket.Arn": "-"}
    original, granted = BaseClient._make_api_call, {role: grants(role, arns) for role in roles.values()}

    def enforcing(client: Any, operation: str, parameters: dict[str, Any]) -> Any:
        if id(client) in roles:
            calls = calls_of(client.meta.service_model.signing_name, operation, parameters)
            if found := refused(granted[roles[id(client)]], calls):
                raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": str(found)}}, operation)
        return original(client, operation, parameters)

    with patch.object(BaseClient, "_make_api_call", enforcing):
        yield


def calls_of(service: str, operation: str, parameters: Parameters) -> Iterator[Call]:
    """Yield a call of an operation as IAM sees it, and what else AWS asks IAM for it."""
    action = ACTIONS.get(f"{service}:{operation}", f"{service}:{operation}")
    match service:
        case "dynamodb":
            yield from _of_tables(action, parameters)
        case "s3":
            key = f"/{parameters['Key']}" if "Key" in parameters else ""
            prefix = {"s3:prefix": [parameters["Prefix"]]} if "Prefix" in parameters else {}
            yield Call(action, f"{_bucket(parameters)}{key}", prefix)
        case "ssm":
            name = f"arn:aws:ssm:{REGION}:{ACCOUNT}:parameter{parameters['Name']}"
            yield Call(action, name)
            if parameters["WithDecryption"]:
                # SSM decrypts a SecureString under a customer managed key with the permissions of its caller.
                context = {
                    "kms:ViaService": [f"ssm.{REGION}.amazonaws.com"],
                    "kms:EncryptionContext:PARAMETER_ARN": [name],
                }
                yield Call("kms:Decrypt", f"arn:aws:kms:{REGION}:{ACCOUNT}:key/of-the-operator", context)
        case "lambda":
            version = f":{parameters['Qualifier']}" if "Qualifier" in parameters else ""
            yield Call(action, f"{parameters['FunctionName']}{version}")
        case "cloudformation":
            yield Call(action, parameters["StackName"])
        case "states":
            yield Call(action, parameters.get("stateMachineArn") or parameters["stateMachineVersionArn"])
        case _:
            raise NotImplementedError(f"{service}:{operation}")


def _of_tables(action: str, parameters: Parameters) -> Iterator[Call]:
    """Yield a call for each table, with the keys of its items; those of a query are not read by any condition."""
    for table, requested in parameters.get("RequestItems", {}).items():
        items = [each["PutRequest"]["Item"] for each in requested] if isinstance(requested, list) else requested["Keys"]
        yield Call(action, _table(table), {"dynamodb:LeadingKeys": [item["pk"]["S"] for item in items]})
    if "IndexName" in parameters:
        yield Call(action, f"{_table(parameters['TableName'])}/index/{parameters['IndexName']}")
    elif "TableName" in parameters:
        item = parameters.get("Key") or parameters["Item"]
        yield Call(action, _table(parameters["TableName"]), {"dynamodb:LeadingKeys": [item["pk"]["S"]]})


def _table(name: str) -> str:
    return f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{name}"


def _bucket(parameters: Parameters) -> str:
    return f"arn:aws:s3:::{parameters['Bucket']}"
