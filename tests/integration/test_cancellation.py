"""A call that is cancelled, late or flooded closes its connection, as the server upstream sees it."""

import gzip
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import Cancelled, TimedOut, Unavailable, Unreachable
from goldpan.infra import http_client
from goldpan.infra.http import HttpRequest
from goldpan.infra.http_client import HttpClient
from goldpan.infra.llm.port import Prompt

from tests.support.loopback import LoopbackFault, LoopbackGitHub, LoopbackLLM, LoopbackServer, Response, model_at

SILENT, SLOW = LoopbackFault.hang(times=None), LoopbackFault.drip(every=0.05, times=None)
MEBIBYTE = 1024 * 1024
PACKED = Response(200, gzip.compress(b"{}") + bytes(2 * MEBIBYTE), {"content-encoding": "gzip"})
FLOOD = LoopbackFault("flood", lambda _: PACKED)


def search_of(github: LoopbackGitHub) -> HttpRequest:
    """Make a request."""
    return HttpRequest("GET", f"{github.url}/search/repositories", {}, {"q": "react"})


def cancelled(server: LoopbackServer, calls: Mapping[WallClock, Callable[[Deadline], object]]) -> list[str]:
    """Run calls side by side, each until its clock is cancelled, one after the other; returns how they ended."""
    ended = list[str]()

    def run(clock: WallClock) -> None:
        try:
            calls[clock](Deadline.after(30, clock))
        except Cancelled as error:
            ended.append(type(error).__name__)

    threads = [threading.Thread(target=run, args=(clock,)) for clock in calls]
    for thread in threads:
        thread.start()
    for number, clock in enumerate(calls):
        wait_for(server, len(calls) - number)
        clock.cancel()
    wait_for(server, 0)
    for thread in threads:
        thread.join(10)
    return ended


@pytest.mark.parametrize("fault", [SILENT, SLOW])
def test_a_call_that_waits_ends_soon_after_its_search(github: LoopbackGitHub, fault: LoopbackFault) -> None:
    """Neither silence nor a slow body holds it until its deadline; a search beside it on the same client goes on."""
    request = search_of(github)
    with closing(HttpClient()) as client:
        client.send(request, Deadline.after(30, WallClock()))  # leaves a connection
        github.inject(fault)
        send = lambda deadline: client.send(request, deadline)  # noqa: E731
        assert cancelled(github, {WallClock(): send, WallClock(): send}) == ["Cancelled"] * 2


@pytest.mark.parametrize(("fault", "error"), [(SILENT, TimedOut), (SLOW, TimedOut), (FLOOD, Unavailable)])
def test_a_call_ends_within_its_bounds(
    github: LoopbackGitHub, monkeypatch: pytest.MonkeyPatch, fault: LoopbackFault, error: type[Exception]
) -> None:
    """At its deadline, and before a body that unpacks to nothing fills the memory."""
    monkeypatch.setattr(http_client, "MAX_BODY", MEBIBYTE)
    with closing(HttpClient()) as client:
        github.inject(fault)
        with pytest.raises(error):
            client.send(search_of(github), Deadline.after(30 if fault is FLOOD else 0.3, WallClock()))
        wait_for(github, 0)


def test_a_client_that_is_closed_while_a_call_connects_leaves_no_connection(
    github: LoopbackGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that ends early closes its client, while other calls of it have just begun; those are not sent."""
    opened, create = list[socket.socket](), socket.create_connection
    client = HttpClient()

    def closed_meanwhile(*given: Any, **named: Any) -> socket.socket:
        opened.append(create(*given, **named))
        client.close()
        return opened[-1]

    monkeypatch.setattr(socket, "create_connection", closed_meanwhile)
    with pytest.raises(Unreachable, match="its connections are closed"):
        client.send(search_of(github), Deadline.after(30, WallClock()))
    assert [each.fileno() for each in opened] == [-1]
    assert not github.requests


def test_a_call_of_the_language_model_ends_soon_after_its_search(llm: LoopbackLLM) -> None:
    """What it would still write is not read, but costs money."""
    llm.inject(LoopbackFault.hang(times=None))
    with closing(HttpClient()) as http:
        model, prompt = model_at(llm.base_url, http), Prompt("Answer in json.", "react")
        assert cancelled(llm, {WallClock(): lambda deadline: model.complete(prompt, deadline)}) == ["Cancelled"]


def wait_for(server: LoopbackServer, in_flight: int) -> None:
    """Wait until a number of requests are open, for at most five seconds."""
    end = time.monotonic() + 5
    while server.in_flight != in_flight:
        assert time.monotonic() < end, server.in_flight
        time.sleep(0.02)
