"""Records the calls of a DynamoDB table, and may answer some of them itself."""

import json
from base64 import b64decode
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from goldpan.infra.dynamodb_table import DynamoDBTable

OK = SimpleNamespace(status_code=200)
"""The part of an HTTP response that botocore reads."""


@dataclass
class Recorder:
    """The calls that a table made.

    Attributes:
        operations: The names of the calls, such as GetItem.
        bodies: Their JSON bodies, with binary values decoded.
        counted: The metrics that the users of the table counted.
        unprocessed: How many of the next batches are left unprocessed.
        silent: Whether calls get an empty response.
    """

    table: DynamoDBTable
    operations: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)
    unprocessed: int = 0
    silent: bool = False

    def __post_init__(self) -> None:
        """Listen to the client of the table."""
        self.table._client.meta.events.register("before-call.dynamodb", self._record)

    def _record(self, model: Any, params: Any, **_: Any) -> tuple[Any, dict[str, Any]] | None:
        body = json.loads(params["body"], object_hook=_decoded)
        self.operations.append(model.name)
        self.bodies.append(body)
        if self.unprocessed and model.name.startswith("Batch"):
            self.unprocessed -= 1
            left = body["RequestItems"]
            return OK, {"Responses": {}, "UnprocessedKeys": left, "UnprocessedItems": left}
        return (OK, {}) if self.silent else None


def _decoded(value: dict[str, Any]) -> dict[str, Any]:
    return {"B": b64decode(value["B"])} if value.keys() == {"B"} else value
