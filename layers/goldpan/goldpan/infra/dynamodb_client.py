"""DynamoDB as a store: a client that gives up soon, and its failures by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import TimedOut
from goldpan.infra.circuit_breaker import StoreFailed
from goldpan.infra.threads import run_with_deadline

SECONDS = 1.0
"""How long DynamoDB may take to connect, and to answer; it usually answers in 5 ms."""
TRIES = 2
Item = Mapping[str, Mapping[str, Any]]
"""An item as DynamoDB writes it: each value under the letter of its type."""


def dynamodb_client(seconds: float = SECONDS, **more: Any) -> Any:
    """Make a client that tries twice and then gives up, because a search goes on without its stores.

    Both tries together may take twice the seconds, however slowly the bytes come; `more` is what boto3's own `client`
    takes.
    """
    import boto3  # noqa: PLC0415 - loaded only where a store is made
    from botocore.config import Config  # noqa: PLC0415

    patience = Config(
        connect_timeout=seconds, read_timeout=seconds, retries={"mode": "standard", "total_max_attempts": TRIES}
    )
    return PatientClient(boto3.client("dynamodb", config=patience, **more), TRIES * seconds)


class PatientClient:
    """A client whose calls end in time: botocore's timeouts begin anew with every byte. Calls raise `TimedOut` too."""

    def __init__(self, client: Any, seconds: float) -> None:
        self._client, self._seconds = client, seconds

    def __getattr__(self, name: str) -> Any:
        """Give a call of the client that ends in time, or whatever else it has."""
        part = getattr(self._client, name)
        if not callable(part):
            return part

        def call(**asked: Any) -> Any:
            return run_with_deadline(lambda: part(**asked), Deadline.after(self._seconds, WallClock()))

        return call


@contextmanager
def reached(table: str, failure: type[StoreFailed] = StoreFailed) -> Iterator[None]:
    """Raise what goes wrong with DynamoDB as the failure."""
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - loaded with the client

    try:
        yield
    except (BotoCoreError, ClientError, TimedOut) as error:
        raise failure(f"{table} could not be used ({error})") from error
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise failure(f"{table} answered in an unknown way ({type(error).__name__})") from error


def number(value: int) -> dict[str, str]:
    """Write a whole number."""
    return {"N": str(value)}


def whole(item: Item, name: str) -> int:
    """Read a whole number, 0 where there is none."""
    return int(item.get(name, {}).get("N", 0))
