"""What each source receives for questions as people type them."""

import re
from collections.abc import Iterator

import pytest
from goldpan.engine.dependencies import Runtime

from tests.integration.papers.searches import PAPERS, ask, open_search
from tests.support.paper_sources import SOURCES, LoopbackPapers

TEXTS = ("search", "search.semantic", "query.bibliographic", "search_query", "query", "q")
MOST_CALLS = 16
"""Two of each source, and two of the two that are asked once more where nothing meets the constraints."""
QUESTIONS = """
does vitamin d supplementation lower the risk of falls in older adults : vitamin supplementation falls older adults
larger language models hallucinate less often : larger hallucinate
coffee increases blood pressure in young men : coffee increases blood pressure
vitamin c shortens the common cold : shortens common cold
why do bees dance : bees dance
heat transfer to slender wings at high mach numbers : heat slender wings mach
what is known about sleep and memory consolidation in rats : sleep memory consolidation rats
soil microbes under drought : soil microbes drought
papers about "dark matter" and galaxy rotation : dark matter galaxy rotation
recent work on protein folding by machine learning : protein folding
ALDH1 expression is associated with poorer prognosis in breast cancer : aldh1 expression poorer prognosis breast cancer
weather forecasting with neural networks since 2019 : weather forecasting
how do children learn to read in two languages : children learn languages
indexing methods for retrieval of chemical structures : indexing retrieval chemical structures
the effect of shear on boundary layer transition at low speed : shear boundary layer transition speed
"""
ROWS = [tuple(line.split(" : ")) for line in QUESTIONS.strip().splitlines()]
pytestmark = pytest.mark.enable_socket


@pytest.fixture(scope="module")
def opened() -> Iterator[tuple[LoopbackPapers, Runtime]]:
    """Serve papers about cats, and search them."""
    with LoopbackPapers(PAPERS) as server, open_search(server) as runtime:
        server.credits = 10**9
        yield server, runtime


@pytest.mark.parametrize(("question", "wanted"), ROWS)
def test_every_source_receives_the_words_and_no_further_quotes(
    opened: tuple[LoopbackPapers, Runtime], question: str, wanted: str
) -> None:
    """Each in its first request; only what the question quotes is in quotes, and a search takes few calls."""
    server, runtime = opened
    server.requests.clear()
    ask(runtime, question)
    assert len(server.requests) <= MOST_CALLS
    for source in SOURCES:
        asked = [text for request in server.asked(source) for name in TEXTS if (text := request.params.get(name))]
        assert all(set(wanted.split()) <= set(re.findall(r"[a-z0-9]+", text.lower())) for text in asked[:1]), asked
        assert asked
        quoted = {text for each in asked for text in re.findall(r'"([^"]*)"', each)}
        assert quoted <= set(re.findall(r'"([^"]*)"', question)), asked
