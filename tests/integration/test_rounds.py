"""Conversations of three rounds, with and without a language model on a loopback port, over what one answer holds."""

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
SUBJECTS = (
    "cats in graphs",
    "dogs in graphs of cats",
    "evaluation of cats in graphs",
    "a survey of evaluation of cats in graphs",
)
PAPERS = [
    known_paper(number, f"{SUBJECTS[number % 4].capitalize()}, study {number}", year=2010 + number % 15)
    for number in range(24)
]
CONVERSATIONS = {
    "papers": ("cats in graphs", ["more on evaluation", "fewer surveys", "since 2016"]),
    "repositories": ("date library for javascript", ["with time zones", "only MIT, not moment", "smaller"]),
}


def judged(body: dict[str, Any]) -> str:
    """Score what is shown by its own words and the wishes; such an answer translates no question."""
    asked = json.loads(body["messages"][1]["content"])
    wanted = " ".join((asked["question"], *asked.get("wishes", ()))).lower().split()

    def relevance(shown: object) -> float:
        text = json.dumps(shown).lower()
        return sum(word in text for word in wanted) / len(wanted)

    if "repository" in asked:
        return json.dumps({"relevance": relevance(asked["repository"]), "reasoning": "It fits."})
    rows = [
        {"id": each["id"], "relevance": relevance(each), "reasoning": "It fits."} for each in asked.get("papers", ())
    ]
    return json.dumps({"results": rows})


def converse(runtime: Runtime, kind: str, *further: str) -> list[Answer]:
    """Ask, then add one wish after the other, each with the strategies of the answer before."""
    question, wishes = CONVERSATIONS[kind][0], [*CONVERSATIONS[kind][1], *further]
    answers = list[Answer]()
    for count in range(1 + len(wishes)):
        earlier = answers[-1].sections[kind].strategies if answers else ()
        fields = {"kinds": [kind], "feedback": wishes[:count], "previous_strategies": earlier}
        answers.append(get_or_search(parse_request({"query": question, **fields}), runtime))
    return answers


def listed(answer: Answer, kind: str) -> list[str]:
    """Return what identifies the results."""
    return [getattr(result, "repo", None) or result.title for result in answer.sections[kind].results]


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


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_three_rounds_by_rules(kind: str) -> None:
    """Each changes the list and keeps all wishes; one that changes nothing is said to."""
    with opened(kind) as runtime:
        *answers, last = converse(runtime, kind, "great")
    wishes = CONVERSATIONS[kind][1]
    lists = [listed(answer, kind) for answer in answers]
    assert all(one != other for place, one in enumerate(lists) for other in lists[:place])
    assert [[part.value for part in answer.interpretation if part.kind == "wish"] for answer in answers] == [
        wishes[:count] for count in range(4)
    ]
    assert [len(answer.sections[kind].strategies) for answer in (*answers, last)] == [1, 2, 3, 4, 5]
    assert not any("last round" in note or "changes nothing" in note for one in answers for note in one.warnings)
    assert any("the wish “great” changes nothing" in note for note in last.warnings)
    if listed(last, kind) == lists[-1]:
        assert any("as that of the last round" in note for note in last.warnings)
    if kind == "papers":
        assert not any("survey" in title.lower() for title in lists[2])
        assert all(paper.year >= 2016 for paper in answers[3].sections[kind].results)


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_a_language_model_gets_all_wishes(kind: str) -> None:
    """When it reads the question, with what the earlier rounds found, and when it scores."""
    with LoopbackLLM(judged) as llm, opened(kind, llm) as runtime:
        answers = converse(runtime, kind)
        prompts = [json.loads(request.body["messages"][1]["content"]) for request in llm.requests]
    wishes = CONVERSATIONS[kind][1]
    heard = [prompt.get("wishes", []) for prompt in prompts]
    assert [each for place, each in enumerate(heard) if each not in heard[:place]] == [wishes[:n] for n in range(4)]
    last = [prompt for prompt in prompts if prompt.get("wishes") == wishes]
    assert any("papers" in prompt or "repository" in prompt for prompt in last)
    (read,) = (prompt for prompt in last if "previous" in prompt)
    assert [each["titles"] for each in read["previous"]] == [listed(one, kind)[:10] for one in answers[:3]]
    lists = [listed(answer, kind) for answer in answers]
    assert all(one != other for place, one in enumerate(lists) for other in lists[:place])
    assert {result.basis for result in answers[-1].sections[kind].results} == {"llm"}
