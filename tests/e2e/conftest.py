"""What the end-to-end tests share: a simulated AWS on which the stack is deployed, its functions in this process."""

import logging
from collections.abc import Iterator

import boto3
import pytest
from goldpan.aws import bootstrap
from goldpan.infra.dynamodb_table import DynamoDBTable, open_tables
from goldpan.infra.http_client import HttpClient

from tests.e2e.comparison import CachedStack, Stack
from tests.support.dynamodb_service import TABLES, create_tables
from tests.support.recorded_calls import enforced
from tests.support.simulated_aws import REGION, Platform, simulated_aws
from tests.support.state_machine import search_machine

ROLES = {"query_translator": "QueryTranslatorRole", "scout": "ScoutRole", "screener": "ScreenerRole"}


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


@pytest.fixture
def http() -> Iterator[HttpClient]:
    """Make the connections of all sources."""
    http = HttpClient()
    yield http
    http.close()


@pytest.fixture(scope="package")
def stack(platform: Platform) -> Stack:
    """Deploy the search with the real handlers; without stores they cache nothing."""
    return Stack(platform, search_machine(platform))


@pytest.fixture(scope="package")
def tables(platform: Platform) -> Iterator[dict[str, tuple[DynamoDBTable, ...]]]:
    """Open the tables once for each function, since a client takes 0.1 s, and with patience, since moto may be slow.

    Each function may call what its role allows.
    """
    del platform
    opened = {name: open_tables(*TABLES.values(), seconds=60, region_name=REGION) for name in ROLES}
    with enforced({id(own._client): ROLES[name] for name, (own, *_) in opened.items()}):
        yield opened


@pytest.fixture
def cached_stack(
    stack: Stack, tables: dict[str, tuple[DynamoDBTable, ...]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[CachedStack]:
    """Return the stack with empty tables that work, and handlers that use them."""
    monkeypatch.setattr(bootstrap, "open_tables", lambda function, **_: tables[function])
    client = boto3.client("dynamodb", region_name=REGION)
    yield CachedStack(stack, client)
    stack.platform.tables.failures.clear()
    stack.platform.tables.throttled.clear()
    create_tables(client)
