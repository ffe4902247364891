"""Twenty processes on one budget in DynamoDB: never over a limit, and nobody waits without end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from tests.integration.crowd import TAKERS, client_of, dynamodb_budget, gather, limits_of_crowd
from tests.integration.stores.opened import make_table
from tests.support.loopback.dynamodb import serialising_dynamodb

pytestmark = pytest.mark.enable_socket

WINDOW, MOST = 6, 60
LIMITS = limits_of_crowd(WINDOW, MOST)


@pytest.fixture
def address() -> Iterator[str]:
    """Serve DynamoDB with a table."""
    with serialising_dynamodb() as served:
        client = client_of(served)
        make_table(client)
        client.close()
        yield served


def test_twenty_processes_share_a_budget(address: str) -> None:
    """In no window of six seconds do twenty processes together call more than sixty times, and each gets its turn."""
    crowd = gather(partial(dynamodb_budget, address, LIMITS), [1, 1, 2, 1])
    assert len(crowd.calls) == 4 * TAKERS
    assert MOST // 2 <= crowd.most_in(WINDOW) <= MOST, crowd
    assert crowd.longest_wait < 2 * WINDOW, crowd
