"""What CloudFormation makes of an expression of the template, for given values of the parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.contract.stack.documents import template

Values = Mapping[str, Any]


def evaluated(expression: Any, values: Values) -> Any:
    """Evaluate an expression; `values` has the parameters, and what a `Sub` names beside them."""
    if not isinstance(expression, dict):
        return expression
    [(function, argument)] = expression.items()
    if function == "Ref":
        return values[argument]
    if function == "Fn::Sub":
        text, named = argument if isinstance(argument, list) else (argument, {})
        return _filled(text, named, values)
    if function == "Fn::If":
        name, then, otherwise = argument
        return evaluated(then if evaluated(template()["Conditions"][name], values) else otherwise, values)
    found = [evaluated(inner, values) for inner in argument]
    if function == "Fn::Equals":
        return str(found[0]) == str(found[1])  # CloudFormation compares texts, also of numbers
    return {"Fn::And": all(found), "Fn::Or": any(found), "Fn::Not": not found[0]}[function]


def _filled(text: str, named: Mapping[str, Any], values: Values) -> str:
    known = {**values, **{name: evaluated(inner, values) for name, inner in named.items()}}
    return re.sub(r"\$\{(\w+)\}", lambda place: str(known[place[1]]), text)


def deploys(values: Values) -> bool:
    """Tell whether the rules of the template let these values through."""
    return all(
        evaluated(assertion["Assert"], values)
        for rule in template()["Rules"].values()
        if evaluated(rule["RuleCondition"], values)
        for assertion in rule["Assertions"]
    )
