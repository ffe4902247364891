"""What the end-to-end tests share: a simulated AWS on which the stack is deployed, its functions in this process."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import boto3
import pytest

from tests.e2e.cached_stack import CachedStack
from tests.e2e.comparison import Stack
from tests.support.dynamodb_service import create_tables
from tests.support.simulated_aws import REGION, Platform, simulated_aws
from tests.support.state_machine import search_machine


@pytest.fixture(scope="package")
def platform() -> Iterator[Platform]:
    """Simulate AWS, with the tables of the stack, once for all tests: each search stands alone."""
    log = logging.getLogger("moto")  # it logs each caught error with its whole syntax tree
    level = log.level
    log.setLevel(logging.CRITICAL)
    with simulated_aws() as platform:
        create_tables(boto3.client("dynamodb", region_name=REGION))
        yield platform
    log.setLevel(level)


@pytest.fixture(scope="package")
def stack(platform: Platform) -> Stack:
    """Deploy the search with the real handlers; without stores they cache nothing."""
    return Stack(platform, search_machine(platform))


@pytest.fixture
def cached_stack(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Iterator[CachedStack]:
    """Return the stack with empty tables that work, and handlers that use them."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    client = boto3.client("dynamodb", region_name=REGION)
    yield CachedStack(stack, client)
    stack.platform.tables.failures.clear()
    create_tables(client)
