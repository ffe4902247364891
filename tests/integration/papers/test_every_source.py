"""What holds for every source of papers: keys that it repeats, failures, long waits, and 150 typed questions."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.engine.dependencies import Runtime
from goldpan.errors import Paused, RateLimited, Unavailable

from tests.integration.papers.conftest import calling
from tests.integration.papers.searches import PAPERS, ask, open_search
from tests.support.factories import NOW
from tests.support.loopback.wire import Response
from tests.support.paper_shapes import arxiv_feed
from tests.support.paper_sources import SOURCES, LoopbackPapers

EMPTY = {
    "openalex": {"meta": {"count": 500}, "results": []},
    "crossref": {"message": {"total-results": 500, "items": []}},
    "semantic_scholar": {"total": 500, "data": []},
    "europe_pmc": {"hitCount": 500, "resultList": {"result": []}},
    "serpapi": {"search_information": {"total_results": 500}, "organic_results": []},
}


@pytest.mark.parametrize("name", SOURCES)
def test_an_empty_page_of_many_results_is_a_failure(name: str) -> None:
    """Nothing was found only where the source says so."""
    answer = Response(200, arxiv_feed([], 500)) if name == "arxiv" else Response.of_json(200, EMPTY[name])
    with calling(name, answer) as (caller, _), pytest.raises(Unavailable, match="has none of its 500 results"):
        caller.search()


@pytest.mark.parametrize(("status", "wait", "seconds"), [(429, "36000", 36000), (503, "soon", 60), (429, "\xff", 60)])
def test_a_long_or_unreadable_wait_is_kept(status: int, wait: str, seconds: int) -> None:
    """One request, and none before the time is over, a day at most."""
    headers = {"retry-after": wait, "content-type": "application/json"}
    with calling("crossref", Response(status, b'{"message": "later"}', headers)) as (caller, server):
        for waited in (0, seconds - 10):
            caller.clock.wait(waited)
            with pytest.raises((RateLimited, Paused)) as failure:
                caller.search()
            assert failure.value.retry_at == NOW + timedelta(seconds=seconds)
    assert len(server.requests) == 1


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
