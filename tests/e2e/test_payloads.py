"""Step Functions carries 256 KiB between states, and an overflow cannot be caught: every value of a search fits."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.infra.http_client import HttpClient
from goldpan.infra.llm.port import Completion, Prompt

from tests.e2e.comparison import CACHE, CachedStack, Searched, Stack
from tests.support.handlers import HANDLERS, PlatformFailure
from tests.support.hostile import ONE_TO_EIGHTEEN, SOURCES, HostileModel, HostileSource, filled, strange_words
from tests.support.paper_search_fakes import QUESTION as MOLECULES
from tests.support.paper_search_fakes import PaperFakes, papers
from tests.support.paper_sources import SOURCES as PAPER_SOURCES
from tests.support.paper_sources import LoopbackPapers
from tests.support.search_fakes import QUESTION, Fakes

LIMIT = 262_144
CONFIG = {"shortlist_size": 40, "readme_chars": 4000, "max_enriched": 60, "max_candidates": 100, "llm_concurrency": 40}
PRICES = {filled("水", 98) + str(number): {"input": 1.5, "output": 2.5} for number in range(10)}
WORDS = strange_words(8)
GROWING = [filled(ONE_TO_EIGHTEEN, 57) + f"x{number:02}" for number in range(32)]


def largest(config: Mapping[str, Any] | None = None, **fields: object) -> dict[str, Any]:
    """Make a request for as much as it may ask."""
    usual = {"query": QUESTION, "mode": "exploratory", "max_results": 25, "max_llm_calls": 60, "max_seconds": 6}
    return {**usual, **fields, "config": {**CONFIG, **(config or {})}}


@dataclass(frozen=True)
class Case:
    """A search whose values are as large as possible."""

    request: Mapping[str, Any]
    source: HostileSource = field(default_factory=HostileSource)
    model: HostileModel | None = None


LARGEST_KEY = largest({"llm_prices": PRICES, "shortlist_size": 1}, query=filled("水", 500) + filled("\u3000", 7600))
"""The largest request of which a key is made: nearly 10,000 characters, most of them of three bytes."""
NOT = " ".join(f"-{filled('水', 9)}{number}" for number in range(30))
FILTERS = {
    "language": "TypeScript", "license": "permissive", "min_stars": 0, "max_stars": 10_000_000,
    "pushed_since": "2000-01-01", "created_since": "2000-01-01",
    "topics": [f"{number}" + "x" * 49 for number in range(10)],
    "exclude": [filled("水", 48) + f"{number:02}" for number in range(10)],
}  # fmt: skip
"""All filters, as long as they may be; no topic is known of the repositories, so that they are unverified."""
CASES: dict[str, Case] = {
    "every filter, and a question of exclusions": Case(
        largest(query=f"react {NOT}"[:499], filters=FILTERS, ignore=[filled("水", 118) + f"{n:02}" for n in range(30)]),
        HostileSource(unit="水", name=80, topics=0),
        HostileModel("水"),
    ),
    "every shortlisted repository beside its outcome": Case(
        largest(), HostileSource(unit="水", name=80, readme=filled("a", 1000), entries=0, topics=0), HostileModel("水")
    ),
    "evidence of long words, and a model that fails with many words": Case(
        largest(query=" ".join(WORDS)),
        HostileSource(readme=" ".join(WORDS), entries=0, topics=0),
        HostileModel("水", WORDS, failure=filled("\x01", 160)),
    ),
    "keywords that grow by normalisation": Case(
        largest(sources=SOURCES), model=HostileModel(keywords=GROWING[:12], expanded=GROWING[12:])
    ),
    "quotes everywhere": Case(largest(), HostileSource(unit='"', topics=20, entries=200), HostileModel('"')),
    "control characters everywhere": Case(largest(), HostileSource(unit="\x01", entries=200), HostileModel("\x01")),
    "long names": Case(largest(), HostileSource(name=3000)),
    "long facts": Case(largest(), HostileSource(unit="𠮷", fact=1000)),
    "a failure for every repository": Case(largest(), HostileSource(unit="𠮷", failures=2000)),
    "blanks around the question": Case(largest(query=QUESTION + " " * 100_000)),
    "the largest request that has a key": Case(LARGEST_KEY, HostileSource(unit="水"), HostileModel("水")),
}


def search(stack: Stack, case: Case) -> Searched:
    """Search with new fakes."""
    sources = dict.fromkeys(case.request.get("sources") or ["github"], case.source)
    return stack.execute(Fakes(sources, case.model), {"request": case.request})


@pytest.mark.parametrize("name", CASES)
def test_the_largest_values_fit(stack: Stack, name: str) -> None:
    """The search has results, each with its reason."""
    results = search(stack, CASES[name]).answer.sections["repositories"].results
    assert results
    assert all(result.reasoning for result in results)


def test_these_values_are_large(stack: Stack) -> None:
    """Values near the limit are reached, batches are truncated to it, and the rows say so."""
    searched = search(stack, CASES["quotes everywhere"])
    assert max(payload.size for payload in searched.execution.payloads) > 180_000
    assert all(row.kept < row.fetched for row in searched.answer.sources)
    too_large = search(stack, Case(largest(), HostileSource(description=80_000, found=4)))
    assert {row.status for row in too_large.answer.sources} == {"truncated"}


@pytest.mark.parametrize("unit", ['"', "水"])
def test_the_largest_cached_answer_fits(cached_stack: CachedStack, unit: str) -> None:
    """An answer of 160 KiB, the largest that is cached, is returned beside the largest request."""
    cached_stack.stack.execute(cached_stack.fakes(), {"request": LARGEST_KEY})
    [item] = cached_stack.answers()
    head, tail = '{"query":"', '","cached":true,"answered_at":""}'
    text = head + filled(unit, (163_840 - 100) // len(json.dumps(unit, ensure_ascii=False)[1:-1].encode())) + tail
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    cached_stack.client.put_item(TableName=CACHE, Item=item | {"text": {"S": text}, "fresh_until_time": {"S": later}})
    machine = cached_stack.stack.machine
    execution = machine.run({"request": LARGEST_KEY})
    assert execution.output["body"] == text
    assert not execution.oversized()


@pytest.mark.parametrize(
    ("stage", "status"), [("translate", 500), ("scout", 500), ("shortlist", 500), ("score", 200), ("rank", 500)]
)
def test_a_failing_stage_leaves_its_state_small_enough(stack: Stack, stage: str, status: int) -> None:
    """The message and the stack trace of an error, 32 kB with its escapes, fit beside all that its state holds."""
    failure = PlatformFailure(HANDLERS[stage], "RuntimeError", where={"stage": stage}, message=filled("𠮷", 2600))
    case = CASES["every filter, and a question of exclusions"]
    fakes = Fakes({"github": case.source}, case.model)
    searched = stack.execute(fakes, {"request": case.request}, failure)
    assert searched.response.statusCode == status
    assert stage == "score" or ("sources" in searched.problem) == (stage != "translate")


FOUND = 120
PAPER_UNITS = ("𠮷", '"')
"""Four bytes a character, and a character that JSON escapes, twice where JSON is inside JSON."""
NAMES = [filled("火", 98) + f"{number:02}" for number in range(10)]
EXCLUDED = [filled("火", 48) + f"{number:02}" for number in range(10)]
PREVIOUS = [{"titles": [filled("x", 200)] * 11}] * 5
"""Nearly the 12 KiB that earlier strategies may have."""


def hostile_papers(unit: str) -> list[dict[str, Any]]:
    """Make papers with texts of a unit, as long as no source sends them; each is in one source, so that all count."""
    long = {
        "authors": [filled(unit, 300) + str(number) for number in range(120)],
        "venue": filled(unit, 3000),
        "abstract": f"{MOLECULES} {filled(unit, 20_000)}",
        "pdf_url": f"https://example.org/{filled('x', 3000)}",
        "open_access": None,
    }
    made = papers(FOUND, **long)
    ids = {"arxiv": "arxiv", "europe_pmc": "pmid"}
    return [
        {
            name: value
            for name, value in paper.items()
            if name not in {"doi", "arxiv", "pmid"} - {ids.get(source, "doi")}
        }
        | {"title": f"{paper['title']} {filled(unit, 2000)}", "sources": [source], "arxiv": f"2101.{place:05}"}
        for place, paper in enumerate(made)
        for source in [PAPER_SOURCES[place % len(PAPER_SOURCES)]]
    ]


class HostilePaperModel(HostileModel):
    """A model with long answers about papers, too."""

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Answer by the kind of the prompt."""
        asked = json.loads(prompt.user)
        if "papers" in asked:
            reason = filled(self.unit, 2900).strip() or "It fits."
            rows = [{"id": each["id"], "relevance": 0.5, "reasoning": reason} for each in asked["papers"]]
            return Completion({"results": rows}, self.usage)
        if "sources" not in asked:
            return super().complete(prompt, deadline)
        concepts = [f"molecules {filled(self.unit, 80).strip()} {number}" for number in range(6)]
        queries = [{"concepts": [[one] * 5 for one in concepts[place:]]} for place in range(4)]
        synonyms = {one: [f"{one} {number}" for number in range(8)] for one in concepts}
        answer: dict[str, object] = {
            "topic": filled(self.unit, 290),
            "concepts": concepts,
            "synonyms": synonyms,
            "queries": queries,
        }
        return Completion(answer, Usage(llm_calls=1))


