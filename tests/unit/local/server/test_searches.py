"""Searches run side by side up to a limit, and end when no caller waits for them."""

import asyncio
import json
import logging
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.engine.search import get_or_search
from goldpan.errors import CredentialRejected
from goldpan.local.bootstrap import local_runtime, open_answers
from goldpan_local.server import searches as searches_module
from goldpan_local.server.app import make_app
from goldpan_local.server.searches import Searches
from starlette.testclient import TestClient

from tests.contract.openapi.contract import SERVED
from tests.support.factories import ListedSource
from tests.support.local import (
    PATIENCE,
    QUESTION,
    BlockingSource,
    catalogue,
    client,
    github_runtime,
    join_searches,
    post_search,
    problem_of,
    wait_for,
)


def run(scenario: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in an event loop of its own."""
    asyncio.run(asyncio.wait_for(scenario, PATIENCE))


def test_a_search_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two run side by side; a third waits, then gets 503, as on AWS; health responds, and finished ones make room."""
    monkeypatch.setattr(searches_module, "QUEUE_SECONDS", 0.05)
    source, statuses = BlockingSource(), list[int]()
    with client(github_runtime(source), limit=2) as http:
        post = lambda: statuses.append(http.post("/search", json=QUESTION).status_code)  # noqa: E731 - a target
        threads = [threading.Thread(target=post) for _ in range(2)]
        for thread in threads:
            thread.start()
        for _ in range(4):  # one search has three scouts
            assert source.started.acquire(timeout=PATIENCE)
        response = http.post("/search", json=QUESTION)
        assert (response.status_code, response.headers["retry-after"]) == (503, "1")
        details = problem_of(response)
        assert details["type"] == "urn:goldpan:problem:busy"
        templates = SERVED["/search"]["x-amazon-apigateway-integration"]["responses"]["4\\d{2}"]["responseTemplates"]
        assert f'"title": "{details["title"]}", "status": 503, "detail": "{details["detail"]}"' in str(templates)
        assert http.get("/health").status_code == 200
        source.release.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert [*statuses, http.post("/search", json=QUESTION).status_code] == [200, 200, 200]


def test_a_search_waits_for_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A burst is answered one after the other."""
    monkeypatch.setattr(searches_module, "QUEUE_SECONDS", PATIENCE)
    source = BlockingSource()
    searches = Searches(github_runtime(source), 1)

    async def scenario() -> None:
        posting = [asyncio.create_task(post_search(searches, asyncio.Event())) for _ in range(3)]
        await wait_for(source.started)
        source.release.set()
        assert [(await sent)[0]["status"] for sent in posting] == [200, 200, 200]

    run(scenario())


def test_a_search_is_cut_at_the_limit_of_the_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that exceeds its own limit gets 504, and is cancelled."""
    assert searches_module.MAX_SECONDS == 29
    client().post("/search", json=QUESTION)  # loads what the next search needs to reach its source in time
    monkeypatch.setattr(searches_module, "MAX_SECONDS", 0.5)
    source = BlockingSource()
    with client(github_runtime(source)) as http:
        response = http.post("/search", json=QUESTION)
        assert source.cancelled.wait(PATIENCE)
    assert response.status_code == 504
    assert problem_of(response)["detail"] == "The search was cut at its time limit."


def test_a_client_that_disconnects_ends_its_search(caplog: pytest.LogCaptureFixture) -> None:
    """The search is cancelled at once, and then makes room for the next; an incomplete body is no request."""
    source = BlockingSource()
    searches = Searches(github_runtime(source), 1)

    async def scenario() -> None:
        disconnect = asyncio.Event()
        disconnect.set()
        assert (await post_search(searches, disconnect, body=b'{"que'))[0]["status"] == 499
        assert not source.started.acquire(blocking=False)
        disconnect.clear()
        posting = asyncio.create_task(post_search(searches, disconnect))
        await wait_for(source.started)
        disconnect.set()
        assert [message.get("status") for message in await posting] == [499, None]
        await wait_for(source.cancelled)
        source.release.set()
        await asyncio.to_thread(join_searches)
        assert (await post_search(searches, asyncio.Event()))[0]["status"] == 200

    run(scenario())
    assert [record.levelname for record in caplog.records if record.levelno > logging.INFO] == []


def test_what_the_operator_has_to_correct_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """The line names the setting, without the words of the upstream, which may repeat a question."""
    rejected = CredentialRejected("GITHUB_TOKEN: GitHub rejected it (asked for date library)")
    with client(github_runtime(ListedSource(failure=rejected))) as http:
        assert http.post("/search", json=QUESTION).status_code == 500
    (line,) = [record for record in caplog.records if record.levelno > logging.INFO]
    assert (line.levelname, line.message) == ("ERROR", "No answer is possible: GITHUB_TOKEN: GitHub rejected it")


@pytest.mark.parametrize("ignores_cancellation", [False, True])
def test_a_stop_ends_every_search(ignores_cancellation: bool) -> None:  # noqa: FBT001 - the only argument
    """Waiting callers get 503, whatever their search waits for; so do later ones."""
    source = BlockingSource(ignores_cancellation=ignores_cancellation)
    searches = Searches(github_runtime(source), 2)

    async def scenario() -> None:
        posting = asyncio.create_task(post_search(searches, asyncio.Event()))
        await wait_for(source.started)
        searches.stop()
        for sent in (await posting, await post_search(searches, asyncio.Event())):
            assert (sent[0]["status"], (b"retry-after", b"1") in sent[0]["headers"]) == (503, True)
            assert json.loads(sent[1]["body"])["type"] == "urn:goldpan:problem:stopping"
        source.release.set()
        await asyncio.to_thread(join_searches)

    run(scenario())


def test_a_cached_answer_needs_no_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is served while all searches are busy, without parsing or another search, as the library returns it."""
    file = {"GOLDPAN_CACHE": str(tmp_path / "cache.sqlite")}
    with local_runtime(file, catalogue(), "test", ("catalogue",)) as runtime:
        searches = Searches(runtime, 1, open_answers(file))
        http = TestClient(make_app(searches, None))
        assert http.post("/search", json=QUESTION).json()["cached"] is False
        monkeypatch.setattr(searches_module, "QUEUE_SECONDS", 0.01)
        searches._places = asyncio.Semaphore(0)
        cached = http.post("/search", json=QUESTION)
        assert (cached.status_code, cached.json()["cached"]) == (200, True)
        assert cached.json() == json.loads(get_or_search(parse_request(QUESTION), runtime).to_json())
        by_link = http.get("/search", params={"q": QUESTION["query"]}, headers={"x-request-id": "1"})
        assert by_link.json() == cached.json()
        assert http.post("/search", json={**QUESTION, "max_results": 3}).status_code == 503
