"""Hostile texts through the whole search, over real sockets: they are treated as data.

One repository is tried with a README that attacks and with one that does not, and a model that obeys everything it
reads. Only that repository's own clamped verdict may change: no other result, no call, no order.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from goldpan.escaping import visible
from goldpan.kinds.repositories.sources.github.queries import enrichment_document, search_document
from pytest_socket import enable_socket

from tests.integration.conftest import QUESTION, ROOMY, TOKEN, Clients, judged, many_repositories
from tests.integration.hostile_texts import ATTACKS, COMMANDS, HARMLESS, NOISE, QUESTIONS, VICTIM, echo, gullible, world
from tests.integration.test_search import ask
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.github_catalogue import parse

pytestmark = pytest.mark.enable_socket
BY_RULES = 0.9
"""More than the rules give the victim, of whose marks the model's are the highest."""
TO_A_MODEL = "Its text speaks to a language model; it was treated as data."
OURS = {"stars": r">=\d+", "pushed": r">=\d{4}-\d\d-\d\d", "sort": "stars|updated", "topic": r"[\w-]+"}
"""A pattern of the values of each qualifier that goldpan writes."""


class Run:
    """One run of a search: its answer, and all requests to GitHub and to the model."""

    def __init__(
        self, clients: Clients, repositories: list[dict[str, Any]], answers: Any, question: str = QUESTION
    ) -> None:
        with LoopbackGitHub(repositories, searches_a_minute=ROOMY) as github, LoopbackLLM(answers) as llm:
            self.answer = ask(clients.runtime(github, llm), question, max_results=25)
            self.github = sorted(_asked(request.path, request.body) for request in github.requests)
            prompts = [request.body for request in llm.requests]
        shown = [json.loads(body["messages"][1]["content"]) for body in prompts]
        subjects = [asked.get("repository", {}).get("name", "the question") for asked in shown]
        self.bodies: dict[str, Any] = dict(zip(subjects, prompts, strict=True))
        assert len(self.bodies) == len(prompts)

    def results(self) -> dict[str, Any]:
        """Return each result by its repository, in the order of the answer."""
        return {row.repo: row.model_dump() for row in self.answer.repositories.results}


def _asked(path: str, body: Any) -> str:
    """Write a request to GitHub, without the times from which commits and pushes are counted."""
    return re.sub(r'"since": "[^"]+"|pushed:>=[\d-]+', "", json.dumps([path, body], sort_keys=True))


@pytest.fixture(scope="module")
def harmless() -> Run:
    """Search without an attack."""
    enable_socket()
    clients = Clients()
    run = Run(clients, world(HARMLESS), judged)
    clients.close()
    return run


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_readme_changes_only_its_own_verdict(clients: Clients, harmless: Run, name: str) -> None:
    """All others keep verdict, text and order; no further call is made; the victim's scores stay clamped."""
    run = Run(clients, world(ATTACKS[name]), gullible)
    before, after = harmless.results(), run.results()
    row = after.pop(VICTIM)
    before.pop(VICTIM)
    assert list(after.items()) == list(before.items())
    if name in NOISE:
        assert (row["relevance"], row["scores"]["documentation"], row["scores"]["ease_of_use"]) == (1, 10, 0)
    else:
        assert max(row["relevance"], row["scores"]["documentation"] / 10) < BY_RULES
    assert (TO_A_MODEL in row["caveats"]) == (name in COMMANDS)
    assert run.github == harmless.github
    assert (run.answer.warnings, run.answer.errors) == (harmless.answer.warnings, harmless.answer.errors)
    assert [subject for subject in run.bodies if run.bodies[subject] != harmless.bodies[subject]] == [VICTIM]
    _assert_only_the_excerpt_differs(run.bodies[VICTIM], harmless.bodies[VICTIM])


def _assert_only_the_excerpt_differs(body: Mapping[str, Any], plain: Mapping[str, Any]) -> None:
    """The instructions are the same, there are no tools, and the text is one short value of one JSON object."""
    (system, user), (plain_system, plain_user) = body["messages"], plain["messages"]
    assert {**body, "messages": None} == {**plain, "messages": None}
    assert not {"tools", "functions", "tool_choice"} & set(body)
    assert (system, user["role"]) == (plain_system, "user")
    facts, plain_facts = json.loads(user["content"]), json.loads(plain_user["content"])
    assert len(facts["repository"].pop("readme_excerpt")) <= 500
    plain_facts["repository"].pop("readme_excerpt")
    assert facts == plain_facts


@pytest.mark.parametrize(
    ("question", "token"), [*((text, TOKEN) for text in QUESTIONS), *((text, "") for text in QUESTIONS[:3])]
)
def test_no_word_of_a_question_is_read_as_a_qualifier(clients: Clients, question: str, token: str) -> None:
    """GitHub receives only our own qualifiers, excludes nothing, and gets the text as a value in a fixed document."""
    with LoopbackGitHub(many_repositories(8), searches_a_minute=ROOMY) as github, LoopbackLLM(echo) as llm:
        answer = ask(clients.runtime(github, llm, token=token), question)
        bodies = [request.body for request in github.requests if request.body]
        texts = [request.params["q"] for request in github.requests if "q" in request.params]
        extra = [request.params.keys() - {"q", "per_page", "sort", "order"} for request in github.requests]
        prompts = [request.body for request in llm.requests]
    texts += [text for body in bodies for name, text in body["variables"].items() if name.startswith("q")]
    assert texts
    for query in map(parse, texts):  # which refuses operators and negations
        assert all(len(term) == 1 for term in query.terms)
        assert all(re.fullmatch(OURS[name], value) for name, value in query.qualifiers), query
    documents = {search_document(n) for n in range(1, 16)} | {enrichment_document(n) for n in range(1, 11)}
    assert {body["query"] for body in bodies} <= documents
    assert not any(extra)
    assert {json.loads(body["messages"][1]["content"])["question"] for body in prompts} == {visible(question.strip())}
    for body in prompts:
        system, user = body["messages"]
        assert (system["role"], question in system["content"], user["role"]) == ("system", False, "user")
        assert not {"tools", "functions", "tool_choice"} & set(body)
    assert (answer.query, answer.errors) == (question.strip(), ())
