"""What the end-to-end tests share: a simulated AWS on which the stack is deployed, its functions in this process."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.e2e.comparison import Stack
from tests.e2e.doors import Doors
from tests.e2e.lambda_service import Handler, LambdaService
from tests.e2e.machine import DEFINITION, Machine
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
def stack(doors: Doors) -> Iterator[Stack]:
    """Give the real machine with the real doors; one for all tests of a file, since each search stands alone."""
    log, functions = logging.getLogger("moto"), LambdaService()
    level = log.level
    log.setLevel(logging.CRITICAL)
    with simulated_aws(functions):
        yield Stack(Machine(functions), doors)
    log.setLevel(level)
