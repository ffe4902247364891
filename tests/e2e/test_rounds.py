"""A search of papers in rounds, by the real state machines, compared with the same search on one machine."""

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest
from botocore.exceptions import ClientError
from goldpan.contracts import parse_request
from goldpan.engine import rounds
from goldpan.engine.answers import page_of
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.answer import Answer

from tests.contract.openapi.contract import as_written
from tests.contract.openapi.gateway import Reply
from tests.e2e.comparison import CachedStack, without_times
from tests.e2e.test_background import Background
from tests.support.loopback import LoopbackLLM, model_at
from tests.support.paper_search_fakes import QUESTION, PaperFakes, papers, read_and_judged
from tests.support.paper_sources import SOURCES, LoopbackPapers
from tests.support.state_machine import rounds_machine

REQUEST = {"query": QUESTION, "kinds": ["papers"], "max_seconds": 200, "max_results": 8}
POTENTIALS = "Equivariant potentials"
MADE = papers(8)
BOTH = MADE[4] | {"abstract": f"{MADE[4]['abstract']} {POTENTIALS}."}
LATER = [
    one | {"title": f"{POTENTIALS}, experiment {5 + n}", "abstract": "Of atoms."} for n, one in enumerate(MADE[5:])
]
CORPUS = [*MADE[:4], BOTH, *LATER]
"""What the first round finds, what both find, and what the later ones find alone, by words that only they ask for."""

THROTTLED = "ThrottlingException"
"""With which Step Functions starts no execution."""
UNREADABLE = "an output with which the function fails"


def read_otherwise(body: Mapping[str, Any]) -> str:
    """Answer as a model that asks for other words as soon as it is shown what was asked before."""
    if "previous" not in json.loads(body["messages"][1]["content"]):
        return read_and_judged(body)
    return json.dumps({"topic": QUESTION, "concepts": [POTENTIALS], "queries": [{"concepts": [[POTENTIALS]]}]})


@dataclass
class InRounds(Background):
    """The gateway with the machines of a search in rounds, which start the search machine."""

    broken: dict[int, str] = field(default_factory=dict)
    """The error with which the execution of a round fails, by its number."""
    looks: list[Reply] = field(default_factory=list)

    def start_sync_execution(self, **parameters: str) -> dict[str, Any]:
        """Run a round to its end; Step Functions writes these names with capitals."""
        _, search_id, number = parameters["Name"].split("_")
        error = self.broken.get(int(number))
        if error == UNREADABLE:
            return {"Status": "SUCCEEDED", "Output": error}
        if error == THROTTLED:
            said = {"HTTPStatusCode": 400, "RequestId": "1"}
            raise ClientError(
                {"Error": {"Code": error, "Message": error}, "ResponseMetadata": said}, "StartSyncExecution"
            )
        if error:
            return {"Status": "FAILED", "Error": error}
        ended = self.stack.stack.machine.run(json.loads(parameters["Input"]), parameters["Name"])
        assert not ended.oversized()
        self.looks.append(self.get(search_id))
        return {"Status": ended.status, "Output": json.dumps(ended.output)}

    def search(self, fakes: PaperFakes, **fields: Any) -> Reply:
        """Search from the request to the response that the client reads by the id."""
        accepted = self.post(json.dumps(REQUEST | fields), prefer="respond-async")
        [started] = self.started
        self.started.clear()
        with self.stack.stack.prepared(fakes, wait=fakes.clock.wait):
            ended = rounds_machine(self.stack.stack.platform).run(json.loads(started["Input"]))
        assert (ended.status, ended.oversized(), ended.uncatchable()) == ("SUCCEEDED", [], [])
        return self.get(json.loads(accepted.body)["id"])


def test_rounds_find_more_and_both_sides_the_same(
    cached_stack: CachedStack, http: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paper of two rounds is there once; the stages of each round are shown; a lost round is a warning."""
    in_rounds = InRounds(cached_stack)
    monkeypatch.setitem(cached_stack.stack.platform.clients, "stepfunctions", in_rounds)
    with LoopbackPapers(CORPUS) as server, LoopbackLLM(read_otherwise) as llm, closing(HttpClient()) as client:

        def fakes() -> PaperFakes:
            usual, settings = in_rounds.stack.fakes(), server.environment()
            model = model_at(llm.base_url, client, "deepseek-flash")
            return PaperFakes(llm=model, environment=settings, http=http, stores=usual.stores, clock=usual.clock)

        answer, asked = Answer.model_validate_json(in_rounds.search(fakes()).body), parse_request(REQUEST)
        *_, event = rounds.run(asked, fakes().dependencies(), sources=SOURCES)
        in_rounds.broken[2] = "States.Timeout"
        without = Answer.model_validate_json(in_rounds.search(fakes()).body)
        in_rounds.broken[2] = UNREADABLE
        unjoined = Answer.model_validate_json(in_rounds.search(fakes()).body)
        in_rounds.broken[1] = "Lambda.TooManyRequestsException"
        failed = in_rounds.search(fakes())
        in_rounds.broken[1] = THROTTLED
        throttled = in_rounds.search(fakes())
        refused = in_rounds.search(fakes(), max_results=26)
    assert event.answer is not None
    assert without_times(answer) == without_times(page_of(event.answer, asked))
    found = [paper.title for paper in (*answer.papers.results, *answer.papers.weaker)]
    assert sorted(found) == sorted(one["title"] for one in CORPUS)
    assert len(in_rounds.looks) == 5, "three rounds, of which the last found nothing new; then one, twice"
    shown = json.loads(in_rounds.looks[1].body)
    as_written("Progress").validate(shown)
    assert shown["stages"][5]["message"] == "Round 2: Query translated"
    for first in (without, unjoined):
        assert len(first.papers.results) == 5
        assert "Round 2 of the search failed" in first.warnings[-1]
    for each in (failed, throttled):
        assert (each.status, each.headers["Retry-After"]) == (503, "5")
    assert "max_results: must be at most 25" in refused.problem["detail"]
    waiting = in_rounds.stack.search(max_seconds=28)
    assert "with the header Prefer: respond-async (given 28)" in waiting.problem["detail"]
