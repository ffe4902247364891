"""Searches by the real handlers with their own clients, one after the other, over DynamoDB as moto simulates it."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

import boto3
from goldpan.contracts.request import PAGE_FIELDS
from goldpan.kinds.repositories.ports import RepositorySource
from moto import mock_aws

from tests.support.dynamodb_service import TABLES, create_tables
from tests.support.handlers import FUNCTIONS, Context, load_function

GITHUB = "goldpan.kinds.repositories.sources.connector.open_github"
ENVIRONMENT = {"CACHE_TABLE": "CacheTable", "BUDGET_TABLE": "BudgetTable", "POPULARITY_TABLE": "PopularityTable"}
"""The table of each setting, by the logical ids of the template."""
Call = Callable[..., Any]


def settings() -> dict[str, str]:
    """Return what the environment of the functions has without a key."""
    tables = {variable: TABLES[logical_id] for variable, logical_id in ENVIRONMENT.items()}
    return tables | {"AWS_DEFAULT_REGION": "us-east-1"}


@contextmanager
def deployed_search(
    github: RepositorySource | None,
    environment: Mapping[str, str] | None = None,
    on_call: Callable[[str], None] = lambda _: None,
) -> Iterator[Call]:
    """Provide a search with empty tables, by default without a model; without a source, GitHub is called."""
    replaced = patch(GITHUB, lambda *_: github) if github else nullcontext()
    with patch.dict("os.environ", settings() | dict(environment or {}), clear=True), mock_aws(), replaced:
        create_tables(boto3.client("dynamodb"))
        handlers = {function: _handler(function, on_call) for function in FUNCTIONS}
        yield lambda question, **fields: _search({"query": question, **fields}, **handlers)


def _handler(function: str, on_call: Callable[[str], None]) -> Call:
    handler = load_function(function).handler

    def call(**event: Any) -> Any:
        on_call(function)
        return handler(event, Context())

    return call


def _search(request: Mapping[str, Any], query_translator: Call, scout: Call, screener: Call) -> Any:
    """Call the handlers in the order of the state machine. Raises `RuntimeError` if the response is not an answer."""
    of_all_pages = {name: value for name, value in request.items() if name not in PAGE_FIELDS}
    execution = {"key": f"search:{json.dumps(of_all_pages)}", "owner": "execution"}
    (kind,) = query_translator(stage="begin", request=request, **execution)["kinds"]
    common: dict[str, Any] = {"kind": kind, "request": request, "execution": "async_example", "daily_cost_limit": 5}
    translation = query_translator(stage="translate", **common)["translation"]
    batches = [scout(stage="scout", task=task, **common) for task in translation["tasks"]]
    merged = screener(stage="shortlist", translation=translation, batches=batches, **common)["shortlist"]
    verdicts = [screener(stage="score", task=task, **common) for task in merged["tasks"]]
    outcome = screener(stage="rank", translation=translation, shortlist=merged, verdicts=verdicts, **common)
    text = json.dumps(request)
    response = screener(stage="assemble", request="", outcomes=[outcome], request_text=text, **execution)
    if response["statusCode"] != 200:
        raise RuntimeError(response["body"])
    return json.loads(response["body"])
