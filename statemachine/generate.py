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
from goldpan.contracts import SearchRequest
from goldpan.engine.problem_details import problem
from goldpan.errors import Defect, Forbidden, TerminalError, terminal_error_named, terminal_errors

DEFINITION = Path(__file__).with_name("search.asl.yaml")
MARK = re.compile(r"# generated: (?P<name>[a-z ]+)$")
WIDTH = 100
RETRIED_ERRORS = [
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
    "Lambda.ResourceConflictException",
    "Lambda.ResourceNotReadyException",
    "Lambda.SnapStartException",
    "Lambda.SnapStartNotReadyException",
    "Lambda.SnapStartRegenerationFailureException",
    "Lambda.SnapStartTimeoutException",
    "Lambda.EC2ThrottledException",
    "Lambda.EC2UnexpectedException",
    "Lambda.ENINotReadyException",
]
"""Lambda's own service errors: the function did not run, or its response was lost; a later call may succeed.

https://docs.aws.amazon.com/step-functions/latest/dg/bp-lambda-serviceexception.html
https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors
"""
LOST_TASK_ERRORS = ["Lambda.Unknown", "Runtime.ExitError", "Runtime.OutOfMemory", "Overloaded"]
"""What else loses one task of a Map, and not the search: its function ended, or could not read its secrets."""
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
OVERLOADED = {"Error": "Overloaded", "Cause": "no function could be started: too many run at once, or none is ready"}
OTHER_PROJECTS = "project_id: the key of this request is bound to other projects"
OUT_OF_TIME = {"Error": "OutOfTime", "Cause": "a stage was cut at its time limit"}


def generated_values() -> dict[str, object]:
    """Return each generated value by the name of its mark."""
    defaults = SearchRequest(query="any").model_dump(mode="json", exclude={"query", "kinds", "config"})
    overloaded, now = terminal_error_named(*OVERLOADED.values()), datetime.now(UTC)
    return {
        "request defaults": defaults | {"config": {}},
        "retry": [{"ErrorEquals": RETRIED_ERRORS, **JITTER}],
        "table retry": [{"ErrorEquals": TABLE_ERRORS, **JITTER, "MaxAttempts": 1}],
        "busy errors": RETRIED_ERRORS,
        "table errors": [*TABLE_ERRORS, "States.Timeout"],
        "lost task errors": RETRIED_ERRORS + LOST_TASK_ERRORS,
        "terminal errors": [error.__name__ for error in terminal_errors() if error is not TerminalError],
        "out of time": OUT_OF_TIME,
        "overloaded": OVERLOADED,
        "overloaded response": problem(overloaded, now).model_dump(),
        "forbidden response": problem(Forbidden(OTHER_PROJECTS), now).model_dump(),
        "defect response": problem(Defect(), now).model_dump(),
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
            text = yaml.safe_dump(values[mark["name"]], sort_keys=False, width=WIDTH)
            yield from (f"{' ' * (indent + 2)}{part}" for part in text.splitlines())


if __name__ == "__main__":
    DEFINITION.write_text(generate(DEFINITION.read_text("utf-8"), generated_values()), "utf-8")
