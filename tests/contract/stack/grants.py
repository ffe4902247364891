"""What the roles of the template allow: decides about calls as IAM does, by resolved ARNs and conditions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import product
from typing import Any

from tests.contract.stack.documents import evaluate, resources, template

ROLES = resources("AWS::IAM::Role")
SHARED = resources("AWS::IAM::ManagedPolicy")
REGION, ACCOUNT = "us-east-1", "123456789012"
NOT_RECORDED = {
    "Lambda writes the logs of a function": ["logs:CreateLogStream", "logs:PutLogEvents"],
    "Lambda's daemon and Step Functions send traces": [
        "xray:PutTraceSegments", "xray:PutTelemetryRecords", "xray:GetSamplingRules", "xray:GetSamplingTargets",
    ],
    "Step Functions sets up the delivery of a log when a machine is made, by the policy that its guide prescribes": [
        "logs:CreateLogDelivery", "logs:GetLogDelivery", "logs:UpdateLogDelivery", "logs:DeleteLogDelivery",
        "logs:ListLogDeliveries", "logs:PutResourcePolicy", "logs:DescribeResourcePolicies", "logs:DescribeLogGroups",
    ],
}  # fmt: skip
"""The actions that no test can exercise, by the reason: AWS calls them, and no code of goldpan."""
Statement = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A call as IAM sees it: its action, the ARN of its resource, and the keys that a condition may read."""

    action: str
    resource: str
    keys: Mapping[str, list[str]] = field(default_factory=dict)


class Values(dict[str, Any]):
    """What the template refers to: parameters with their defaults, pseudo parameters, and the ARNs of resources."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        defaults = {name: made["Default"] for name, made in template()["Parameters"].items()}
        pseudo = {"AWS::Partition": "aws", "AWS::Region": REGION, "AWS::AccountId": ACCOUNT}
        super().__init__({**defaults, **pseudo, **known})

    def __missing__(self, name: str) -> str:
        """Make an ARN that no other resource has."""
        return f"arn:aws:of-the-test:{REGION}:{ACCOUNT}:{name.removesuffix('.Arn')}"


def statements(role: str) -> Iterator[tuple[str | None, Statement]]:
    """Yield each statement of a role with the condition under which it exists, also those of a shared policy."""
    shared = [SHARED[named["Ref"]] for named in ROLES[role].get("ManagedPolicyArns", ()) if "Ref" in named]
    for policy in (*ROLES[role].get("Policies", ()), *shared):
        for statement in policy["PolicyDocument"]["Statement"]:
            condition, granted, _ = statement.get("Fn::If", (None, statement, None))
            yield condition, granted


def listed(value: Any) -> list[Any]:
    """Return a list as it is, and a single value in a list."""
    return value if isinstance(value, list) else [value]


def check(role: str, calls: Iterable[Call], known: Mapping[str, Any]) -> None:
    """Assert that a role allows each call, and that each action, resource and key it allows is one of a call."""
    made, granted = list(calls), grants(role, known)
    assert refused(granted, made) == [], f"{role} does not allow what is called"
    excused = {action for actions in NOT_RECORDED.values() for action in actions}
    parts = [part for statement in granted for part in _parts(statement) if not excused.issuperset(part["Action"])]
    singles = [single for call in made for single in _singles(call)]
    unused = [part for part in parts if not any(_allows(part, single) for single in singles)]
    assert unused == [], f"{role} allows what is never called"


def grants(role: str, known: Mapping[str, Any]) -> list[Statement]:
    """Return what a role allows."""
    values = Values(known)
    return [_resolved(statement, values) for _, statement in statements(role)]


def refused(granted: Iterable[Statement], calls: Iterable[Call]) -> list[Call]:
    """Return the calls that no statement allows."""
    return [call for call in calls if not any(_allows(statement, call) for statement in granted)]


def _resolved(statement: Statement, values: Mapping[str, Any]) -> Statement:
    """Write a statement with lists everywhere, and with the ARNs of a stack."""
    conditions = {
        operator: {key: evaluate(listed(pattern), values) for key, pattern in keys.items()}
        for operator, keys in statement.get("Condition", {}).items()
    }
    resource = [each for given in listed(statement["Resource"]) for each in listed(evaluate(given, values))]
    return {"Action": listed(statement["Action"]), "Resource": resource, "Condition": conditions}


def _parts(statement: Statement) -> Iterator[Statement]:
    """Yield a statement for each single action, resource and combination of patterns."""
    keys = [(operator, key) for operator, patterns in statement["Condition"].items() for key in patterns]
    patterns = [statement["Condition"][operator][key] for operator, key in keys]
    for action, resource, *chosen in product(statement["Action"], statement["Resource"], *patterns):
        condition: dict[str, dict[str, list[str]]] = {}
        for (operator, key), pattern in zip(keys, chosen, strict=True):
            condition.setdefault(operator, {})[key] = [pattern]
        yield {"Action": [action], "Resource": [resource], "Condition": condition}


def _singles(call: Call) -> Iterator[Call]:
    """Yield a call for each item of a batch, whose keys one pattern alone need not match."""
    for values in product(*call.keys.values()):
        yield replace(call, keys={key: [value] for key, value in zip(call.keys, values, strict=True)})


def _allows(statement: Statement, call: Call) -> bool:
    return (
        call.action in statement["Action"]
        and _matches(call.resource, statement["Resource"])
        and all(
            _holds(operator, call.keys.get(key), patterns)
            for operator, keys in statement["Condition"].items()
            for key, patterns in keys.items()
        )
    )


def _holds(operator: str, values: list[str] | None, patterns: list[str]) -> bool:
    """Return whether a condition holds; `values` are those of its key, None if the call does not have it."""
    match operator:
        case "ForAllValues:StringLike":
            return all(_matches(value, patterns) for value in values or ())
        case "StringLikeIfExists":
            return values is None or _matches(values[0], patterns)
        case "StringLike":
            return values is not None and _matches(values[0], patterns)
        case "StringEquals":
            return values is not None and values[0] in patterns
    raise NotImplementedError(operator)


def _matches(text: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