def search_papers(stack: Stack, http: HttpClient, unit: str, kinds: list[str], **fields: Any) -> Searched:
    """Search for as much as a request may ask, with texts of this unit everywhere."""
    with LoopbackPapers(hostile_papers(unit)) as server:
        github = {"github": HostileSource(unit=unit, name=80)}
        fakes = PaperFakes(github, HostilePaperModel(unit), environment=server.environment(), http=http)
        usual = {"query": MOLECULES, "max_seconds": 25, "feedback": [filled("水", 98) + str(n) for n in range(6)]}
        request = largest(kinds=kinds, **{**usual, "config": {"relevance_threshold": 0}, **fields})
        return stack.execute(fakes, {"request": request})


@pytest.mark.parametrize("unit", PAPER_UNITS)
def test_the_largest_papers_fit(stack: Stack, http: HttpClient, unit: str) -> None:
    """The search has results, each with its reason; values near the limit are reached, and papers were left out."""
    searched = search_papers(stack, http, unit, ["papers"])
    results = searched.answer.sections["papers"].results
    assert len(results) == 25
    assert all(paper.reasoning for paper in results)
    assert any(row.kept < row.fetched for row in searched.answer.sources)
    assert max(payload.size for payload in searched.execution.payloads) > 160_000


def test_the_largest_request_fits(stack: Stack, http: HttpClient) -> None:
    """Every state has the request, and every task its constraints; papers whose venue is unknown stay."""
    filters = {"year_from": 1000, "year_to": 2999, "venues": NAMES, "authors": NAMES, "exclude": EXCLUDED}
    usual = {"query": filled("molecules 水", 500), "ignore": [filled("水", 118) + f"{n:02}" for n in range(30)]}
    searched = search_papers(stack, http, "水", ["papers"], **usual, filters=filters, previous_strategies=PREVIOUS)
    assert searched.calls["rank"] == 1, searched.response.body
    assert max(payload.size for payload in searched.execution.payloads) > 100_000


def test_the_results_of_both_kinds_fit(stack: Stack, http: HttpClient) -> None:
    """Each kind has half of the last state."""
    searched = search_papers(stack, http, "水", ["repositories", "papers"])
    assert list(searched.answer.sections) == ["repositories", "papers"]
    [outcomes] = [event["outcomes"] for event in stack.events if event["stage"] == "assemble"]
    sizes = [len(json.dumps(outcome, ensure_ascii=False).encode()) for outcome in outcomes]
    assert max(sizes) < LIMIT / 2 - 10_000, sizes
