"""A search ends with what it was for: when its client leaves, and when the server stops."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest
from goldpan_local.serve.searches import Searches

from tests.unit.local.held import PATIENCE, HeldSource, ended, until
from tests.unit.local.serving import Event, called, leaving, runtime


def test_a_client_that_leaves_ends_its_search(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody is answered, the search is given up at once, and its place is free for the next."""
    source = HeldSource()
    searches = Searches(runtime(source), 1)

    async def play() -> list[Event]:
        left = asyncio.Event()
        asking = asyncio.create_task(called(searches, leaving(left)))
        await until(source.asked)
        left.set()
        sent = await asking
        await until(source.given_up)
        source.go.set()
        await asyncio.to_thread(ended)
        assert (await called(searches, leaving(asyncio.Event())))[0]["status"] == 200
        return sent

    assert [event.get("status") for event in asyncio.run(asyncio.wait_for(play(), PATIENCE))] == [499, None]
    assert [record.levelname for record in caplog.records if record.levelno > logging.INFO] == []


def test_a_client_that_leaves_in_its_body_is_no_search() -> None:
    """A body that breaks off begins no search."""

    async def receive() -> Event:
        return {"type": "http.disconnect"}

    source = HeldSource()
    sent = asyncio.run(called(Searches(runtime(source), 1), receive))
    assert sent[0]["status"] == 499
    assert not source.asked.acquire(blocking=False)


@pytest.mark.parametrize("deaf", [False, True])
def test_a_server_that_stops_tells_those_who_wait(deaf: bool) -> None:  # noqa: FBT001 - the only argument
    """Who still waits is told that the server stops, whatever the search waits for; so is who comes then."""
    source = HeldSource(deaf=deaf)
    searches = Searches(runtime(source), 2)

    async def play() -> None:
        asking = asyncio.create_task(called(searches, leaving(asyncio.Event())))
        await until(source.asked)
        searches.give_up()
        for sent in (await asking, await called(searches, leaving(asyncio.Event()))):
            assert sent[0]["status"] == 503
            assert json.loads(sent[1]["body"])["type"] == "urn:goldpan:problem:stopping"
        source.go.set()
        await asyncio.to_thread(ended)

    asyncio.run(asyncio.wait_for(play(), PATIENCE))


def test_a_search_that_ends_after_the_server_is_no_failure() -> None:
    """A thread that outlives the event loop says nothing on stderr."""
    source = HeldSource()
    searches = Searches(runtime(source), 1)

    async def play() -> None:
        asking = asyncio.create_task(called(searches, leaving(asyncio.Event())))
        await until(source.asked)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(play())
    ended()
    assert source.given_up.is_set()
