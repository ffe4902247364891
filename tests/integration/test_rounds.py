"""Conversations of three rounds, by rules and with a language model on a loopback port."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import get_or_search
from goldpan.kinds.answer import Answer
from goldpan.local import bootstrap

from tests.integration.conftest import KEY, MODEL
from tests.integration.papers.searches import known_paper, open_search
from tests.support.loopback import LoopbackLLM
from tests.support.paper_sources import LoopbackPapers

pytestmark = pytest.mark.enable_socket
TITLES = ("Cats in graphs", "Dogs in graphs of cats", "Evaluation of cats in graphs", "A survey of evaluation of cats")
PAPERS = [known_paper(n, f"{TITLES[n % 4]}, study {n}", year=2010 + n % 15) for n in range(24)]
CONVERSATIONS = {
    "papers": ("cats in graphs", ["more on evaluation", "fewer surveys", "since 2016"]),
    "repositories": ("date library for javascript", ["with time zones", "only MIT, not moment", "smaller"]),
}


@contextmanager
def opened(kind: str, llm: LoopbackLLM | None = None) -> Iterator[Runtime]:
    """Open the runtime of a kind: papers on a loopback port, or the embedded repositories; with a model if given."""
    if kind == "papers":
        with LoopbackPapers(PAPERS) as server, open_search(server, llm) as runtime:
            yield runtime
        return
    model = {"LLM_API_KEY": KEY, "LLM_BASE_URL": llm.base_url, "LLM_MODEL": MODEL} if llm else {}
    with bootstrap.open_runtime({"GOLDPAN_CACHE": "off", **model}, ("catalogue",)) as runtime:
        yield runtime


def converse(runtime: Runtime, kind: str, *further: str) -> list[Answer]:
    """Ask, then add one wish after the other, each with the strategies of the answer before."""
    question, wishes = CONVERSATIONS[kind][0], [*CONVERSATIONS[kind][1], *further]
    answers = list[Answer]()
    for count in range(1 + len(wishes)):
        earlier = answers[-1].sections[kind].strategies if answers else ()
        fields = {"kinds": [kind], "feedback": wishes[:count], "previous_strategies": earlier}
        answers.append(get_or_search(parse_request({"query": question, **fields}), runtime))
    return answers


def listed(answer: Answer) -> list[Any]:
    """Return what strategies call the results."""
    return [getattr(one, "repo", None) or one.title for section in answer.sections.values() for one in section.results]


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_three_rounds_by_rules(kind: str) -> None:
    """Each changes the list and keeps all wishes; one that changes nothing is said to."""
    with opened(kind) as runtime:
        *answers, last = converse(runtime, kind, "great")
    assert len({tuple(listed(answer)) for answer in answers}) == 4
    for count, answer in enumerate(answers):
        wishes = [part.value for part in answer.interpretation if part.kind == "wish"]
        assert (wishes, len(answer.sections[kind].strategies)) == (CONVERSATIONS[kind][1][:count], count + 1)
        assert not any("last round" in note or "changes nothing" in note for note in answer.warnings)
    assert any("the wish “great” changes nothing" in note for note in last.warnings)
    assert listed(last) != listed(answers[3]) or any("as that of the last round" in note for note in last.warnings)
    if kind == "papers":
        assert not any("survey" in title for title in listed(answers[2]))
        assert all(paper.year >= 2016 for paper in answers[3].sections[kind].results)


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_a_language_model_gets_all_wishes(kind: str) -> None:
    """When it reads the question, with what the earlier rounds found, and when it scores."""
    with LoopbackLLM(lambda _: "{}") as llm, opened(kind, llm) as runtime:
        answers, wishes = converse(runtime, kind), CONVERSATIONS[kind][1]
        prompts = [json.loads(request.body["messages"][1]["content"]) for request in llm.requests]
    for count in range(4):
        heard = [prompt for prompt in prompts if prompt.get("wishes", []) == wishes[:count]]
        assert any("papers" in prompt or "repository" in prompt for prompt in heard)
        (read,) = (prompt for prompt in heard if "papers" not in prompt and "repository" not in prompt)
        previous = [each["titles"] for each in read.get("previous", ())]
        assert previous == [listed(answer)[:10] for answer in answers[:count]]
