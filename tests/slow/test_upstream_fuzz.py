"""Whatever an upstream sends, there is an answer or a documented error: no traceback, no leaked key, no broken text."""

import json
import time
from collections.abc import Callable
from contextlib import closing

import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import CallFailed, TerminalError
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.models import ScoutTask as PaperScoutTask
from goldpan.kinds.papers.scout import scout
from goldpan.kinds.papers.sources.connector import CONNECTOR
from goldpan.kinds.papers.sources.settings import PaperSettings
from goldpan.kinds.repositories.models import ScoreTask
from goldpan.kinds.repositories.score import score
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import open_github
from goldpan.kinds.repositories.translate import translate
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from tests.slow.damage import DAMAGE, HOSTILE, Damage, campaign, transport
from tests.support.factories import repository, request, run
from tests.support.fakes import FakeClock, StillClock
from tests.support.loopback import LoopbackGitHub, LoopbackLLM, model_at, sample_repositories
from tests.support.memory_stores import MemoryRateLimiter, memory_connections
from tests.support.paper_search_fakes import papers
from tests.support.paper_sources import LoopbackPapers

pytestmark = [
    pytest.mark.short,
    # A search that ended early may leave a thread that still draws the time of its retry.
    pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies"),
]
KEY = "very-secret-key-1234"
ALL_PASS = {"coarse_filter": {"min_stars": None, "pushed_within_months": None, "require_readme": False}}
"""Lets through to the answer what would be left out for its facts."""
DOIS = ["10.1000/molecules.1", "10.48550/arxiv.2101.00001", '10.1000/a,"b']
PAPER_KEYS = dict.fromkeys(("OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY", "SERPAPI_API_KEY"), KEY)
QUERIES = (PaperQuery(concepts=(("molecules",),)),) * 2
READ = {"keywords": ["react", "spring physics"], "expanded_keywords": ["motion"], "language": None, "topics": ["react"]}
JUDGED = {"relevance": 0.5, "documentation": 7, "ease_of_use": 6, "reasoning": "It has springs.", "quote": "springs"}
WRAPPINGS = [("", "")] * 4 + [("```json\n", "\n```"), ("<think>{", ""), ("<think>a</think>", " {"), ("Sure {x}: ", "")]


def outcome(call: Callable[[], str]) -> str:
    """Return what a call gave, or the message of a documented error."""
    try:
        return call()
    except (CallFailed, TerminalError) as error:
        return str(error)


@pytest.mark.parametrize("token", [KEY, None])
@given(DAMAGE)
@campaign(12, 3000)
def test_github(token: str | None, damage: Damage) -> None:
    """A whole search, with a token (GraphQL) and without one (REST)."""
    clock, upstream = StillClock(), LoopbackGitHub(sample_repositories(), token=KEY)
    settings = GitHubSettings(github_token=SecretStr(token) if token else None)
    with closing(HttpClient(transport(upstream, damage))) as http:
        sources = {"github": open_github(settings, memory_connections(http, clock))}
        said = outcome(lambda: run(request(config=ALL_PASS), Dependencies(clock=clock, sources=sources)).to_json())
    if said.startswith("{"):
        json.loads(said, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert KEY.encode() not in said.encode()


@pytest.mark.parametrize("name", ["openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi"])
@given(DAMAGE)
@campaign(25, 3000)
def test_source_of_papers(name: str, damage: Damage) -> None:
    """Its searches, which become a batch with a status, and its look-ups by DOI."""
    clock, upstream = StillClock(), LoopbackPapers(papers(3), key=KEY)
    task = PaperScoutTask(id="s", strategy="s", source=name, queries=QUERIES, byte_allowance=30_000)
    addresses = {f"{name.upper()}_URL": f"http://127.0.0.1:9/{name}"}
    with closing(HttpClient(transport(upstream, damage))) as http:
        connections = memory_connections(http, clock)
        settings = PaperSettings.from_environment(PAPER_KEYS | addresses)
        source = CONNECTOR.connect([name], settings, connections)[name]
        dependencies = Dependencies(clock=clock, sources={name: source})
        batch = outcome(lambda: scout(task, dependencies, Deadline.after(6, clock)).model_dump_json())
        records = outcome(lambda: repr(source.plan.looks_up and source.look_up(DOIS, Deadline.after(6, clock))))
    assert KEY.encode() not in (batch + records).encode()
    assert len(batch.encode()) < task.byte_allowance


@given(DAMAGE, st.sampled_from(WRAPPINGS), st.lists(st.tuples(st.sampled_from([*READ, *JUDGED]), HOSTILE), max_size=2))
@campaign(60, 5000)
def test_language_model(damage: Damage, wrapping: tuple[str, str], answered: list[tuple[str, object]]) -> None:
    """A reading and a verdict, by rules at the worst, or an error that names the key; it never takes long."""
    before, after = wrapping
    content = before + json.dumps({**READ, **JUDGED, **dict(answered)}) + after
    clock, upstream = FakeClock(), LoopbackLLM(lambda _: content, key=KEY)
    limiter, asked = MemoryRateLimiter(clock), SearchRequest(query="React animation library")
    task = ScoreTask(
        id="a/b",
        repository=repository("a/b", description="springs"),
        relevance=0.3,
        found_by=(),
        ask_llm=True,
        retries=1,
    )
    began = time.process_time()
    with closing(HttpClient(transport(upstream, damage))) as http:
        model = model_at("https://llm.example/v1", http, key=KEY, limiter=limiter)
        dependencies, deadline = Dependencies(clock=clock, llm=model), Deadline.after(8, clock)
        said = outcome(lambda: translate(asked, ["catalogue"], dependencies, deadline).model_dump_json())
        said += outcome(lambda: score(task, asked, dependencies, deadline).model_dump_json())
    assert time.process_time() - began < 2
    assert KEY not in said
