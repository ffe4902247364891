"""A cancelled search closes its connections, as the server upstream sees it."""

import threading
import time
from contextlib import closing

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import Cancelled
from goldpan.infra.http import HttpRequest
from goldpan.infra.http_client import HttpClient
from goldpan.infra.llm.port import Prompt

from tests.integration.conftest import Clients
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.fault import LoopbackFault
from tests.support.loopback.server import LoopbackServer

pytestmark = pytest.mark.enable_socket


@pytest.mark.parametrize("fault", [LoopbackFault.hang(times=None), LoopbackFault.drip(every=0.05, times=None)])
def test_a_call_that_waits_ends_soon_after_its_search(github: LoopbackGitHub, fault: LoopbackFault) -> None:
    """Neither silence nor a slow body holds it until its deadline; a search beside it on the same client goes on."""
    one, other = WallClock(), WallClock()
    url = f"{github.url}/search/repositories"
    with closing(HttpClient()) as client:
        client.send(HttpRequest("GET", url, {}, {"q": "react"}), Deadline.after(30, one))  # leaves a connection
        github.inject(fault)
        ended: list[type[BaseException]] = []

        def call(clock: WallClock) -> None:
            try:
                client.send(HttpRequest("GET", url, {}, {"q": "react"}), Deadline.after(30, clock))
            except Cancelled as error:
                ended.append(type(error))

        calls = [threading.Thread(target=call, args=(clock,)) for clock in (one, other)]
        for thread in calls:
            thread.start()
        wait_for(github, 2)
        one.cancel()
        wait_for(github, 1)
        other.cancel()
        wait_for(github, 0)
        for thread in calls:
            thread.join(10)
    assert ended == [Cancelled, Cancelled]


def test_a_call_of_the_language_model_ends_soon_after_its_search(clients: Clients, llm: LoopbackLLM) -> None:
    """What it would still write is not read, but costs money."""
    clock, ended = WallClock(), list[type[BaseException]]()
    llm.inject(LoopbackFault.hang(times=None))
    model = clients.model(llm)

    def call() -> None:
        try:
            model.complete(Prompt("Answer in json.", "react"), Deadline.after(30, clock))
        except Cancelled as error:
            ended.append(type(error))

    thread = threading.Thread(target=call)
    thread.start()
    wait_for(llm, 1)
    clock.cancel()
    wait_for(llm, 0)
    thread.join(10)
    assert ended == [Cancelled]


def wait_for(server: LoopbackServer, in_flight: int) -> None:
    """Wait until a number of requests are open, for at most five seconds."""
    end = time.monotonic() + 5
    while server.in_flight != in_flight:
        assert time.monotonic() < end, server.in_flight
        time.sleep(0.02)
