"""What the end-to-end tests share: a simulated AWS on which the stack is deployed, its functions in this process."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import boto3
import pytest

from tests.e2e.comparison import Stack
from tests.e2e.doors import Doors
from tests.e2e.dynamodb_service import DynamoService, drop_tables, make_tables
from tests.e2e.lambda_service import Handler, LambdaService
from tests.e2e.machine import DEFINITION, REGION, Machine
from tests.e2e.memory import CachedValue
from tests.e2e.simulation import simulated_aws

Deploy = Callable[..., Machine]


@pytest.fixture
def deploy(caplog: pytest.LogCaptureFixture) -> Iterator[Deploy]:
    """Give `deploy(handlers, definition=...)`: the machine with these handlers as its functions, once a test."""
    caplog.set_level(logging.CRITICAL, logger="moto")  # it logs each caught error with its whole syntax tree
    functions = LambdaService()

    def deployed(handlers: Mapping[str, Handler], definition: Path = DEFINITION) -> Machine:
        functions.handlers.update(handlers)
        return Machine(functions, definition)

    with simulated_aws(functions):
        yield deployed


@pytest.fixture(scope="session")
def doors() -> Doors:
    """Load the real doors."""
    return Doors()


@pytest.fixture(scope="module")
def tables() -> DynamoService:
    """Give what makes the tables of a file's tests fail."""
    return DynamoService()


@pytest.fixture(scope="module")
def stack(doors: Doors, tables: DynamoService) -> Iterator[Stack]:
    """Give the real machine with the real doors; one for all tests of a file, since each search stands alone.

    Its tables are there, and stay empty: the doors of `Fakes` remember nothing unless they are given stores.
    """
    log, functions = logging.getLogger("moto"), LambdaService()
    level = log.level
    log.setLevel(logging.CRITICAL)
    with simulated_aws(functions, tables):
        make_tables(boto3.client("dynamodb", region_name=REGION))
        yield Stack(Machine(functions), doors)
    log.setLevel(level)


@pytest.fixture
def memory(stack: Stack, tables: DynamoService, monkeypatch: pytest.MonkeyPatch) -> Iterator[CachedValue]:
    """Give the stack with tables that are empty and work, and doors that remember."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    client = boto3.client("dynamodb", region_name=REGION)
    yield CachedValue(stack, tables, client)
    tables.mend()
    drop_tables(client)
    make_tables(client)
