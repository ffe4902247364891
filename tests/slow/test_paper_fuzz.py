"""Whatever a source of papers sends, there are papers or a documented error: no traceback, and no broken text.

FUZZ_EXAMPLES is the number of examples of each source in units of 20; without it, a short form runs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing

import httpx2
import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections, Dependencies
from goldpan.errors import CallFailed, TerminalError
from goldpan.infra.http import HttpClient
from goldpan.kinds.papers.models import PaperQuery, ScoutTask
from goldpan.kinds.papers.scout import scout
from goldpan.kinds.papers.sources.connector import CONNECTOR
from goldpan.kinds.papers.sources.settings import PaperSettings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.slow.paper_bodies import as_sent, bodies, looked_up
from tests.slow.test_upstream_fuzz import STATUSES, response
from tests.slow.upstream_bodies import HEADERS, WIRE_FAULTS
from tests.support.factories import StillClock
from tests.support.memory_stores import MemoryRateLimiter

pytestmark = [
    pytest.mark.short,
    # A search that ended early may leave a thread that still draws the time of its retry.
    pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies"),
]
CAMPAIGN = settings(
    max_examples=20 * int(os.environ.get("FUZZ_EXAMPLES", "2")),
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
KEY = "very-secret-key-1234"
DOIS = ["10.1000/cats.1", "10.48550/arxiv.2101.00001", '10.1000/a,"b']
SETTINGS = PaperSettings.from_environment(
    dict.fromkeys(("OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY", "SERPAPI_API_KEY"), KEY)
)


TASK = ScoutTask(
    id="s", strategy="s", source="s", queries=(PaperQuery(concepts=(("animation",),)),) * 2, byte_allowance=30_000
)


@pytest.mark.parametrize("name", ["openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi"])
@given(st.data())
@CAMPAIGN
def test_source(name: str, data: st.DataObject) -> None:
    """Its searches, which become a batch with a status, and its look-ups by DOI; neither repeats a key."""
    body, status, headers = data.draw(bodies(name)), data.draw(STATUSES), data.draw(HEADERS)
    fault = data.draw(WIRE_FAULTS)

    def respond(sent: httpx2.Request) -> httpx2.Response:
        return response(status, headers, fault(as_sent(looked_up(body, sent.url.path))))

    clock = StillClock()
    with closing(HttpClient(httpx2.MockTransport(respond))) as http:
        connections = Connections(lambda: http, MemoryRateLimiter(clock), None, clock)
        source = CONNECTOR.connect([name], SETTINGS, connections)[name]
        dependencies = Dependencies(clock=clock, sources={name: source})
        task = TASK.model_copy(update={"source": name})
        texts = [
            outcome(lambda: scout(task, dependencies, Deadline.after(6, clock)).model_dump_json()),
            outcome(lambda: repr(source.look_up(DOIS, Deadline.after(6, clock)))),
        ]
    assert KEY.encode() not in "".join(texts).encode()
    assert len(texts[0].encode()) < TASK.byte_allowance


def outcome(call: Callable[[], str]) -> str:
    """Return what a call gave, or the message of a documented error."""
    try:
        return call()
    except (CallFailed, TerminalError) as error:
        return str(error)
