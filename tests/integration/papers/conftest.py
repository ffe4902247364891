"""All sources of papers on a loopback port, a source that gives queued answers, and callers of goldpan's sources."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import pytest
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import SearchResult
from goldpan.kinds.papers.sources.connector import ENTRIES
from goldpan.kinds.papers.sources.settings import RATE_LIMITS, PaperSettings

from tests.integration.papers.searches import known_paper
from tests.support.factories import StillClock
from tests.support.fakes import QuickClock
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response
from tests.support.memory_stores import memory_connections
from tests.support.paper_sources import GOOD_KEY, LoopbackPapers

TESTING = PaperQuery(concepts=(("testing",),))
KEY = "paid-key/1+2"


class LoopbackSource(LoopbackServer):
    """Gives its answers in turn, the last one repeatedly."""

    def __init__(self, *answers: Response) -> None:
        super().__init__()
        self._answers = list(answers)

    def answer(self, request: RecordedRequest) -> Response:
        """Return the next answer."""
        del request
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


class Caller:
    """A source with its limits and the settings of an environment."""

    def __init__(self, name: str, environment: Mapping[str, str], clock: Clock) -> None:
        self.clock, self._http = clock, HttpClient()
        self.close = self._http.close
        connections = memory_connections(self._http, clock, RATE_LIMITS)
        self.source = ENTRIES[name].load()(PaperSettings.from_environment(environment), connections)

    def search(self, *queries: PaperQuery, **constraints: Any) -> SearchResult:
        """Run a search, by default for testing."""
        return self.source.search(queries or (TESTING,), Constraints(**constraints), Deadline.after(6, self.clock))

    def look_up(self, *dois: str) -> SearchResult:
        """Look DOIs up."""
        return self.source.look_up(dois, Deadline.after(6, self.clock))


@contextmanager
def calling(name: str, *answers: Response) -> Iterator[tuple[Caller, LoopbackSource]]:
    """Run a source that gives these answers, and its caller, whose clock moves only when it waits."""
    with LoopbackSource(*answers) as server:
        environment = {f"{name.upper()}_URL": server.url, "SERPAPI_API_KEY": KEY}
        with closing(Caller(name, environment, StillClock())) as caller:
            yield caller, server


PAPERS: tuple[dict[str, Any], ...] = (
    known_paper(1, "Cats & graphs: a survey", abstract="All about cats < dogs.", year=2021, pmid="123", citations=7,
                open_access=True),
    {"title": "Older cats", "year": 2010, "doi": "10.1000/cats.2", "authors": ["Cy Cat"], "pmid": "124"},
)  # fmt: skip


@pytest.fixture
def papers() -> Iterator[LoopbackPapers]:
    """Serve two papers about cats."""
    with LoopbackPapers(PAPERS) as server:
        yield server


@pytest.fixture
def call(papers: LoopbackPapers) -> Iterator[Callable[..., Caller]]:
    """Make sources with the good key, unless another is given; what they wait for their limits passes at once."""
    with ExitStack() as opened:

        def make(name: str, key: str | None = GOOD_KEY, **environment: str) -> Caller:
            caller = Caller(name, papers.environment(key=key) | environment, QuickClock())
            return opened.enter_context(closing(caller))

        yield make
