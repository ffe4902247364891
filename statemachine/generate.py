"""Write search.asl.json, which is deployed, from search.asl.yaml and what the library defines: `make asl`.

Step Functions reads neither the anchors of YAML nor the tag `!generated <name>`, which stands for that value.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import yaml
from goldpan.aws.failures import CUT_ERRORS, RETRIED_ERRORS
from goldpan.contracts import SearchRequest
from goldpan.contracts.request import PAGE_FIELDS
from goldpan.engine.problem_details import problem
from goldpan.errors import Forbidden, Overloaded, TerminalError, terminal_errors

SOURCE = Path(__file__).with_name("search.asl.yaml")
DEFINITION = SOURCE.with_suffix(".json")
JITTER = {"IntervalSeconds": 1, "MaxAttempts": 2, "BackoffRate": 1, "JitterStrategy": "FULL"}
"""Two more attempts, each after up to a second, which differs so that executions refused together return apart."""
TABLE_ERRORS = [
    "DynamoDB.InternalServerErrorException", "DynamoDB.ProvisionedThroughputExceededException",
    "DynamoDB.RequestLimitExceededException", "DynamoDB.SdkClientException", "DynamoDB.ThrottlingException",
]  # fmt: skip
"""Errors of a table that a later call may not meet. The key was made, since the table was called.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
"""
ENDING_ERRORS = [error.__name__ for error in terminal_errors() if error is not TerminalError]
OTHER_PROJECTS = "project_id: the key of this request is bound to other projects"


def generated_values() -> dict[str, object]:
    """Return each generated value by its name."""
    defaults = SearchRequest(query="any").model_dump(mode="json", exclude={"query", "config"})
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


def generate(source: str, values: Mapping[str, object]) -> str:
    """Return the definition. Raises `KeyError` if a tag names no value."""

    class Loader(yaml.SafeLoader):
        """Reads YAML with the tag."""

    Loader.add_constructor("!generated", lambda _, node: values[node.value])
    return json.dumps(yaml.load(source, Loader), indent=1) + "\n"  # noqa: S506 - it extends the safe loader


if __name__ == "__main__":
    DEFINITION.write_text(generate(SOURCE.read_text("utf-8"), generated_values()), "utf-8")
