"""DynamoDB in this process: the tables of the stack, and their failures."""

import threading
from collections.abc import Iterable
from typing import Any

from botocore.exceptions import ClientError, EndpointConnectionError

from tests.contract.stack.documents import resources

TABLES = {"CacheTable": "cache", "BudgetTable": "budget", "PopularityTable": "popularity"}
"""The table names by the logical ids of the template."""
THROTTLED = ClientError(
    {
        "Error": {"Code": "ThrottlingException", "Message": "Rate exceeded"},
        "ResponseMetadata": {"HTTPStatusCode": 400, "RequestId": "1"},
    },
    "Any",
)
UNREACHABLE = EndpointConnectionError(endpoint_url="https://dynamodb.us-east-1.amazonaws.com")
SCHEMA = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "BillingMode")


class DynamoDBService:
    """The failures of the tables, and a lock: moto checks the condition of a write without one."""

    def __init__(self) -> None:
        self.failures: dict[str, Exception] = {}
        """The failing tables, and what each operation on them raises."""
        self.throttled: dict[tuple[str, str], int] = {}
        """How many further calls are throttled, by table and operation."""
        self.lock = threading.RLock()

    def check(self, tables: Iterable[str], operation: str) -> None:
        """Raise what a call of this operation on these tables meets."""
        for table in tables:
            if table in self.failures:
                raise self.failures[table]
            if self.throttled.get((table, operation), 0):
                self.throttled[table, operation] -= 1
                raise THROTTLED


def create_tables(client: Any) -> None:
    """Create the tables as the template does; those that exist are emptied."""
    for table in client.list_tables()["TableNames"]:
        client.delete_table(TableName=table)
    for logical_id, properties in resources("AWS::DynamoDB::Table").items():
        schema = {name: properties[name] for name in SCHEMA if name in properties}
        client.create_table(TableName=TABLES[logical_id], **schema)
