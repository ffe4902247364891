"""What the tests of the stores share: a clock of their own, each store for two functions, and the SQLite file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from goldpan.infra.sqlite_file import SqliteFile

from tests.integration.stores.opened import STORES, Functions, Store, opened
from tests.support.fakes import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    """Make a clock that only moves when told."""
    return FakeClock()


@pytest.fixture(params=STORES)
def functions(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Functions]:
    """Open each store for two functions."""
    store: Store = request.param
    with opened(store, tmp_path, clock) as both:
        yield both


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file in a folder that is not there yet."""
    return tmp_path / "state" / "goldpan.sqlite"


@pytest.fixture
def file(path: Path) -> Iterator[SqliteFile]:
    """Open the file."""
    made = SqliteFile(path, busy_seconds=0.3)
    yield made
    made.close()
