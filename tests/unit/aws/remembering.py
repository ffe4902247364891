"""The tables of the deployed stack, as the state machine and its doors use them, in this process."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from goldpan.engine.search import Answers
from goldpan.infra.cache.port import ProcessCache
from goldpan.infra.locks.port import ProcessLocks

from tests.support.factories import NOW, StillClock
from tests.unit.aws.doors import Door

METADATA = {
    "SdkHttpMetadata": {"AllHttpHeaders": {f"header-{n}": ["x" * 50] for n in range(8)}, "HttpStatusCode": 200},
    "SdkResponseMetadata": {"RequestId": "X" * 52},
}
"""What Step Functions adds to an answer of DynamoDB."""


class Tables:
    """Answers that doors keep, and that the state machine finds as items.

    Attributes:
        counted: The counters that the state machine wrote.
    """

    def __init__(self, text: str | None = None) -> None:
        clock = StillClock()
        self._cache, self._text = ProcessCache(clock), text
        self.answers = Answers(self._cache, ProcessLocks(clock), clock)
        self.counted: list[Mapping[str, Any]] = []

    def actions(self) -> dict[str, Door]:
        """Give what the state machine asks of DynamoDB."""
        return {"dynamodb:getItem": self._get, "dynamodb:updateItem": self._update}

    def _get(self, asked: Mapping[str, Any]) -> Any:
        key = asked["Key"]["pk"]["S"]
        found = self._cache.read([key]).get(key)
        text = self._text or (found.value.decode() if found else None)
        if text is None:
            return METADATA
        times = {"stored_at": {"N": "1" * 16}, "fresh_until": {"N": "1" * 16}, "ttl": {"N": "1" * 10}}
        until = f"{NOW + timedelta(minutes=15):%Y-%m-%dT%H:%M:%S.000Z}"
        return METADATA | {"Item": times | {"pk": {"S": key}, "text": {"S": text}, "fresh_until_time": {"S": until}}}

    def _update(self, asked: Mapping[str, Any]) -> Any:
        self.counted.append(asked)
        return METADATA
