"""Papers by the real state machine and the real sources over sockets: alone, and beside repositories."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from goldpan import SearchOrchestrator
from goldpan.engine.dependencies import Runtime
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.answer import Answer
from goldpan.local.search_cache import InMemoryCache
from goldpan_local.command import app
from typer.testing import CliRunner

from tests.e2e.comparison import Stack
from tests.support.handlers import PlatformFailure
from tests.support.local import client
from tests.support.loopback import LoopbackLLM, model_at
from tests.support.paper_search_fakes import QUESTION, PaperFakes, papers, read_and_judged
from tests.support.paper_sources import SOURCES, LoopbackPapers

PAPERS: dict[str, Any] = {"query": QUESTION, "kinds": ["papers"]}
STAGES = {"begin": 1, "translate": 1, "scout": 6, "shortlist": 1, "score": 3, "rank": 1, "assemble": 1}
TWENTY_FIVE = papers(25)


@pytest.fixture
def server() -> Iterator[LoopbackPapers]:
    """Serve papers as all six sources do."""
    with LoopbackPapers(TWENTY_FIVE) as server:
        yield server


def statuses(answer: Answer) -> dict[str, str]:
    """Return the status of each source of papers."""
    return {row.source: row.status for row in answer.sources if row.kind == "papers"}


def titles(answer: Answer) -> list[str]:
    """Return the titles of the papers, best first."""
    return [paper.title for paper in answer.sections["papers"].results]


@pytest.mark.parametrize(("question", "preference"), [(QUESTION, "recent"), (f"most cited {QUESTION}", "balanced")])
def test_every_interface_gives_one_order(  # noqa: PLR0913, PLR0917 - fixtures
    stack: Stack,
    server: LoopbackPapers,
    http: HttpClient,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    preference: str,
) -> None:
    """The command, HTTP, AWS and `SearchOrchestrator`; another preference, read or given, is another order."""

    def fakes() -> PaperFakes:
        return PaperFakes(llm=None, environment=server.environment(), http=http)

    made = fakes()
    runtime = Runtime(made.dependencies(), (*SOURCES,), made.clock)
    request = {**PAPERS, "query": question, "preference": preference}
    on_aws = titles(stack.same(fakes, **request).answer)
    over_http = client(runtime).post("/search", json=request).json()["papers"]["results"]
    monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", lambda *_, **__: runtime)
    arguments = ["search", "--kind", "papers", "--format", "json", "--preference", preference, question]
    typed = json.loads(CliRunner().invoke(app, arguments).stdout)["papers"]["results"]
    found = SearchOrchestrator(runtime, InMemoryCache()).search(question, preference=preference).results
    assert [each["title"] for each in over_http] == [each["title"] for each in typed] == on_aws
    assert [each.title for each in found] == on_aws
    assert [each.score for each in found] == [each["score"] for each in typed]
    assert titles(stack.same(fakes, **PAPERS).answer) != on_aws


def test_a_model_reads_the_question_and_scores_one_batch_after_the_other(
    stack: Stack, server: LoopbackPapers, http: HttpClient
) -> None:
    """Ten papers a call, one call at a time, as the kind's pace is; the calls are those that the answer counts."""
    with LoopbackLLM(read_and_judged, latency=0.05) as llm, closing(HttpClient()) as client:
        model, settings = model_at(llm.base_url, client, "deepseek-flash"), server.environment()
        searched = stack.same(lambda: PaperFakes(llm=model, environment=settings, http=http), **PAPERS)
    assert titles(searched.answer) == [facts["title"] for facts in TWENTY_FIVE[:10]]
    assert {paper.basis for paper in searched.answer.sections["papers"].results} == {"llm"}
    assert (searched.calls, searched.answer.usage.llm_calls) == (STAGES, 4)
    assert llm.in_flight_peak == 1
    assert len(llm.requests) == 2 * 4


def test_lost_scouts_and_scores_become_rows_of_papers(stack: Stack, server: LoopbackPapers, http: HttpClient) -> None:
    """What the platform loses costs one source, or the judgement of ten papers, which the rules scored."""
    lost = [
        PlatformFailure("scout", "Runtime.ExitError", when=lambda event: event["task"]["source"] == "crossref"),
        PlatformFailure("screener", "States.Timeout", when=lambda event: event.get("task", {}).get("id") == "papers:1"),
    ]
    fakes = PaperFakes(llm=None, environment=server.environment(), http=http)
    searched = stack.search(fakes, *lost, **PAPERS)
    assert statuses(searched.answer) == {**dict.fromkeys(SOURCES, "ok"), "crossref": "unavailable"}
    assert len(titles(searched.answer)) == 10
