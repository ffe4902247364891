"""Whole searches for papers over real sockets: all sources, faults of some and of all, constraints, and links."""

import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest
from goldpan.errors import SourcesFailed, SourcesLimited

from tests.integration.conftest import TOKEN, fresh_repositories
from tests.integration.papers.searches import CODE, ask, known_paper, open_search, results, section, statuses
from tests.integration.papers.searches import PAPERS as ALL_PAPERS
from tests.support.loopback import LoopbackGitHub
from tests.support.loopback.fault import LoopbackFault
from tests.support.paper_sources import SOURCES, LoopbackPapers

PAPERS = ALL_PAPERS[:20]
"""As many as one page of SerpAPI, whose pages are the smallest."""


@pytest.fixture
def server() -> Iterator[LoopbackPapers]:
    """Serve twenty papers that all sources have."""
    with LoopbackPapers(PAPERS) as server:
        yield server


def test_six_sources_give_each_paper_once(server: LoopbackPapers) -> None:
    """With all that found it and all its ids; no language model is needed."""
    with open_search(server) as runtime:
        answer = ask(runtime)
    assert statuses(answer) == dict.fromkeys(SOURCES, "ok")
    assert section(answer).total_candidates == len(PAPERS)
    assert {paper.ids.doi for paper in results(answer)} == {facts["doi"] for facts in PAPERS}
    for paper in results(answer):
        assert {found.strategy for found in paper.found_by} == {*SOURCES}
        assert paper.ids.arxiv
        assert paper.ids.pmid
        assert [version.type for version in paper.versions][-1] == "preprint"
    assert answer.errors == ()
    assert len(answer.warnings) == 1  # that no language model is configured


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (LoopbackFault.status(429, {"retry-after": "60"}, contains="/crossref/", times=None), "rate_limited"),
        (LoopbackFault.hang(contains="/crossref/", times=None), "timeout"),
        (LoopbackFault.status(500, contains="/crossref/", times=None), "unavailable"),
        (LoopbackFault.status(403, contains="/crossref/", times=None), "unavailable"),
        (LoopbackFault.null_members(contains="/crossref/", times=None), "ok"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_source_that_fails_costs_the_others_nothing(
    server: LoopbackPapers, fault: LoopbackFault, status: str
) -> None:
    """It has its own status, is cut at its deadline, and every paper of the others is found."""
    server.inject(fault)
    started = time.monotonic()
    with open_search(server) as runtime:
        answer = ask(runtime, sources=["openalex", "crossref", "europe_pmc"], max_seconds=8)
    assert time.monotonic() - started < 8
    assert statuses(answer) == {"openalex": "ok", "crossref": status, "europe_pmc": "ok"}
    assert section(answer).total_candidates == len(PAPERS)
    assert len(results(answer)) == len(PAPERS)


def test_all_sources_down_is_an_error_and_nothing_found_is_an_answer(server: LoopbackPapers) -> None:
    """Never an empty answer; a limit has the time to try again."""
    with open_search(server, key=None) as runtime:
        answer = ask(runtime, "zebrafish morphogenesis")
        assert (results(answer), answer.errors) == ((), ())
        assert {*statuses(answer).values()} == {"empty", "skipped"}
    only: dict[str, Any] = {"sources": ["crossref", "europe_pmc"]}
    server.inject(LoopbackFault.status(429, {"retry-after": "60"}, times=None))
    with open_search(server) as runtime, pytest.raises(SourcesLimited, match="rate limit is reached") as limited:
        ask(runtime, **only)
    assert limited.value.retry_at is not None
    server.clear_faults()
    server.inject(LoopbackFault.status(503, times=None))
    with open_search(server) as runtime, pytest.raises(SourcesFailed, match="Crossref answered 503"):
        ask(runtime, **only)


def test_no_question_and_no_key_is_logged(server: LoopbackPapers, caplog: pytest.LogCaptureFixture) -> None:
    """The sources are asked by addresses that hold both."""
    quiet = caplog.at_level(logging.INFO, logger="httpx2")  # other tests of this process may have raised its level
    with quiet, caplog.at_level(logging.INFO), open_search(server) as runtime:
        ask(runtime, "cats in my private question")
    assert any("/openalex/works" in record.getMessage() for record in caplog.records)
    assert "private" not in caplog.text
    assert "good-paper-key" not in caplog.text


def test_repositories_and_papers_are_linked_by_what_their_texts_name() -> None:
    """A README that names an arXiv id, and an abstract that names a repository; each link has its evidence."""
    repositories = fresh_repositories()
    named = next(facts for facts in repositories if facts["full_name"] == "example-org/motion-kit")
    named["readme"] = "# motion-kit\n\nReact animation. It implements https://arxiv.org/abs/2101.00001v2.\n"
    papers = [
        known_paper(1, "React animation library in graphs"),
        known_paper(2, "React animation library study", abstract=f"{'Of React animation. ' * 60} Code: {CODE}."),
        known_paper(3, "React animation library for cats"),
    ]
    with (
        LoopbackGitHub(repositories, searches_a_minute=1000) as github,
        LoopbackPapers(papers) as server,
        open_search(server, GITHUB_API_URL=github.url, GITHUB_TOKEN=TOKEN) as runtime,
    ):
        answer = ask(runtime, "React animation library", kinds=["repositories", "papers"])
        assert {*answer.sections} == {"repositories", "papers"}
        found = {(link.repository, link.paper): link.evidence for link in answer.links}
        assert {*found} == {("example-org/motion-kit", f"doi:10.1000/cats.{number}") for number in (1, 2)}
        assert "README names" in found["example-org/motion-kit", "doi:10.1000/cats.1"]
        assert "abstract names github.com/" in found["example-org/motion-kit", "doi:10.1000/cats.2"]
        server.inject(LoopbackFault.status(503, times=None))
        without = ask(runtime, "React animation library", kinds=["repositories", "papers"])
    assert {*without.sections} == {"repositories"}
    assert statuses(without) == dict.fromkeys(SOURCES, "unavailable")
    assert any(warning.startswith("No papers in this answer: ") for warning in without.warnings)
