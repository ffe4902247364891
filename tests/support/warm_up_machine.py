"""The state machine of the warm-ups on the simulated Step Functions, over the table of popular requests."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3

from tests.support.dynamodb_service import TABLES
from tests.support.simulated_aws import REGION, Platform
from tests.support.state_machine import Execution, StateMachine

DEFINITION = Path(__file__).parents[2] / "statemachine" / "warm_up.asl.yaml"
SEARCH_ARN = "arn:aws:states:us-east-1:123456789012:stateMachine:search"
POPULARITY = TABLES["PopularityTable"]


@dataclass
class RecordedSearches:
    """The search machine: records its inputs; `statuses` says how the search for a question ends.

    A question whose status is "throttled" cannot be started.
    """

    inputs: list[dict[str, Any]] = field(default_factory=list)
    statuses: dict[str, str] = field(default_factory=dict)

    def start_sync_execution(self, **parameters: str) -> dict[str, Any]:
        """Run a search to its end; Step Functions writes these names with capitals."""
        assert parameters["StateMachineArn"] == SEARCH_ARN
        value = json.loads(parameters["Input"])
        self.inputs.append(value)
        status = self.statuses.get(value["request"]["query"], "SUCCEEDED")
        if status == "throttled":
            raise ConnectionError("too many executions at once")
        return {"ExecutionArn": f"{SEARCH_ARN}:1", "Status": status}

    def questions(self) -> list[str]:
        """Return the questions in alphabetical order."""
        return sorted(value["request"]["query"] for value in self.inputs)


class WarmUps:
    """The state machine of the warm-ups, its table, and the searches that it starts."""

    def __init__(self, platform: Platform) -> None:
        self.searches = RecordedSearches()
        self.table = boto3.resource("dynamodb", region_name=REGION).Table(POPULARITY)
        platform.clients["stepfunctions"] = self.searches
        substitutions = {"SearchMachine": SEARCH_ARN, "PopularityTable": POPULARITY, "Partition": "aws"}
        self._machine = StateMachine(platform, DEFINITION.read_text("utf-8"), substitutions)

    def run(self, first: int = 3, questions: list[str] | None = None) -> Execution:
        """Start a warm-up as the schedule does."""
        return self._machine.run({"first": first, "questions": questions or []})
