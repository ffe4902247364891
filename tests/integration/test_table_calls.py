"""The tables as the deployed functions call them: what each one needs, and what its role allows."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from tests.contract.stack.documents import function_id
from tests.contract.stack.grants import TableCall, granted_tables
from tests.integration.conftest import environment
from tests.support.dynamodb_service import TABLES
from tests.support.handler_search import deployed_search
from tests.support.handlers import FUNCTIONS, load_function
from tests.support.lambda_service import Context
from tests.support.loopback import LLMFault, LoopbackGitHub, LoopbackLLM
from tests.support.paper_search_fakes import QUESTION, papers
from tests.support.paper_sources import LoopbackPapers

pytestmark = pytest.mark.enable_socket
ALLOWED = {name: granted_tables(function_id(name).replace("Function", "Role")) for name in FUNCTIONS}
KEPT = {call for call in ALLOWED["screener"] if call[2] == "kept:"}
"""The calls for what is too large for a state, as a list of papers is."""
LOGICAL_IDS = {name: logical_id for logical_id, name in TABLES.items()}


class Recorded:
    """The calls of the tables by each function; `function` is the one that runs."""

    def __init__(self) -> None:
        self.calls: dict[str, set[TableCall]] = {name: set() for name in FUNCTIONS}
        self.function = ""

    def listen(self) -> None:
        """Record the calls of all clients that are made from now on."""
        boto3.setup_default_session()
        boto3.DEFAULT_SESSION.events.register("before-parameter-build.dynamodb", self._record)

    def _record(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        if self.function:
            calls = {(model.name, LOGICAL_IDS[table], prefix) for table, prefix in _prefixes(params)}
            assert len(calls) == 1, "IAM would refuse a batch whose keys are allowed by two statements"
            self.calls[self.function] |= calls


def _prefixes(params: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the table and the beginning of each key in a call."""
    for table, requested in params.get("RequestItems", {}).items():
        items = [each["PutRequest"]["Item"] for each in requested] if isinstance(requested, list) else requested["Keys"]
        yield from ((table, _prefix(item)) for item in items)
    if "TableName" in params:
        yield params["TableName"], _prefix(params.get("Key") or params["Item"])


def _prefix(item: dict[str, Any]) -> str:
    key: str = item["pk"]["S"]
    return key[: 1 + min(key.find(mark) for mark in ":#" if mark in key)]


def test_a_role_allows_the_calls_of_its_function_and_no_others(github: LoopbackGitHub, llm: LoopbackLLM) -> None:
    """A search, a repeated one, a paused language model and an analysis make every call that a role allows."""
    recorded = Recorded()
    settings = environment(github, llm) | {"OSV_URL": github.url}
    with deployed_search(None, settings, lambda name: setattr(recorded, "function", name)) as search:
        recorded.listen()
        for _ in range(2):
            assert search("React animation library")["repositories"]["results"]
        llm.inject(LLMFault.status(429, {"retry-after": "900"}))
        assert search("Rust web framework")["warnings"]
        analysis = {"stage": "analyze", "request": {"repo": "example-org/motion-kit"}}
        assert load_function("screener").handler(analysis, Context())["statusCode"] == 200
    assert recorded.calls | {"screener": recorded.calls["screener"] | KEPT} == ALLOWED


def test_a_search_for_papers_makes_no_other_calls() -> None:
    """Its six sources reserve their calls, and cache what they found, by the same kinds of keys."""
    recorded = Recorded()
    with LoopbackPapers(papers(12)) as server:
        settings = server.environment() | {"CROSSREF_MAILTO": "me@example.org"}
        with deployed_search(None, settings, lambda name: setattr(recorded, "function", name)) as search:
            recorded.listen()
            answer = search(QUESTION, kinds=["papers"])
    assert {row["status"] for row in answer["sources"]} == {"ok"}
    assert ("UpdateItem", "BudgetTable", "rate-limit#") in recorded.calls["scout"]
    assert {name: calls for name in FUNCTIONS if (calls := recorded.calls[name] - ALLOWED[name])} == {}
    assert recorded.calls["screener"] >= KEPT
