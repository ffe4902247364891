"""All sources of papers on a loopback port, and goldpan's sources that call them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.integration.papers.exchanges import Caller
from tests.integration.papers.searches import known_paper
from tests.support.fakes import QuickClock
from tests.support.paper_sources import GOOD_KEY, LoopbackPapers

PAPERS: tuple[dict[str, Any], ...] = (
    known_paper(1, "Cats & graphs: a survey", abstract="All about cats < dogs.", year=2021, pmid="123", citations=7,
                open_access=True),
    {"title": "Older cats", "year": 2010, "doi": "10.1000/cats.2", "authors": ["Cy Cat"]},
)  # fmt: skip


@pytest.fixture
def papers() -> Iterator[LoopbackPapers]:
    """Serve two papers about cats."""
    with LoopbackPapers(PAPERS) as server:
        yield server


@pytest.fixture
def call(papers: LoopbackPapers) -> Iterator[Callable[..., Caller]]:
    """Make sources with the good key, unless another is given; what they wait for their limits passes at once."""
    opened: list[Caller] = []

    def make(name: str, key: str | None = GOOD_KEY, **environment: str) -> Caller:
        opened.append(Caller(name, papers.environment(key=key) | environment, QuickClock()))
        return opened[-1]

    yield make
    for caller in opened:
        caller.close()
