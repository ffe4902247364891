"""Conversations of three rounds, with a language model on a loopback port."""

import json

import pytest
from goldpan.contracts import parse_request
from goldpan.engine.search import get_or_search
from goldpan.kinds.answer import Answer

from tests.integration.papers.searches import known_paper, open_search
from tests.support.loopback import LoopbackLLM
from tests.support.paper_sources import SOURCES, LoopbackPapers

TITLES = ("Cats in graphs", "Dogs in graphs of cats", "Evaluation of cats in graphs", "A survey of evaluation of cats")
PAPERS = [known_paper(n, f"{TITLES[n % 4]}, study {n}", year=2010 + n % 15) for n in range(24)]
CONVERSATIONS = {
    "papers": (SOURCES, "cats in graphs", ["more on evaluation", "fewer surveys", "since 2016"]),
    "repositories": (
        ("catalogue",), "date library for javascript", ["with time zones", "only MIT, not moment", "relative time"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_three_rounds(kind: str) -> None:
    """Each changes the list; a model gets all wishes with what was found; "great" changes nothing."""
    (sources, question, wishes), answers = CONVERSATIONS[kind], list[Answer]()
    with LoopbackLLM(lambda _: "{}") as llm, LoopbackPapers(PAPERS) as server, open_search(server, llm) as runtime:
        for count in range(5):
            earlier = answers[-1].sections[kind].strategies if answers else ()
            fields = {"kinds": [kind], "feedback": [*wishes, "great"][:count], "previous_strategies": earlier}
            fields["sources"] = sources
            answers.append(get_or_search(parse_request({"query": question, **fields}), runtime))
        prompts = [json.loads(request.body["messages"][1]["content"]) for request in llm.requests]
    lists = [[getattr(one, "repo", None) or one.title for one in answer.sections[kind].results] for answer in answers]
    assert len(set(map(tuple, lists[:4]))) == 4
    for count, answer in enumerate(answers[:4]):
        assert [part.value for part in answer.interpretation if part.kind == "wish"] == wishes[:count]
        assert not any("last round" in note or "changes nothing" in note for note in answer.warnings)
        heard = [prompt for prompt in prompts if prompt.get("wishes", []) == wishes[:count]]
        assert any("papers" in prompt or "repository" in prompt for prompt in heard)
        (read,) = (prompt for prompt in heard if "papers" not in prompt and "repository" not in prompt)
        assert [each["titles"] for each in read.get("previous", ())] == [names[:10] for names in lists[:count]]
    assert any("the wish “great” changes nothing" in note for note in answers[4].warnings)
    assert lists[4] != lists[3] or any("as that of the last round" in note for note in answers[4].warnings)
    if kind == "papers":
        assert not any("survey" in title for title in lists[2])
        assert all(paper.year >= 2016 for paper in answers[3].sections[kind].results)
