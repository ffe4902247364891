"""Fixtures of the tests of the stores."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from goldpan.infra.dynamodb_table import DynamoDBTable
from goldpan.infra.sqlite_file import SqliteFile

from tests.integration.stores.opened import STORES, Opened, Recorder, opened, simulated_table
from tests.support.fakes import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    """Make a clock that moves only when goldpan waits."""
    return FakeClock()


@pytest.fixture(params=STORES)
def functions(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[tuple[Opened, Opened]]:
    """Open each store for two functions."""
    with opened(request.param, tmp_path, clock) as both:
        yield both


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file in a folder that does not exist."""
    return tmp_path / "state" / "goldpan.sqlite"


@pytest.fixture
def file(path: Path) -> Iterator[SqliteFile]:
    """Open the file."""
    opened_file = SqliteFile(path, busy_seconds=0.3)
    yield opened_file
    opened_file.close()


@pytest.fixture
def table() -> Iterator[DynamoDBTable]:
    """Open a table of DynamoDB."""
    with simulated_table() as opened_table:
        yield opened_table


@pytest.fixture
def recorder(table: DynamoDBTable) -> Recorder:
    """Record the calls of that table."""
    return Recorder(table)
