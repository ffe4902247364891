"""Searches by calling the three handlers in this process, over DynamoDB as moto simulates it."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from goldpan.kinds.repositories.ports import RepositorySource

ROOT = Path(__file__).resolve().parents[2]
TABLES = {"CACHE_TABLE": "cache", "BUDGET_TABLE": "budget", "POPULARITY_TABLE": "popularity"}
SCHEMA = {
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
Search = Callable[[str], Any]


@contextmanager
def deployed_search(github: RepositorySource) -> Iterator[Search]:
    """Provide a search with empty tables, this source in the place of GitHub, and no language model."""
    import boto3  # noqa: PLC0415 - both are slow to load
    from moto import mock_aws  # noqa: PLC0415

    environment = {**TABLES, "AWS_DEFAULT_REGION": "us-east-1"}
    connected = patch("goldpan.kinds.repositories.sources.connector.GitHub", lambda *_: github)
    with patch.dict("os.environ", environment, clear=True), mock_aws(), connected:
        client = boto3.client("dynamodb")
        for table in TABLES.values():
            client.create_table(TableName=table, **SCHEMA)
        handlers = {function: _handler(function) for function in ("query_translator", "scout", "screener")}
        yield lambda question: _search(question, **handlers)


def _handler(function: str) -> Callable[..., Any]:
    handler = runpy.run_path(str(ROOT / "functions" / function / "app.py"))["handler"]
    context = SimpleNamespace(function_name=function, memory_limit_in_mb=1, invoked_function_arn="", aws_request_id="")
    return lambda **event: handler(event, context)


def _search(
    question: str, query_translator: Callable[..., Any], scout: Callable[..., Any], screener: Callable[..., Any]
) -> Any:
    """Call the handlers in the order of the state machine. Raises `RuntimeError` if the response is not an answer."""
    request, execution = {"query": question}, {"key": f"answer:{question}", "owner": "execution"}
    (kind,) = query_translator(stage="begin", request=request, **execution)["kinds"]
    common: dict[str, Any] = {"kind": kind, "request": request}
    translation = query_translator(stage="translate", **common)["translation"]
    batches = [scout(stage="scout", task=task, **common) for task in translation["tasks"]]
    merged = screener(stage="shortlist", translation=translation, batches=batches, **common)["shortlist"]
    verdicts = [screener(stage="score", task=task, **common) for task in merged["tasks"]]
    outcome = screener(stage="rank", translation=translation, shortlist=merged, verdicts=verdicts, **common)
    response = screener(stage="assemble", request="", outcomes=[outcome], request_text=question, **execution)
    if response["statusCode"] != 200:
        raise RuntimeError(response["body"])
    return json.loads(response["body"])
