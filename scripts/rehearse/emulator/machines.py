"""Versions and aliases of state machines: published, shifted and started as Step Functions and CloudFormation do."""

import json
import os
import random
import time
from collections.abc import Callable
from typing import Any

import yaml
from ministack.services import cloudwatch
from ministack.services import stepfunctions as service
from ministack.services.cloudformation import provisioners, stacks

SECONDS_A_MINUTE = float(os.environ.get("REHEARSAL_SECONDS_A_MINUTE", "0.5"))
"""How long a minute of a gradual deployment takes here."""
Properties = dict[str, Any]
Created = tuple[str, dict[str, str]]


def install() -> None:
    """Register both types, read definitions in YAML, and start executions by an alias."""
    handlers = provisioners._RESOURCE_HANDLERS
    handlers["AWS::StepFunctions::StateMachineVersion"] = {
        "create": lambda _name, properties, _stack: _publish(properties),
        "update": lambda _id, _old, properties, _stack: _publish(properties),
        "delete": lambda arn, _properties: _delete_version(arn),
    }
    handlers["AWS::StepFunctions::StateMachineAlias"] = {
        "create": lambda _name, properties, _stack: _create_alias(properties),
        "update": lambda arn, old, new, _stack: _shift(arn, old, new),
        "delete": lambda arn, _properties: _call(service._delete_state_machine_alias, stateMachineAliasArn=arn),
    }
    # A change of an alias waits as long as a gradual deployment takes.
    waits = stacks._runs_on_worker_thread
    stacks._runs_on_worker_thread = lambda kind: waits(kind) or kind == "AWS::StepFunctions::StateMachineAlias"
    definition, start, evaluate = provisioners._sfn_definition, service._start_sync_execution, service._evaluate_rule
    start_alone = service._start_execution
    provisioners._sfn_definition = lambda properties: json.dumps(yaml.safe_load(definition(properties)))
    service._start_sync_execution = lambda data: start(data | {"stateMachineArn": _routed(data["stateMachineArn"])})
    service._start_execution = lambda data: start_alone(data | {"stateMachineArn": _routed(data["stateMachineArn"])})
    service._evaluate_rule = lambda rule, data, context=None: evaluate(_compared(rule, data, context), data, context)


def _compared(rule: Properties, data: Any, context: Any) -> Properties:
    """Read the value with which a rule compares a text, where the emulator knows the constant form alone."""
    if "StringGreaterThanPath" not in rule:
        return rule
    return {**rule, "StringGreaterThan": service._resolve_path_or_ctx(rule["StringGreaterThanPath"], data, context)}


def _call(action: Callable[[Properties], tuple[int, Any, bytes]], **data: Any) -> Any:
    status, _, body = action(data)
    answer = json.loads(body)
    if status >= 400:  # noqa: PLR2004 - the first status of an error
        raise ValueError(f"{answer.get('__type')}: {answer.get('message')}")
    return answer


def _publish(properties: Properties) -> Created:
    """Publish the revision; one that has a version gets no other."""
    machine, revision = properties["StateMachineArn"], properties.get("StateMachineRevisionId")
    for arn, version in service._state_machine_versions.items():
        if (version["stateMachineArn"], version["stateMachineRevisionId"]) == (machine, revision):
            return arn, {"Arn": arn}
    arn = _call(service._publish_state_machine_version, stateMachineArn=machine)["stateMachineVersionArn"]
    service._state_machines[arn] = dict(service._state_machines[machine])  # what an execution of the version runs
    return arn, {"Arn": arn}


def _delete_version(arn: str) -> None:
    _call(service._delete_state_machine_version, stateMachineVersionArn=arn)
    service._state_machines.pop(arn, None)


def _create_alias(properties: Properties) -> Created:
    routes = [{"stateMachineVersionArn": _version(properties), "weight": 100}]
    arn = _call(service._create_state_machine_alias, name=properties["Name"], routingConfiguration=routes)
    return arn["stateMachineAliasArn"], {"Arn": arn["stateMachineAliasArn"]}


def _shift(arn: str, old: Properties, new: Properties) -> Created:
    """Point the alias to the new version, gradually if the template says so. Raises ValueError for a raised alarm."""
    preference, before, after = new["DeploymentPreference"], _version(old), _version(new)
    if preference["Type"] == "CANARY" and before != after:
        share = int(preference["Percentage"])
        _route(arn, {before: 100 - share, after: share})
        ends = time.monotonic() + int(preference["Interval"]) * SECONDS_A_MINUTE
        while time.monotonic() < ends:
            time.sleep(0.1)
            raised = [name for name in preference["Alarms"] if cloudwatch._alarms[name]["StateValue"] == "ALARM"]
            if raised:
                _route(arn, {before: 100})
                raise ValueError(f"The deployment was stopped by the alarm {raised[0]}")
    _route(arn, {after: 100})
    return arn, {"Arn": arn}


def _version(properties: Properties) -> str:
    return str(properties["DeploymentPreference"]["StateMachineVersionArn"])


def _route(arn: str, weights: dict[str, int]) -> None:
    routes = [{"stateMachineVersionArn": version, "weight": weight} for version, weight in weights.items()]
    _call(service._update_state_machine_alias, stateMachineAliasArn=arn, routingConfiguration=routes)


def _routed(arn: str) -> str:
    """Return the version that an execution of an alias runs, drawn by the weights."""
    alias = service._state_machine_aliases.get(arn)
    if alias is None:
        return arn
    routes = alias["routingConfiguration"]
    [drawn] = random.choices(routes, [route["weight"] for route in routes])  # noqa: S311 - no secret
    return str(drawn["stateMachineVersionArn"])
