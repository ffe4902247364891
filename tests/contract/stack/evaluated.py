"""Evaluates expressions of the template as CloudFormation does, for given values of the parameters."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.contract.stack.documents import template

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
