"""The events of a search, as the client receives them."""

import asyncio
import json
from typing import Any

import pytest
from goldpan.errors import Unavailable
from goldpan_local.server.searches import Searches

from tests.contract.openapi.contract import as_written
from tests.support.factories import ListedSource
from tests.support.local import (
    PATIENCE,
    QUESTION,
    BlockingSource,
    client,
    github_runtime,
    post_search,
    problem_of,
    timeless,
    wait_for,
)

EVENTS = "text/event-stream"
ACCEPT = {"accept": EVENTS}


def events_in(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Read the events of a stream; each has a name and one line of data."""
    lines = [part.split("\n") for part in text.removesuffix("\n\n").split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in lines]


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_the_stages_are_sent_before_the_answer(method: str) -> None:
    """The first event is that it started, then each finished stage in its order, then the answer of the library."""
    how: dict[str, Any] = {"json": QUESTION} if method == "POST" else {"params": {"q": QUESTION["query"]}}
    response = client().request(method, "/search", headers=ACCEPT | {"x-request-id": "1"}, **how)
    assert (response.status_code, response.headers["content-type"]) == (200, f"{EVENTS}; charset=utf-8")
    (first, _), *stages, (last, answer) = events_in(response.text)
    assert (first, {name for name, _ in stages}, last) == ("started", {"stage"}, "answer")
    assert [each["stage"] for _, each in stages] == ["translate", "scout", "shortlist", "score", "rank", "assemble"]
    assert stages[1][1].keys() == {"stage", "kind", "message", "execution_time_ms"}
    assert "motion/react-motion" in [each["title"] for each in stages[2][1]["preview"]]
    as_written("Answer").validate(answer)
    assert timeless(answer) == timeless(client().post("/search", json=QUESTION).json())


def test_a_search_that_fails_ends_with_its_problem() -> None:
    """The problem is an event, because the status is sent already; what is refused before has its status."""
    http = client(github_runtime(ListedSource(failure=Unavailable("down"))), keys="k")
    headers = ACCEPT | {"x-api-key": "k"}
    name, problem = events_in(http.post("/search", json=QUESTION, headers=headers).text)[-1]
    assert (name, problem["status"], problem["type"]) == ("problem", 503, "urn:goldpan:problem:sources-failed")
    waited = http.post("/search", json=QUESTION, headers={"x-api-key": "k"})
    assert problem["retry_after"] == int(waited.headers["retry-after"])
    for status, refused in ((400, {"json": {}, "headers": headers}), (403, {"json": QUESTION, "headers": ACCEPT})):
        response = http.post("/search", **refused)  # type: ignore[arg-type]
        assert (response.status_code, problem_of(response)["status"]) == (status, status)


def test_started_does_not_wait_for_the_search_and_a_disconnect_cancels_it() -> None:
    """The event is there while the source still blocks; when the client leaves, the search ends."""
    source = BlockingSource()

    async def scenario() -> None:
        disconnect = asyncio.Event()
        searches = Searches(github_runtime(source), 1)
        posting = asyncio.create_task(post_search(searches, disconnect, accept=EVENTS.encode()))
        await wait_for(source.started)
        disconnect.set()
        names = [name for sent in (await posting)[1:] for name, _ in events_in(sent["body"].decode())]
        assert names == ["started", "stage"]
        await wait_for(source.cancelled)

    asyncio.run(asyncio.wait_for(scenario(), PATIENCE))
