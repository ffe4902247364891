"""What the tests of DynamoDB share: a clock of their own, and a table whose client notes what is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.dynamodb.watched import Watched, watched
from tests.support.fakes import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    """Make a clock that only moves when told."""
    return FakeClock()


@pytest.fixture
def client() -> Iterator[Watched]:
    """Make a client with a table."""
    with watched() as made:
        yield made
