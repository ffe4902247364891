"""Every value of a search for papers fits into a state, however long and strange the texts of six sources are."""

import json
from typing import Any

import pytest
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.infra.http_client import HttpClient
from goldpan.infra.llm.port import Completion, Prompt

from tests.e2e.comparison import Searched, Stack
from tests.e2e.test_payloads import LIMIT, largest
from tests.support.hostile import HostileModel, HostileSource, filled
from tests.support.paper_search_fakes import QUESTION, PaperFakes, papers
from tests.support.paper_sources import SOURCES, LoopbackPapers

pytestmark = pytest.mark.enable_socket
FOUND = 120
UNITS = ("𠮷", '"')
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
        "abstract": f"{QUESTION} {filled(unit, 20_000)}",
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
        for source in [SOURCES[place % len(SOURCES)]]
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


def search(stack: Stack, http: HttpClient, unit: str, kinds: list[str], **fields: Any) -> Searched:
    """Search for as much as a request may ask, with texts of this unit everywhere."""
    with LoopbackPapers(hostile_papers(unit)) as server:
        github = {"github": HostileSource(unit=unit, name=80)}
        fakes = PaperFakes(github, HostilePaperModel(unit), environment=server.environment(), http=http)
        usual = {"query": QUESTION, "max_seconds": 25, "feedback": [filled("水", 98) + str(n) for n in range(6)]}
        request = largest(kinds=kinds, **{**usual, "config": {"relevance_threshold": 0}, **fields})
        return stack.execute(fakes, {"request": request})


@pytest.mark.parametrize("unit", UNITS)
def test_the_largest_papers_fit(stack: Stack, http: HttpClient, unit: str) -> None:
    """The search has results, each with its reason; values near the limit are reached, and papers were left out."""
    searched = search(stack, http, unit, ["papers"])
    results = searched.answer.sections["papers"].results
    assert len(results) == 25
    assert all(paper.reasoning for paper in results)
    assert any(row.kept < row.fetched for row in searched.answer.sources)
    assert max(payload.size for payload in searched.execution.payloads) > 160_000


def test_the_largest_request_fits(stack: Stack, http: HttpClient) -> None:
    """Every state has the request, and every task its constraints; papers whose venue is unknown stay."""
    filters = {"year_from": 1000, "year_to": 2999, "venues": NAMES, "authors": NAMES, "exclude": EXCLUDED}
    usual = {"query": filled("molecules 水", 500), "ignore": [filled("水", 118) + f"{n:02}" for n in range(30)]}
    searched = search(stack, http, "水", ["papers"], **usual, filters=filters, previous_strategies=PREVIOUS)
    assert searched.calls["rank"] == 1, searched.response.body
    assert max(payload.size for payload in searched.execution.payloads) > 100_000


def test_the_results_of_both_kinds_fit(stack: Stack, http: HttpClient) -> None:
    """Each kind has half of the last state."""
    searched = search(stack, http, "水", ["repositories", "papers"])
    assert list(searched.answer.sections) == ["repositories", "papers"]
    [outcomes] = [event["outcomes"] for event in stack.events if event["stage"] == "assemble"]
    sizes = [len(json.dumps(outcome, ensure_ascii=False).encode()) for outcome in outcomes]
    assert max(sizes) < LIMIT / 2 - 10_000, sizes
