"""Write into search.asl.yaml, in place, what Python defines: `make asl`.

A line of the definition that ends in `# generated: <name>` has its value, the lines below it with a deeper indentation,
replaced by the value of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import yaml
from goldpan.aws.failures import CUT_ERRORS, RETRIED_ERRORS
from goldpan.contracts import SearchRequest
from goldpan.contracts.request import PAGE_FIELDS
from goldpan.engine.problem_details import problem
from goldpan.errors import Forbidden, Overloaded, TerminalError, terminal_errors

DEFINITION = Path(__file__).with_name("search.asl.yaml")
MARK = re.compile(r"# generated: (?P<name>[a-z ]+)$")
WIDTH = 100
JITTER = {"IntervalSeconds": 1, "MaxAttempts": 2, "BackoffRate": 1, "JitterStrategy": "FULL"}
"""Two more attempts, each after up to a second, which differs so that executions refused together return apart."""
TABLE_ERRORS = [
    "DynamoDB.InternalServerErrorException",
    "DynamoDB.ProvisionedThroughputExceededException",
    "DynamoDB.RequestLimitExceededException",
    "DynamoDB.SdkClientException",
    "DynamoDB.ThrottlingException",
]
"""Errors of a table that a later call may not meet. The key was made, since the table was called.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
"""
ENDING_ERRORS = [error.__name__ for error in terminal_errors() if error is not TerminalError]
OTHER_PROJECTS = "project_id: the key of this request is bound to other projects"


def generated_values() -> dict[str, object]:
    """Return each generated value by the name of its mark."""
    defaults = SearchRequest(query="any").model_dump(mode="json", exclude={"query", "kinds", "config"})
    now = datetime.now(UTC)
    return {
        "request defaults": defaults | {"config": {}},
        "page defaults": {name: defaults[name] for name in PAGE_FIELDS},
        "retry": [{"ErrorEquals": RETRIED_ERRORS, **JITTER}],
        "table retry": [{"ErrorEquals": TABLE_ERRORS, **JITTER, "MaxAttempts": 1}],
        "table errors": [*TABLE_ERRORS, "States.Timeout"],
        "ending errors": [error for error in ENDING_ERRORS if error != Overloaded.__name__],
        "reported errors": [*ENDING_ERRORS, *CUT_ERRORS],
        "forbidden response": problem(Forbidden(OTHER_PROJECTS), now).model_dump(),
    }


def generate(definition: str, values: Mapping[str, object]) -> str:
    """Return the definition with all marked values replaced. Raises `KeyError` if a mark has no value."""
    return "".join(f"{line}\n" for line in _lines(definition.splitlines(), values))


def _lines(lines: list[str], values: Mapping[str, object]) -> Iterator[str]:
    replaced: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip(" -"))
        if replaced is not None and indent > replaced:
            continue
        yield line
        mark = MARK.search(line)
        replaced = indent if mark else None
        if mark:
            value = values[mark["name"]]
            text = yaml.safe_dump(value, sort_keys=False, width=WIDTH, default_flow_style=isinstance(value, list))
            yield from (f"{' ' * (indent + 2)}{part}" for part in text.splitlines())


if __name__ == "__main__":
    DEFINITION.write_text(generate(DEFINITION.read_text("utf-8"), generated_values()), "utf-8")
