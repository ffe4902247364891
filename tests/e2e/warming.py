"""The machine of the warm-ups on a simulated Step Functions, over a table as the template makes it.

The simulator starts no execution inside an execution; here the search machine is a client that keeps what it was given.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import boto3
import yaml
from goldpan.aws.popularity import DynamoDBPopularity
from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import WallClock
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service import state_task_service_aws_sdk

from tests.contract.stack.documents import WARM_UP, resources
from tests.e2e.lambda_service import LambdaService
from tests.e2e.machine import REGION
from tests.e2e.simulation import simulated_aws

OFTEN = 10
SEARCH = "arn:aws:states:us-east-1:123456789012:stateMachine:search"
TABLE = "popularity"


@dataclass
class Searches:
    """The search machine, as Step Functions calls it: names begin with capitals, and input and output are texts.

    It keeps what it was asked, and ends as it is told to.
    """

    asked: list[dict[str, Any]] = field(default_factory=list)
    endings: dict[str, str] = field(default_factory=dict)
    at_once: int = 0
    most_at_once: int = 0
    turn: threading.Lock = field(default_factory=threading.Lock)

    def start_sync_execution(self, **given: str) -> dict[str, Any]:
        """Run a search to its end; a question whose ending is "throttled" cannot be started."""
        assert given["StateMachineArn"] == SEARCH
        asked = json.loads(given["Input"])
        with self.turn:
            self.asked.append(asked)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        time.sleep(0.01)
        with self.turn:
            self.at_once -= 1
        ending = self.endings.get(asked["request"]["query"], "SUCCEEDED")
        if ending == "throttled":
            raise ConnectionError("no more than so many at once")
        body = {"Output": json.dumps({"statusCode": 200, "body": "{}"})} if ending == "SUCCEEDED" else {}
        return {"ExecutionArn": f"{SEARCH}:1", "Status": ending, **body}

    def questions(self) -> list[str]:
        """Give the questions in the order in which they were searched."""
        return [asked["request"]["query"] for asked in self.asked]


@dataclass(frozen=True)
class WarmUps:
    """The machine of the warm-ups, and what it meets."""

    searches: Searches
    dynamodb: Any
    states: Any
    machine: str

    def ask(self, query: str, times: int = OFTEN, **more: Any) -> str:
        """Count a question as the screener counts it; gives the request."""
        request = SearchRequest(query=query, **more).model_dump_json()
        popularity = DynamoDBPopularity(self.dynamodb, TABLE, WallClock())
        for _ in range(times):
            popularity.count(f"answer:{hash(request):x}", request)
        return request

    def run(self, first: int = 3, questions: list[str] | None = None) -> str:
        """Start a warm-up as the schedule does; gives the status in which it ended."""
        given = json.dumps({"first": first, "questions": questions or []}, ensure_ascii=False)
        arn = self.states.start_execution(stateMachineArn=self.machine, name=str(uuid4()), input=given)["executionArn"]
        until = time.monotonic() + 60
        while (told := self.states.describe_execution(executionArn=arn))["status"] == "RUNNING":
            assert time.monotonic() < until
            time.sleep(0.01)
        return str(told["status"])


@contextmanager
def warming() -> Iterator[WarmUps]:
    """Give the machine, its table and the searches that it starts, for a while."""
    searches = Searches()
    with simulated_aws(LambdaService()):
        clients = {name: boto3.client(name, region_name=REGION) for name in ("dynamodb", "stepfunctions", "iam")}

        def client_for(region: str, service: str, state_credentials: object = None) -> Any:
            del region, state_credentials
            return {"dynamodb": clients["dynamodb"], "stepfunctions": searches}[service]

        table = resources("AWS::DynamoDB::Table")["PopularityTable"]
        plain = {
            name: table[name] for name in ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "BillingMode")
        }
        clients["dynamodb"].create_table(TableName=TABLE, **plain)
        with patch.object(state_task_service_aws_sdk, "boto_client_for", client_for):
            yield WarmUps(searches, clients["dynamodb"], clients["stepfunctions"], _created(clients))


def _created(clients: dict[str, Any]) -> str:
    given = {"SearchMachine": SEARCH, "PopularityTable": TABLE}
    text = re.sub(r"\$\{(\w+)\}", lambda found: given[found[1]], WARM_UP.read_text("utf-8"))
    role = clients["iam"].create_role(RoleName="simulated", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    definition = json.dumps(yaml.safe_load(text))
    created = clients["stepfunctions"].create_state_machine(name="warm_up", definition=definition, roleArn=role)
    return str(created["stateMachineArn"])
