"""Reads the template and the state machines, and evaluates expressions as CloudFormation does."""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[3]
SEARCH, ACCEPT, ROUNDS, WARM_UP = (
    ROOT / "statemachine" / name
    for name in ("search.asl.json", "accept.asl.yaml", "rounds.asl.yaml", "warm_up.asl.yaml")
)
"""The definitions that are deployed."""
CONTRACT, GATEWAY = ROOT / "api" / "openapi.yaml", ROOT / "api" / "gateway.json"
"""The contract, and the part of it that API Gateway imports."""


class CloudFormationLoader(yaml.SafeLoader):
    """Reads YAML with tags such as `!Ref`."""


def _intrinsic(loader: CloudFormationLoader, name: str, node: yaml.Node) -> dict[str, Any]:
    key = name if name in {"Ref", "Condition"} else f"Fn::{name}"
    if isinstance(node, yaml.ScalarNode):
        text = str(loader.construct_scalar(node))
        return {key: text.split(".", 1) if name == "GetAtt" else text}
    if isinstance(node, yaml.SequenceNode):
        return {key: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {key: loader.construct_mapping(node, deep=True)}


CloudFormationLoader.add_multi_constructor("!", _intrinsic)


def text(name: str) -> str:
    """Read a file of the project."""
    return (ROOT / name).read_text("utf-8")


@cache
def read(path: Path) -> dict[str, Any]:
    """Read a document of CloudFormation, OpenAPI or Amazon's States Language."""
    document = yaml.load(path.read_text("utf-8"), Loader=CloudFormationLoader)
    assert isinstance(document, dict)
    return document


@cache
def template() -> dict[str, Any]:
    """Return the template, with the alarms in the place where CloudFormation includes them."""
    document = deepcopy(read(ROOT / "template.yaml"))
    included = document["Resources"].pop("Fn::Transform")["Parameters"]["Location"]
    document["Resources"] |= read(ROOT / included)
    return document


def resources(kind: str) -> dict[str, dict[str, Any]]:
    """Return the properties of each resource of a type, by logical id; functions have the globals merged in."""
    found = {name: made.get("Properties", {}) for name, made in template()["Resources"].items() if made["Type"] == kind}
    shared = template()["Globals"].get(kind.rpartition("::")[2], {}) if kind.startswith("AWS::Serverless::") else {}
    return {name: merge(shared, properties) for name, properties in found.items()}


def functions() -> dict[str, dict[str, Any]]:
    """Return the properties of each function, by logical id."""
    return resources("AWS::Serverless::Function")


def merge(shared: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Merge as SAM merges globals: maps key by key, lists one after the other, else the resource's own value."""
    merged = dict(shared)
    for name, value in own.items():
        common = shared.get(name)
        if isinstance(value, dict) and isinstance(common, dict):
            merged[name] = merge(common, value)
        else:
            merged[name] = [*common, *value] if isinstance(value, list) and isinstance(common, list) else value
    return merged


def function_id(name: str) -> str:
    """Return the logical id of a function, from its name in the code."""
    return f"{name.title().replace('_', '')}Function"


def states(machine: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every state of a machine, including those of its iterations and branches."""
    for name, state in machine["States"].items():
        yield name, state
        for inner in (state.get("ItemProcessor"), *state.get("Branches", ())):
            if inner is not None:
                yield from states(inner)


def strings(value: object) -> Iterator[str]:
    """Yield every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


Values = Mapping[str, Any]
FUNCTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "Fn::And": all,
    "Fn::Or": any,
    "Fn::Not": lambda found: not found[0],
    "Fn::Equals": lambda found: str(found[0]) == str(found[1]),  # CloudFormation compares numbers as texts, too
    "Fn::Split": lambda found: found[1].split(found[0]),
    "Fn::Join": lambda found: found[0].join(found[1]),
    "Fn::Contains": lambda found: found[1] in found[0],
    "Fn::FindInMap": lambda found: template()["Mappings"][found[0]][str(found[1])][found[2]],
    "Fn::Select": lambda found: found[1][int(found[0])],
}


def evaluate(expression: Any, values: Values) -> Any:
    """Evaluate an expression; `values` holds the parameters, attributes by their path, and what else a `Sub` names."""
    if isinstance(expression, list):
        return [evaluate(inner, values) for inner in expression]
    if not isinstance(expression, dict):
        return expression
    [(function, argument)] = expression.items()
    if function in {"Ref", "Fn::GetAtt"}:
        return values[argument if isinstance(argument, str) else ".".join(argument)]
    if function == "Fn::Sub":
        pattern, named = argument if isinstance(argument, list) else (argument, {})
        known = {**values, **{name: evaluate(inner, values) for name, inner in named.items()}}
        return re.sub(r"\$\{([\w:.]+)\}", lambda place: str(known[place[1]]), pattern)
    if function == "Fn::If":
        name, then, otherwise = argument
        return evaluate(then if evaluate(template()["Conditions"][name], values) else otherwise, values)
    return FUNCTIONS[function]([evaluate(inner, values) for inner in argument])


def deploys(values: Values) -> bool:
    """Return whether the rules of the template accept these values."""
    return all(
        evaluate(assertion["Assert"], values)
        for rule in template()["Rules"].values()
        if evaluate(rule["RuleCondition"], values)
        for assertion in rule["Assertions"]
    )
