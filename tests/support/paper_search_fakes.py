"""What a search for papers reaches: the real sources and a loopback server, or a source in memory."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from goldpan.engine.dependencies import Dependencies
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.papers.sources.connector import CONNECTOR, ENTRIES
from goldpan.kinds.papers.sources.settings import PaperSettings

from tests.support.fakes import QuickClock
from tests.support.memory_stores import memory_connections
from tests.support.search_fakes import Fakes

QUESTION = "graph neural networks for molecules"
TOPICS = ("drug discovery", "protein folding", "toxicity", "solubility", "crystal structure")


def papers(count: int, **facts: object) -> list[dict[str, Any]]:
    """Make papers that all match the question, each cited less than the one before; every third has an arXiv id."""
    return [
        {
            "title": f"Graph neural networks for molecules in {TOPICS[number % 5]}, experiment {number}",
            "authors": [f"Ada Author{number}", "Bo Katze"],
            "year": 2015 + number % 10,
            "venue": "Journal of Molecules",
            "abstract": f"We predict {TOPICS[number % 5]} of molecules by a graph neural network of {number} layers.",
            "doi": f"10.1000/molecules.{number}",
            "pmid": str(1000 + number),
            "citations": 900 - number,
            **({"arxiv": f"2101.{number:05}"} if number % 3 == 0 else {}),
            **facts,
        }
        for number in range(count)
    ]


@dataclass
class PaperFakes(Fakes):
    """All that a search for papers reaches: goldpan's own sources, without the limits that tests would wait for."""

    clock: Any = field(default_factory=QuickClock)
    environment: Mapping[str, str] = field(default_factory=dict)
    http: HttpClient = field(default_factory=HttpClient)

    def __post_init__(self) -> None:
        """Connect the sources."""
        connections = memory_connections(self.http, self.clock, {})
        settings = PaperSettings.from_environment(self.environment)
        self.sources = {**self.sources, **CONNECTOR.connect(tuple(ENTRIES), settings, connections)}

    def dependencies(self, function: str = "") -> Dependencies:
        """Return what one machine reaches, or one function: the translator only plans searches."""
        dependencies = super().dependencies(function)
        if function != "query_translator":
            return dependencies
        return replace(dependencies, sources={**dependencies.sources, **CONNECTOR.plan(self.environment)})


def read_and_judged(body: Mapping[str, Any]) -> str:
    """Answer as a model would: read the question, or score each paper by the number in its title."""
    asked = json.loads(body["messages"][1]["content"])
    if "sets" in asked:
        return json.dumps({"groups": []})
    if "papers" not in asked:
        concepts = ["graph neural network", "molecule"]
        queries = [{"concepts": [["graph neural network", "GNN"], ["molecule"]]}, {"concepts": [["molecule"]]}]
        return json.dumps({"topic": QUESTION, "concepts": concepts, "queries": queries})
    judged = [
        {"id": paper["id"], "relevance": 0.9 - int(paper["title"].rpartition(" ")[2]) / 50, "reasoning": "It fits."}
        for paper in asked["papers"]
    ]
    return json.dumps({"results": judged})
