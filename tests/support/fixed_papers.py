"""The papers kind with stages that find fixed papers, for the tests of the command."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest
from goldpan.contracts import SearchRequest, SourceStatus
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.engine.stage_values import KindResult
from goldpan.kind_table import KINDS
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers import kind as papers_kind
from goldpan.kinds.papers.models import KIND as NAME
from goldpan.kinds.papers.models import (
    Batch,
    PaperQuery,
    PaperVerdict,
    ParsedIntent,
    ScoutTask,
    SearchStrategy,
    Shortlist,
    Translation,
    Verdict,
)
from goldpan.kinds.papers.results import PaperCollection

from tests.support.factories import with_stages
from tests.support.local import answer, catalogue

SOURCE = "openalex"
FULL: dict[str, Any] = {
    "id": "doi:10.1000/attention", "title": "Attention is not all you need: 50% of {it} & more",
    "authors": ["Ada Lovelace", "Hopper, Grace M.", "World Health Organization", "王小明"],
    "year": 2021, "venue": "Advances in Neural Information Processing Systems", "type": "conference",
    "abstract": "We study attention.", "url": "https://example.org/attention", "pdf_url": "https://example.org/a.pdf",
    "ids": {"doi": "10.1000/attention", "arxiv": "2103.03404", "pmid": "123"}, "citations": 12345,
    "open_access": True, "relevance": 0.92, "reasoning": "It is about attention.", "basis": "llm",
    "found_by": [{"strategy": "openalex", "rank": 1}, {"strategy": "arxiv", "rank": 3}],
    "versions": [{"type": "preprint", "year": 2020, "venue": "arXiv", "arxiv": "2103.03404"}],
    "provenance": {"title": "crossref"}, "caveats": ["The abstract was cut."],
}  # fmt: skip
LEAST: dict[str, Any] = {
    "id": "title:x", "title": "Внимание", "url": "javascript:alert(1)", "unverified": ["year"],
    "caveats": ["not verified: year"], "relevance": 0.4,
    "reasoning": "Matches “attention” in the title.", "basis": "rules", "found_by": [],
}  # fmt: skip
FACETS: dict[str, Any] = {
    "by_year": [{"value": "2021", "count": 1}],
    "by_venue": [{"value": "NeurIPS", "count": 1}],
    "top_authors": [{"value": "Ada Lovelace", "count": 2}, {"value": "Bo", "count": 1}],
    "key_themes": [{"value": "attention", "count": 2}],
}
ROW = SourceStatus(kind=NAME, strategy="openalex", source=SOURCE, status="ok", kept=2)
STRATEGY: dict[str, Any] = {"kind": NAME, "queries": [{"concepts": [["attention"]]}], "titles": ["Attention"]}
QUERY = PaperQuery(concepts=(("attention", "self-attention"),))


def section(*results: dict[str, Any]) -> PaperCollection:
    """Make the section of these results, by default of the full and the least one."""
    made = results or (FULL, LEAST)
    fields = {"total_candidates": 57, "shortlisted": 20, "results": made, "facets": FACETS, "strategies": (STRATEGY,)}
    return PaperCollection.model_validate(fields)


def paper_answer(*results: dict[str, Any], repositories: bool = False, **changes: Any) -> Answer:
    """Make an answer with papers, and with the two example repositories if asked."""
    made = answer(**({} if repositories else {"repositories": None}), sources=[], warnings=[], errors=[], **changes)
    return made.model_copy(update={"sections": {**made.sections, NAME: section(*results)}, "sources": (ROW,)})


def use_papers(monkeypatch: pytest.MonkeyPatch) -> list[SearchRequest]:
    """Register this kind as the papers, let the command search it, and return the requests that reach it."""
    asked: list[SearchRequest] = []
    monkeypatch.setitem(KINDS, NAME, __name__)
    clock = WallClock()
    sources = {SOURCE: asked, "catalogue": catalogue()}
    runtime = Runtime(Dependencies(clock=clock, sources=sources), (*sources,), clock)
    monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", lambda *_, **__: runtime)
    return asked


def translate(request: SearchRequest, _sources: Sequence[str], found: Dependencies, _deadline: object) -> Translation:
    """Plan one query, and record the request."""
    found.sources[SOURCE].append(request)
    strategy = SearchStrategy(queries=(QUERY,), sources=(SOURCE,))
    task = ScoutTask(id=SOURCE, strategy=SOURCE, source=SOURCE, queries=(QUERY,))
    return Translation(intent=ParsedIntent(topic="x", concepts=("x",)), strategy=strategy, tasks=(task,))


def rank(_shortlist: object, _verdicts: object, _: object, request: SearchRequest, _now: datetime) -> KindResult:
    """Return the fixed papers."""
    strategies = (*request.previous_strategies[-4:], STRATEGY)
    return KindResult(kind=NAME, section=section().model_copy(update={"strategies": strategies}), sources=(ROW,))


KIND = with_stages(
    papers_kind.KIND,
    translate=translate,
    scout=lambda *_: Batch(status=ROW),
    shortlist=lambda *_: Shortlist(tasks=(), total_candidates=2, sources=(ROW,)),
    score=lambda *_: Verdict(papers=(PaperVerdict(id="x", relevance=0, reasoning="", basis="rules"),)),
    rank=rank,
)
