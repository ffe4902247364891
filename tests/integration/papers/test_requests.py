"""What each source receives for 150 questions as people type them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from goldpan.engine.dependencies import Runtime

from tests.integration.papers.searches import PAPERS, ask, open_search
from tests.support.paper_sources import SOURCES, LoopbackPapers

TEXTS = ("search", "search.semantic", "query.bibliographic", "search_query", "query", "q")
MOST_CALLS = 17
"""Two of each source, one more by meaning, and two of the two that are asked again where no paper is left."""
QUESTIONS = Path(__file__).parents[2] / "data" / "paper_requests.txt"
FILTERS = re.compile(
    r'(?:\bau|-intitle|author|source|AUTH|JOURNAL|PUB_TYPE|PUB_YEAR|\b(?:AND)?NOT \w+):(?:"[^"]*"|\[[^]]*\]|\w+)'
)
"""What requests have beside the words that they look for; operators are in capitals."""
ROWS = [line.split(":") for line in QUESTIONS.read_text("utf-8").splitlines() if not line.startswith("#")]


@pytest.fixture(scope="module")
def opened() -> Iterator[tuple[LoopbackPapers, Runtime]]:
    """Serve papers about cats, and search them."""
    with LoopbackPapers(PAPERS) as server, open_search(server) as runtime:
        server.credits = 10**9
        yield server, runtime


@pytest.mark.parametrize(("question", "wanted", "unwanted"), ROWS)
def test_every_source_receives_the_words_and_no_further_quotes(
    opened: tuple[LoopbackPapers, Runtime], question: str, wanted: str, unwanted: str
) -> None:
    """Each in its first request; only what the question quotes is in quotes, and a search takes few calls."""
    server, runtime = opened
    server.requests.clear()
    ask(runtime, question)
    assert len(server.requests) <= MOST_CALLS
    for source in SOURCES:
        params = [request.params for request in server.asked(source)]
        sent = [(name, text) for each in params for name in TEXTS if (text := each.get(name))]
        asked = [text for _, text in sent]
        assert asked
        assert set(wanted.split()) <= set(re.findall(r"[a-z0-9]+", asked[0].lower())), asked
        by_words = [FILTERS.sub("", text) for name, text in sent if name != "search.semantic"]
        quoted = {text for each in by_words for text in re.findall(r'"([^"]*)"', each)}
        assert quoted <= set(re.findall(r'"([^"]*)"', question)), asked
        assert all(set(unwanted.split()).isdisjoint(re.findall(r"[a-z0-9]+", text)) for text in by_words), asked
