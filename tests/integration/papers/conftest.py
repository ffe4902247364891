"""All sources of papers on a loopback port, and goldpan's sources that call them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import PaperSource, SearchResult
from goldpan.kinds.papers.sources.connector import CONNECTOR
from goldpan.kinds.papers.sources.limits import RATE_LIMITS
from goldpan.kinds.papers.sources.settings import PaperSettings

from tests.support.fakes import QuickClock
from tests.support.memory_stores import MemoryRateLimiter
from tests.support.paper_sources import GOOD_KEY, LoopbackPapers

ABOUT_CATS = PaperQuery(concepts=(("cats",),))
PAPERS: tuple[dict[str, Any], ...] = (
    {
        "title": "Cats & graphs: a survey",
        "authors": ["Ada Cat", "Bo Katze"],
        "year": 2021,
        "venue": "Journal of Cats",
        "abstract": "All about cats < dogs.",
        "doi": "10.1000/cats.1",
        "arxiv": "2101.00001",
        "pmid": "123",
        "citations": 7,
        "open_access": True,
    },
    {"title": "Older cats", "year": 2010, "doi": "10.1000/cats.2", "authors": ["Cy Cat"]},
)


class Caller:
    """One source with the settings of an environment; what it waits for its limits passes at once."""

    def __init__(self, name: str, environment: dict[str, str]) -> None:
        self.clock, self._http = QuickClock(), HttpClient()
        self.close = self._http.close
        connections = Connections(lambda: self._http, MemoryRateLimiter(self.clock, RATE_LIMITS), None, self.clock)
        settings = PaperSettings.from_environment(environment)
        self.source: PaperSource = CONNECTOR.connect([name], settings, connections)[name]

    def search(self, *queries: PaperQuery, seconds: float = 5, **constraints: Any) -> SearchResult:
        """Search for cats, or for what is given."""
        deadline = Deadline.after(seconds, self.clock)
        return self.source.search(queries or (ABOUT_CATS,), Constraints(**constraints), deadline)

    def look_up(self, dois: Sequence[str], seconds: float = 5) -> SearchResult:
        """Look papers up."""
        return self.source.look_up(dois, Deadline.after(seconds, self.clock))


@pytest.fixture
def papers() -> Iterator[LoopbackPapers]:
    """Serve two papers about cats."""
    with LoopbackPapers(PAPERS) as server:
        yield server


@pytest.fixture
def call(papers: LoopbackPapers) -> Iterator[Callable[..., Caller]]:
    """Make sources with the good key, unless another is given."""
    opened: list[Caller] = []

    def make(name: str, key: str | None = GOOD_KEY, **environment: str) -> Caller:
        opened.append(Caller(name, papers.environment(key=key) | environment))
        return opened[-1]

    yield make
    for caller in opened:
        with closing(caller):
            pass
