"""A search for which its client does not wait, from its request over both state machines to the answer by its id."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from goldpan.engine.deadlines import STAGE_SECONDS
from goldpan_local.server.background import prefers_async

from tests.contract.openapi.contract import as_written
from tests.contract.openapi.gateway import ACCEPTING, MACHINE, NOW, READING, Reply, execution, item_key, reply, sent
from tests.e2e.comparison import CACHE, CachedStack, Searched
from tests.support.dynamodb_service import THROTTLED
from tests.support.handlers import PlatformFailure
from tests.support.search_fakes import QUESTION, FakeSource, repositories
from tests.support.state_machine import accept_machine

BODY = json.dumps({"query": QUESTION})
ONE = ("Shortlisted", "Scored", "Ranked")
MESSAGES = ["Query translated", "Found 1 candidate", *(f"{done} 1 repository" for done in ONE)]


@dataclass
class Background:
    """The gateway with the machine that accepts searches, and what that machine started."""

    stack: CachedStack
    started: list[dict[str, str]] = field(default_factory=list)

    def start_execution(self, **parameters: str) -> dict[str, str]:
        """Record an execution of the search machine in place of starting it."""
        self.started.append(parameters)
        return {"executionArn": "arn"}

    def post(self, body: str = BODY, **headers: str) -> Reply:
        """Send a request through the gateway to the machine that accepts it."""
        received = sent("/search", body, **headers)
        assert received["stateMachineArn"] == ACCEPTING
        ended = accept_machine(self.stack.stack.platform).run(json.loads(received["input"]))
        return reply(execution(ended.status, ended.output, error=ended.error or ""), path="/live/search")

    def run(self, *failures: PlatformFailure, **parts: Any) -> Searched:
        """Run the search that was started."""
        [search] = self.started
        fakes = self.stack.fakes(**parts)
        return self.stack.stack.execute(fakes, json.loads(search["Input"]), *failures, name=search["Name"])

    def get(self, search_id: str, seconds: int = 1) -> Reply:
        """Read the search some seconds after its request."""
        found = self.stack.client.get_item(**item_key(search_id))
        return reply(found, integration=READING, requestTimeEpoch=1000 * (NOW + seconds))


@pytest.fixture
def background(cached_stack: CachedStack, monkeypatch: pytest.MonkeyPatch) -> Background:
    """Return the gateway with empty tables."""
    made, platform = Background(cached_stack), cached_stack.stack.platform
    monkeypatch.setitem(platform.clients, "stepfunctions", made)
    monkeypatch.setattr(platform, "entered", platform.entered)
    return made


def test_the_stages_and_then_the_answer_are_read_by_the_id(background: Background) -> None:
    """Each finished stage appears with the message of its event, and the answer is that of a client that waits."""
    accepted = background.post(Prefer="respond-async")
    search_id, seen = json.loads(accepted.body)["id"], dict[str, Reply]()
    assert (accepted.status, accepted.headers["Retry-After"]) == (202, "1")
    assert accepted.headers["Location"] == json.loads(accepted.body)["location"] == f"/live/search/{search_id}"
    as_written("Accepted").validate(json.loads(accepted.body))
    background.stack.stack.platform.entered = lambda state: seen.update({state: background.get(search_id)})
    searched = background.run()
    for reply_, count in ((seen["Is it a search?"], 0), (seen["Assemble the answer"], len(MESSAGES))):
        assert (reply_.status, reply_.headers["Retry-After"]) == (202, "1")
        as_written("Progress").validate(json.loads(reply_.body))
        stages = json.loads(reply_.body)["stages"]
        assert [stage["message"] for stage in stages] == MESSAGES[:count]
        assert [stage["stage"] for stage in stages] == list(STAGE_SECONDS)[:count]
    assert [each["title"] for each in stages[2]["preview"]] == [repositories(1)[0].full_name]
    answer = background.get(search_id)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    assert (answer.body.strip(), answer.headers["Cache-Control"]) == (searched.response.body, "no-store")
    assert background.get(search_id, 939).status == 200
    assert background.get(search_id, 940).problem["type"] == "urn:goldpan:problem:not-found"


def test_a_cached_answer_and_a_refused_request_are_stored_too(background: Background) -> None:
    """The search ends before any stage, and the client reads the same as one that waits."""
    background.stack.search()
    for body, status in ((BODY, 200), ('{"query": "x", "filters": {"license": "unheard-of"}}', 400)):
        preferred = "handling=lenient, RESPOND-ASYNC; x, wait=3"
        assert prefers_async([preferred])
        search_id = json.loads(background.post(body, prefer=preferred).body)["id"]
        searched = background.run()
        read = background.get(search_id)
        assert (read.status, read.body.strip()) == (status, searched.response.body)
        assert searched.response.statusCode == status
        background.started.clear()


def test_an_execution_that_fails_is_the_same_problem(background: Background) -> None:
    """503 where no function could be started; 504 where nothing was stored when the time was up."""
    search_id = json.loads(background.post(Prefer="respond-async").body)["id"]
    assert background.get(search_id, 39).status == 202
    assert background.get(search_id, 40).problem["type"] == "urn:goldpan:problem:out-of-time"
    searched = background.run(PlatformFailure("screener", "Lambda.TooManyRequestsException", {"stage": "assemble"}))
    read = background.get(search_id)
    assert (read.status, read.headers["Retry-After"]) == (503, "5")
    assert (read.status, read.body.strip()) == (searched.response.statusCode, searched.response.body)


def test_progress_that_cannot_be_written_costs_no_search(background: Background) -> None:
    """The search is answered; one whose response cannot be stored fails; without an item it is refused at once."""
    search_id = json.loads(background.post(Prefer="respond-async").body)["id"]
    background.stack.stack.platform.tables.throttled[CACHE, "UpdateItem"] = 2
    assert background.run(sources={"github": FakeSource()}).response.statusCode == 200
    assert background.get(search_id).status == 200
    background.started.clear()
    background.post(Prefer="respond-async")
    background.stack.stack.platform.tables.throttled[CACHE, "UpdateItem"] = 99
    assert background.run().execution.error == "DynamoDB.ThrottlingException", "no client sees it, but an alarm"
    background.stack.stack.platform.tables.failures[CACHE] = THROTTLED
    refused = background.post(Prefer="respond-async")
    assert (refused.status, refused.headers["Retry-After"]) == (503, "5")


@pytest.mark.parametrize("search_id", ["6f1c6f0e-9a53-4a0b-8a5e-3d4c1f6b7a21", "", '"}, "a": "'])
def test_an_unknown_id_is_not_found(background: Background, search_id: str) -> None:
    """And no text that takes the place of an id reaches the table."""
    assert background.get(search_id).problem["type"] == "urn:goldpan:problem:not-found"
    assert search_id == "6f1c6f0e-9a53-4a0b-8a5e-3d4c1f6b7a21" or item_key(search_id) == item_key("")


def test_a_comparison_has_its_answer_among_the_searches() -> None:
    """Its location is that of a search, whatever the path of its request."""
    assert sent("/compare", '{"repos": ["a/b", "c/d"]}', prefer="respond-async")["stateMachineArn"] == ACCEPTING
    accepted = {"statusCode": 202, "contentType": "application/json", "retryAfter": "1", "body": "{}", "id": "x-1"}
    response = reply(execution("SUCCEEDED", accepted), path="/live/compare")
    assert (response.status, response.headers["Location"]) == (202, "/live/search/x-1")


@pytest.mark.parametrize("prefer", ["respond-asynchronously", "handling=respond-async"])
def test_another_preference_waits(prefer: str) -> None:
    """Also at the server; and a body cannot ask for it, nor an analysis."""
    assert not prefers_async([prefer])
    assert sent("/search", BODY, prefer=prefer)["stateMachineArn"] == MACHINE
    assert sent("/search", '{"query": "x", "epoch": 5, "prefer": "respond-async"}')["stateMachineArn"] == MACHINE
    assert sent("/analyze-repo", "{}", prefer="respond-async")["stateMachineArn"] == MACHINE
