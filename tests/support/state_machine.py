"""A state machine on the simulated Step Functions, from the definition as it is deployed, and its executions."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
import yaml

from tests.support.dynamodb_service import TABLES
from tests.support.simulated_aws import REGION, Platform

DEFINITION = Path(__file__).parents[2] / "statemachine" / "search.asl.json"
ACCEPTING, ROUNDS, WARM_UPS = (DEFINITION.with_name(f"{name}.asl.yaml") for name in ("accept", "rounds", "warm_up"))
FUNCTIONS = {"QueryTranslatorFunction": "query_translator", "ScoutFunction": "scout", "ScreenerFunction": "screener"}
"""The function names by the logical ids of the template."""
ACCOUNT = "123456789012"
MAX_PAYLOAD_BYTES = 262_144
UNCATCHABLE = frozenset({"States.Runtime", "States.DataLimitExceeded"})
"""Step Functions ends the execution on these errors whatever a Catch says; moto lets States.ALL catch them."""
HistoryEvent = dict[str, Any]


@dataclass(frozen=True)
class Payload:
    """A value that entered or left a state or its function, with the type of the history event."""

    state: str
    event: str
    value: Any

    @cached_property
    def size(self) -> int:
        """The bytes as JSON in UTF-8, with a space after each comma and colon, in case Step Functions counts them."""
        return len(json.dumps(self.value, ensure_ascii=False).encode())


@dataclass(frozen=True)
class Execution:
    """An execution that has ended."""

    status: str
    output: Any
    error: str | None
    payloads: tuple[Payload, ...]
    errors: tuple[tuple[str, str], ...]
    """The state and the name of every error, caught or not."""

    def states(self) -> list[str]:
        """Return the states that were entered, in order; those of a Map come in the order of its threads."""
        return [payload.state for payload in self.payloads if payload.event.endswith("StateEntered")]

    def oversized(self) -> list[tuple[str, str, int]]:
        """Return the payloads that Step Functions would refuse: state, event and size."""
        return [(each.state, each.event, each.size) for each in self.payloads if each.size > MAX_PAYLOAD_BYTES]

    def uncatchable(self) -> list[tuple[str, str]]:
        """Return the errors on which Step Functions would have ended the execution."""
        return [(state, name) for state, name in self.errors if name in UNCATCHABLE]


class StateMachine:
    """A state machine made from a definition; its `${Name}` are replaced."""

    def __init__(self, platform: Platform, definition: str, substitutions: Mapping[str, str]) -> None:
        self._platform, self._client = platform, boto3.client("stepfunctions", region_name=REGION)
        text = re.sub(r"\$\{(\w+)\}", lambda found: substitutions[found[1]], definition)
        created = self._client.create_state_machine(
            name=f"machine-{uuid4()}",
            definition=json.dumps(yaml.safe_load(text)),
            roleArn=f"arn:aws:iam::{ACCOUNT}:role/r",
        )
        self._arn = created["stateMachineArn"]

    def run(self, value: Any, name: str | None = None) -> Execution:
        """Start an execution, by default with its own name, and wait for its end. Raises `TimeoutError` if it hangs."""
        arn = self._client.start_execution(
            stateMachineArn=self._arn, name=name or str(uuid4()), input=json.dumps(value, ensure_ascii=False)
        )["executionArn"]
        with self._platform.changed:
            if not self._platform.changed.wait_for(lambda: arn in self._platform.ended, timeout=120):
                raise TimeoutError(f"the execution has not ended: {arn}")
            ended = self._platform.ended.pop(arn)
        events = ended.to_history_output()["events"]
        payloads = tuple(_payloads(events))
        reported = ((state, details["error"]) for state, _, details in _described(events) if "error" in details)
        errors = (*reported, *_caught_errors(payloads))
        return Execution(str(ended.exec_status.value), ended.output, ended.error, payloads, errors)


def accept_machine(platform: Platform) -> StateMachine:
    """Deploy what starts a search for which its client does not wait."""
    values = {"Partition": "aws", "SearchMachine": "the search machine", "RoundsMachine": "the rounds", **TABLES}
    return StateMachine(platform, ACCEPTING.read_text(encoding="utf-8"), values)


def rounds_machine(platform: Platform) -> StateMachine:
    """Deploy what runs a search in rounds; the search machine is a client of the platform."""
    values = {"Partition": "aws", "SearchMachine": "the search machine", "ScreenerFunction": _version("screener")}
    return StateMachine(platform, ROUNDS.read_text(encoding="utf-8"), {**values, **TABLES})


def search_machine(platform: Platform, version: str = "1 1 1") -> StateMachine:
    """Deploy the search; the version of the functions is a part of every key."""
    versions = {logical_id: _version(name) for logical_id, name in FUNCTIONS.items()}
    text = DEFINITION.read_text(encoding="utf-8")
    values = {"Partition": "aws", "SearchVersion": version, "DailyCostLimit": "5"}
    return StateMachine(platform, text, {**versions, **TABLES, **values})


def _version(name: str) -> str:
    return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{name}:1"


def _payloads(events: Iterable[HistoryEvent]) -> Iterator[Payload]:
    """Return every value that entered or left a state or a function, in order."""
    for state, event, details in _described(events):
        for name in ("input", "output"):
            if name in details:
                yield Payload(state, event["type"], json.loads(details[name]))


def _caught_errors(payloads: Iterable[Payload]) -> Iterator[tuple[str, str]]:
    """Return the errors that a Catch passed to another state; the history has no event for those of a Map."""
    for payload in payloads:
        fields = payload.value if isinstance(payload.value, dict) and payload.event.endswith("StateEntered") else {}
        for value in fields.values():
            if isinstance(value, dict) and value.keys() == {"Error", "Cause"}:
                yield payload.state, value["Error"]


def _described(events: Iterable[HistoryEvent]) -> Iterator[tuple[str, HistoryEvent, dict[str, Any]]]:
    """Return each event with its state, which is its own or that of the event before, and its details."""
    state_at: dict[int, str] = {}
    for event in events:
        details: dict[str, Any] = next((value for name, value in event.items() if name.endswith("EventDetails")), {})
        state_at[event["id"]] = details.get("name") or state_at.get(event.get("previousEventId", 0), "")
        yield state_at[event["id"]], event, details


SEARCH_ARN = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:search"
POPULARITY = TABLES["PopularityTable"]


@dataclass
class RecordedSearches:
    """The search machine: records its inputs; `statuses` says how a question ends, or "throttled" at its start."""

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
        self._machine = StateMachine(platform, WARM_UPS.read_text("utf-8"), substitutions)

    def run(self, first: int = 3, questions: list[str] | None = None) -> Execution:
        """Start a warm-up as the schedule does."""
        return self._machine.run({"first": first, "questions": questions or []})
