"""Walks the state machine's own definition, to see what each of its states would hold.

It knows the few parts of the Amazon States Language that the definition is made of. The simulated service in the
end-to-end tests is the judge of the language; this one is fast.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from tests.unit.aws.choices import chosen
from tests.unit.aws.doors import ROOT, Door
from tests.unit.aws.intrinsics import IntrinsicFailure
from tests.unit.aws.paths import filled, put, read

DEFINITION = ROOT / "statemachine" / "search.asl.yaml"
STACK_TRACE = ['  File "/var/task/app.py", line 20, in handler\n    return dump(stage(asked, EQUIPMENT.ports()))\n']
"""One of the lines that Lambda adds to an error."""
SERVICE = "arn:aws:states:::"


class LostError(Exception):
    """What the platform does to a call: the name says what."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True)
class Held:
    """What one state held at one moment, and how many bytes that was."""

    state: str
    moment: str
    size: int


@dataclass
class Flow:
    """The flow, over doors by the names that the definition has for them, and services by their actions."""

    doors: Mapping[str, Door]
    began_at: str
    held: list[Held] = field(default_factory=list)

    def run(self, given: Mapping[str, Any]) -> Any:
        """Run an execution, and give what the machine ends with."""
        machine = yaml.safe_load(DEFINITION.read_text("utf-8"))
        context = {
            "Execution": {"Input": given, "StartTime": self.began_at, "Id": "1" * 36},
            "State": {"EnteredTime": self.began_at},
        }
        return self._run(machine["States"], machine["StartAt"], given, context)

    def _run(self, states: Mapping[str, Any], start: str, data: Any, context: Mapping[str, Any]) -> Any:
        following: str | None = start
        while following is not None:
            name, state = following, states[following]
            self._hold(name, "before", data)
            if state["Type"] == "Choice":
                following = chosen(state, data)
                continue
            try:
                taken = read(state.get("InputPath", "$"), data, context)
                result = getattr(self, f"_{state['Type'].lower()}")(name, state, taken, context)
                following, path = state.get("Next"), state.get("ResultPath", "$")
            except LostError as lost:
                result, (following, path) = _failure(lost), _caught(state, lost)
            data = read(state.get("OutputPath", "$"), put(data, path, result), context)
            self._hold(name, "after", data)
        return data

    def _pass(self, _name: str, state: Mapping[str, Any], data: Any, context: Mapping[str, Any]) -> Any:
        return state["Result"] if "Result" in state else filled(state["Parameters"], data, context)

    def _wait(self, _name: str, _state: Mapping[str, Any], data: Any, _context: Mapping[str, Any]) -> Any:
        return data

    def _task(self, name: str, state: Mapping[str, Any], data: Any, context: Mapping[str, Any]) -> Any:
        try:
            given = filled(state["Parameters"], data, context)
        except IntrinsicFailure as refused:
            raise LostError("States.IntrinsicFailure") from refused
        self._hold(name, "given", given)
        try:
            result = self.doors[state["Resource"].removeprefix(SERVICE).strip("${}")](given)
        except LostError:
            raise
        except Exception as error:
            raise LostError(type(error).__name__) from error
        self._hold(name, "result", result)
        return result

    def _map(self, name: str, state: Mapping[str, Any], data: Any, context: Mapping[str, Any]) -> Any:
        inner = state["ItemProcessor"]
        results = []
        for item in read(state["ItemsPath"], data, context):
            own = {**context, "Map": {"Item": {"Value": item}}}
            results.append(self._run(inner["States"], inner["StartAt"], filled(state["ItemSelector"], data, own), own))
        self._hold(name, "result", results)
        return results

    def _hold(self, state: str, moment: str, value: Any) -> None:
        self.held.append(Held(state, moment, len(json.dumps(value, ensure_ascii=False).encode())))


def _failure(lost: LostError) -> dict[str, str]:
    """Tell a failure as Step Functions does: a function's own is the JSON of its error, with its stack trace."""
    error = lost.__cause__
    if error is None:
        return {"Error": lost.name, "Cause": ""}
    told = {"errorMessage": str(error), "errorType": lost.name, "requestId": "1" * 36, "stackTrace": 20 * STACK_TRACE}
    return {"Error": lost.name, "Cause": json.dumps(told, ensure_ascii=False)}


def _caught(state: Mapping[str, Any], lost: LostError) -> tuple[str, str | None]:
    for catch in state.get("Catch", ()):
        if {lost.name, "States.ALL"} & {*catch["ErrorEquals"]}:
            return catch["Next"], catch["ResultPath"]
    raise lost
