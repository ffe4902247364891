"""The single entry for searches from Python: one scale, the user's papers preferred, and one execution for repeats."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest
from goldpan import SearchOrchestrator, search_cache
from goldpan.contracts import FoundBy
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.errors import InvalidRequest, Unavailable
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources.library.requests import LibrarySource
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.search_cache import InMemoryCache, current_cache

from tests.support.factories import StillClock
from tests.support.loopback.llm import HashedEncoder
from tests.support.paper_fakes import ListedPapers, collect, open_libraries, own_paper, paper

QUESTION = "cats and graphs"
ENCODER = HashedEncoder()
MINE = own_paper("cat-1", "Cats and graphs: corrected", doi="10.1000/cats", abstract="My cats walk on graphs.")


def world(*papers: Paper, failure: Unavailable | None = None) -> ListedPapers:
    """Make an academic source."""
    return ListedPapers(papers or [paper("Cats and graphs", doi="10.1000/cats", citations=40)], failure=failure)


def runtime(folder: Path, source: ListedPapers) -> Runtime:
    """Make the runtime of one academic source and the libraries of a folder."""
    clock, libraries = StillClock(), open_libraries(folder, ENCODER)
    sources = {"openalex": source, "library": LibrarySource(libraries)}
    dependencies = Dependencies(clock=clock, sources=sources, libraries=libraries)
    return Runtime(dependencies, ("openalex",), clock)  # type: ignore[arg-type] # a clock that is never cancelled


def orchestrator(folder: Path, source: ListedPapers | None = None) -> SearchOrchestrator:
    """Make an orchestrator with a cache of its own."""
    return SearchOrchestrator(runtime(folder, source or world()), InMemoryCache())


@pytest.fixture(autouse=True)
def _thesis(tmp_path: Path) -> None:
    """Make a project whose papers have vectors."""
    with LibraryWriter.open(collect(tmp_path, "thesis", [MINE, own_paper("dog", "Dogs in trees")])) as writer:
        encode_library(writer, ENCODER)


def test_the_users_record_of_a_paper_is_preferred(tmp_path: Path) -> None:
    """All strategies run at once; their records become one paper whose fields are the user's, then the world's."""
    found = orchestrator(tmp_path).search(QUESTION, "thesis")
    best = found.results[0]
    assert (best.title, best.citations) == ("Cats and graphs: corrected", 40)
    assert {each.strategy for each in best.found_by} == {"library", "hybrid", "openalex"}
    assert (best.provenance["title"], best.provenance["citations"]) == ("library", "openalex")
    assert best.ids.other == {"library": "thesis/cat-1"}
    assert {row.strategy: row.status for row in found.sources} == dict.fromkeys(("library", "hybrid", "openalex"), "ok")
    assert not found.is_partial
    assert None not in {best.authority, best.recency}


def test_the_library_alone_asks_no_other_source(tmp_path: Path) -> None:
    """Neither in the pipeline nor in a search of the library."""
    source = world()
    mine = orchestrator(tmp_path, source)
    assert [each.title for each in mine.search(QUESTION, "thesis", library_only=True).results] == [MINE.title]
    found = mine.search_library("cats -dogs", "thesis", 1, {"year_from": 2000})
    by_meaning = (FoundBy(strategy="hybrid", rank=1),)
    assert [(each.id, each.found_by, each.basis) for each in found.results] == [
        ("library:thesis/cat-1", by_meaning, "rules")
    ]
    assert 0 < found.results[0].score <= 1
    assert "**" in found.results[0].excerpt
    collect(tmp_path, "words", [own_paper("cat-1", "Cats", summary="Read twice.")])
    (by_words,), none = mine.search_library("cats", "words").results, mine.search_library("zebras", "words")
    assert (by_words.found_by, by_words.abstract) == ((FoundBy(strategy="library", rank=1),), "Read twice.")
    assert [(row.status, row.available) for row in (*found.sources, *none.sources)] == [("ok", 1), ("empty", 0)]
    assert none.warnings[0].startswith("Words alone decided: ")
    assert (source.searched, source.looked_up) == ([], [])


def test_a_source_that_fails_leaves_a_partial_result(tmp_path: Path) -> None:
    """The failure is reported, and the source is asked again by the next search after a few seconds."""
    source, now = world(failure=Unavailable("down")), [0.0]
    mine = SearchOrchestrator(runtime(tmp_path, source), InMemoryCache(tick=lambda: now[0]))
    found = mine.search(QUESTION, "thesis")
    assert [each.title for each in found.results] == [MINE.title]
    assert found.is_partial
    assert [row.status for row in found.sources] == ["ok", "ok", "unavailable"]
    source.failure, later = None, list[bool]()
    for now[0] in (9.0, 11.0):
        later.append(mine.search(QUESTION, "thesis").is_partial)
    assert later == [True, False]


def test_repeats_within_a_request_cost_one_execution(tmp_path: Path) -> None:
    """However a question is spaced, also in threads; another request searches again."""
    source = world()
    mine = orchestrator(tmp_path, source)
    mine.search(QUESTION, "thesis")
    queries_of_one = len(source.searched)
    with search_cache() as cache, ThreadPoolExecutor(8) as pool:
        spaced = (f" {QUESTION.replace(' ', ' ' * count)} " for count in range(1, 21))
        calls = [pool.submit(copy_context().run, mine.search, query, "thesis") for query in spaced]
        assert all(call.result(20).results for call in calls)
    assert (cache.counters.misses, cache.counters.hits, cache.counters.hit_rate > 0.9) == (1, 19, True)
    assert len(source.searched) == 2 * queries_of_one


def test_what_changes_the_result_is_executed_again(tmp_path: Path) -> None:
    """Another query, option, project or version of the library."""
    mine = orchestrator(tmp_path)
    with search_cache() as cache:
        mine.search(QUESTION, "thesis"), mine.search(QUESTION, "thesis", 5), mine.search(QUESTION)
        mine.search(QUESTION, "thesis", preference="recent"), mine.search_library("cats", "thesis")
        mine.retrieve_chunks("cats"), mine.retrieve_chunks("cats", "thesis"), mine.retrieve_chunks("cats", k=3)
        assert (cache.counters.misses, cache.counters.hits) == (8, 0)
        collect(tmp_path, "thesis", [own_paper("new", "Cats, newly read")])
        assert [each.title for each in mine.search_library("cats", "thesis").results] == ["Cats, newly read"]
        assert [each.document for each in mine.retrieve_chunks("cats").chunks] == ["new"]
        mine.retrieve_chunks("cats")
        assert (cache.counters.misses, cache.counters.hits) == (10, 1)


def test_the_cache_of_a_request_is_its_own(tmp_path: Path) -> None:
    """Two requests at once share nothing; outside of any, the cache of the orchestrator or the process holds."""
    mine = orchestrator(tmp_path)

    def request(_: int) -> tuple[int, int]:
        with search_cache() as cache:
            mine.search(QUESTION), mine.search(QUESTION)
            return cache.counters.misses, cache.counters.hits

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(request, range(4))) == [(1, 1)] * 4
    own = InMemoryCache()
    with search_cache() as cache:
        assert current_cache(own) is cache
    assert current_cache(own) is own
    background = SearchOrchestrator(runtime(tmp_path, world()), own)
    background.search(QUESTION), background.search(QUESTION)
    assert (own.counters.misses, own.counters.hits) == (1, 1)


def test_a_wrong_call_is_refused_by_name(tmp_path: Path) -> None:
    """The parameter, what is allowed, and the value."""
    mine = orchestrator(tmp_path)
    calls: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
        (mine.search, {"query": "x", "project_id": "../a"}, "project_id: must have 1 to 64 characters"),
        (mine.search, {"query": "x", "library_only": True}, "library_only: needs project_id"),
        (mine.search, {"query": "x", "preference": "new"}, "preference: 'new' is unknown; allowed: balanced,"),
        (mine.search, {"query": "x", "kinds": ["repositories"]}, "kinds: SearchOrchestrator searches papers alone"),
        (mine.search_library, {"query": "x", "project_id": "other"}, "no project other .there are thesis"),
        (mine.retrieve_chunks, {"query": "x", "k": 0}, "k: must be at least 1"),
    ]
    for call, arguments, message in calls:
        with pytest.raises(InvalidRequest, match=message):
            call(**arguments)


def test_an_orchestrator_opens_what_the_environment_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And closes it at the end of its context."""
    monkeypatch.setenv("GOLDPAN_LIBRARIES", str(tmp_path))
    monkeypatch.setenv("GOLDPAN_CACHE", "off")
    with SearchOrchestrator() as mine:
        (first, *_) = mine.retrieve_chunks("cats walk").chunks
    assert (first.project, first.document, first.citation != "") == ("thesis", "cat-1", True)
