"""Hostile texts through the whole search, over real sockets: they are data, whatever they say and to whom.

A repository is tried twice, with a README that attacks and with one that does not; a model that falls for all it reads
does its worst. What changes may be that repository's own clamped verdict, and nothing else that anyone sees or calls.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Mapping
from typing import Any

import pytest
from goldpan.kinds.repositories.sources.github.queries import enrichment_document, search_document
from markdown_it import MarkdownIt
from pytest_socket import enable_socket
from rich.cells import cell_len

from tests.integration.conftest import KEY, MODEL, QUESTION, ROOMY, TOKEN, Clients, judged, many_repositories
from tests.integration.hostile import (
    ATTACKS,
    COMMANDS,
    HARMLESS,
    NAMES,
    QUESTIONS,
    VICTIM,
    echo,
    everywhere,
    gullible,
    parrot,
    world,
)
from tests.integration.serve.process import ROOT, plain_environment
from tests.integration.test_search import ask
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.github_query import parse

pytestmark = pytest.mark.enable_socket
TO_A_MODEL = "Its text speaks to a language model; it was treated as data."
OURS = {"stars": {">=50"}, "pushed": None, "sort": {"stars", "updated"}, "topic": None}


class TranslationNotes:
    """One run of the search: its answer, and all that was asked of GitHub and of the model."""

    def __init__(
        self, clients: Clients, repositories: list[dict[str, Any]], answers: Any, question: str = QUESTION
    ) -> None:
        with LoopbackGitHub(repositories, limits=ROOMY) as github, LoopbackLLM(answers) as llm:
            self.answer = ask(clients.runtime(github, llm), question, max_results=25)
            self.github = sorted(_asked(request.path, request.body) for request in github.requests)
            prompts = [request.body for request in llm.requests]
        self.bodies = {_subject(body): body for body in prompts}
        assert len(self.bodies) == len(prompts)

    def results(self) -> dict[str, Any]:
        """Give what is said of each repository, in the order of the answer."""
        assert self.answer.repositories is not None
        return {row.repo: row.model_dump() for row in self.answer.repositories.results}


def _asked(path: str, body: Any) -> str:
    """Write what GitHub was asked, but for the moments from which commits and pushes are counted."""
    return re.sub(r'"since": "[^"]+"|pushed:>=[\d-]+', "", json.dumps([path, body], sort_keys=True))


def _subject(body: Mapping[str, Any]) -> str:
    """Name what a prompt is about: one repository, or the question alone."""
    asked = json.loads(body["messages"][1]["content"])
    return str(asked["repository"]["name"]) if "repository" in asked else "the question"


@pytest.fixture(scope="module")
def harmless() -> TranslationNotes:
    """Search where nobody attacks."""
    enable_socket()
    clients = Clients()
    told = TranslationNotes(clients, world(HARMLESS), judged)
    clients.close()
    return told


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_readme_moves_nothing_but_itself(clients: Clients, harmless: TranslationNotes, name: str) -> None:
    """All others keep verdict, words and order; nobody is asked more or else; the victim's scores stay clamped."""
    told = TranslationNotes(clients, world(ATTACKS[name]), gullible)
    before, after = harmless.results(), told.results()
    assert [repo for repo in after if repo != VICTIM] == [repo for repo in before if repo != VICTIM]
    assert {repo: row for repo, row in after.items() if repo != VICTIM} == {
        repo: row for repo, row in before.items() if repo != VICTIM
    }
    row = after[VICTIM]
    assert (row["relevance"], row["scores"]["documentation"], row["scores"]["ease_of_use"]) == (1, 10, 0)
    assert max(score for score in row["scores"].values() if score is not None) <= 10
    assert told.github == harmless.github
    assert set(told.bodies) == set(harmless.bodies)
    assert [subject for subject in told.bodies if told.bodies[subject] != harmless.bodies[subject]] == [VICTIM]
    assert (told.answer.warnings, told.answer.errors) == (harmless.answer.warnings, harmless.answer.errors)
    assert told.answer.usage.llm_calls == harmless.answer.usage.llm_calls


@pytest.mark.parametrize("name", ATTACKS)
def test_it_reaches_the_model_as_data_alone(clients: Clients, harmless: TranslationNotes, name: str) -> None:
    """The instructions are the same, there are no tools, and the text is one value of one JSON object, and not long."""
    told = TranslationNotes(clients, world(ATTACKS[name]), gullible)
    body, plain = told.bodies[VICTIM], harmless.bodies[VICTIM]
    system, user = body["messages"]
    assert {key: value for key, value in body.items() if key != "messages"} == {
        key: value for key, value in plain.items() if key != "messages"
    }
    assert not {"tools", "functions", "tool_choice"} & set(body)
    assert system == plain["messages"][0]
    asked, unasked = json.loads(user["content"]), json.loads(plain["messages"][1]["content"])
    assert len(asked["repository"].pop("readme_excerpt")) <= 500
    unasked["repository"].pop("readme_excerpt")
    assert (user["role"], asked) == ("user", unasked)


@pytest.mark.parametrize("name", ATTACKS)
def test_what_speaks_to_a_model_is_a_caveat(clients: Clients, name: str) -> None:
    """The asker is told where a text speaks to a model, beside that repository alone, and only there."""
    rows = TranslationNotes(clients, world(ATTACKS[name]), gullible).results()
    assert [repo for repo, row in rows.items() if TO_A_MODEL in row["caveats"]] == [VICTIM][: name in COMMANDS]


@pytest.mark.parametrize(
    "more",
    [
        {"description": COMMANDS["order"]},
        {"topics": ["react", "animation", COMMANDS["order"]]},
        {"tree": [{"name": f"{COMMANDS['order']}.md", "type": "blob"}]},
    ],
    ids=lambda more: next(iter(more)),
)
def test_all_that_the_model_is_shown_is_looked_at(clients: Clients, more: dict[str, Any]) -> None:
    """A command may stand in a description, in a topic or in the name of a file."""
    rows = TranslationNotes(clients, world(HARMLESS, **more), gullible).results()
    assert [repo for repo, row in rows.items() if TO_A_MODEL in row["caveats"]] == [VICTIM]


def command(form: str, **environment: str) -> str:
    """Run the command in a process of its own against a hostile world, and give what it writes."""
    paths = os.pathsep.join([str(ROOT / "layers" / "goldpan"), str(ROOT / "local")])
    arguments = ["search", QUESTION, "--format", form, "--max-results", "25"]
    with LoopbackGitHub(everywhere(), limits=ROOMY) as github, LoopbackLLM(parrot) as llm:
        settings = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": TOKEN, "GOLDPAN_CACHE": "off", "PYTHONPATH": paths}
        settings |= {"LLM_API_KEY": KEY, "LLM_BASE_URL": llm.base_url, "LLM_MODEL": MODEL}
        ran = subprocess.run(
            [sys.executable, "-m", "goldpan_local", *arguments],
            env={**plain_environment(), **settings, **environment},
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    assert unseen(ran.stderr.decode()) == set()
    return ran.stdout.decode()


def unseen(text: str) -> set[str]:
    """List what a terminal would obey or nobody would see; joiners make emoji and some scripts, lines are ours."""
    return {sign for sign in text if unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Zl", "Zp"}} - set(
        "\n\u200c\u200d"
    )


@pytest.mark.parametrize("width", ["60", "140"])
def test_the_table_obeys_nobody(width: str) -> None:
    """The table has a row a repository, in the order of their places, and nothing in it commands a terminal."""
    shown = command("table", COLUMNS=width)
    assert unseen(shown) == set()
    rows = [int(row) for row in re.findall(r"^ ?(\d+)  \S", shown, re.MULTILINE)]
    assert rows == list(range(1, 26))
    assert max(map(cell_len, shown.splitlines())) <= int(width)
    coloured = command("table", COLUMNS=width, FORCE_COLOR="1", TERM="xterm-256color")
    links = re.findall(r"\x1b\]8;[^;]*;([^\x1b]*)\x1b\\", coloured)
    assert {link.partition(".com/")[0] for link in links if link} == {"https://github"}
    assert unseen(re.sub(r"\x1b(?:\[[\d;]*m|\]8;[^;]*;[^\x1b]*\x1b\\)", "", coloured)) == set()


def test_markdown_has_no_structure_but_ours() -> None:
    """A reader of Markdown sees one link a repository, all to GitHub, our headings, and no tag, image or table."""
    shown = command("markdown")
    assert unseen(shown) == set()
    html = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(shown)
    assert set(re.findall(r"<(\w+)", html)) <= {"h1", "h2", "ol", "ul", "li", "p", "strong", "a"}
    assert all(address.startswith("https://github.com/") for address in re.findall(r'href="([^"]*)"', html))
    assert re.findall(r"<h[12]>(.*?)</h", html) == [QUESTION, "Sources"]
    assert html.count("<strong>") == 25


def test_json_is_the_data_and_commands_no_terminal() -> None:
    """What was written by strangers is in the answer letter by letter, and in the output as escapes alone."""
    shown = command("json")
    given = {facts["full_name"]: facts["description"] for facts in everywhere()}
    told = {row["repo"]: row["description"] for row in json.loads(shown)["repositories"]["results"]}
    assert told == given
    assert given.keys() > set(NAMES)
    assert unseen(shown) == set()


@pytest.mark.parametrize("answers", [judged, echo], ids=["honest", "echoing"])
@pytest.mark.parametrize("token", ["", TOKEN], ids=["rest", "graphql"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_no_word_of_a_question_is_read_as_a_qualifier(
    clients: Clients, question: str, token: str, answers: Any
) -> None:
    """What GitHub receives holds our own qualifiers alone, excludes nothing, and is a value in a fixed document."""
    with LoopbackGitHub(many_repositories(12), limits=ROOMY) as github, LoopbackLLM(answers) as llm:
        answer = ask(clients.runtime(github, llm, token=token), question)
        asked = [request.body["variables"] for request in github.requests if request.body]
        texts = [request.params["q"] for request in github.requests if "q" in request.params]
        texts += [text for variables in asked for name, text in variables.items() if name.startswith("q")]
        documents = {request.body["query"] for request in github.requests if request.body}
        extra = [request.params.keys() - {"q", "per_page", "sort", "order"} for request in github.requests]
        prompts = [json.loads(request.body["messages"][1]["content"]) for request in llm.requests]
    assert texts
    for query in map(parse, texts):
        assert len(query.alternatives) <= 1
        assert not [term for terms in query.alternatives for term in terms if term.excluded or len(term.tokens) > 1]
        for qualifier in query.qualifiers:
            allowed = OURS[qualifier.name]
            assert not qualifier.excluded
            assert allowed is None or qualifier.value in allowed
            assert qualifier.name != "pushed" or re.fullmatch(r">=\d{4}-\d\d-\d\d", qualifier.value)
            assert qualifier.name != "topic" or re.fullmatch(r"[\w-]+", qualifier.value)
    assert documents <= {search_document(n) for n in range(1, 16)} | {enrichment_document(n) for n in range(1, 11)}
    assert not any(extra)
    assert {prompt["question"] for prompt in prompts} == {answer.query} == {question.strip()}
    assert not answer.errors


def test_a_question_that_commands_the_model_reaches_no_tool(clients: Clients) -> None:
    """Whatever is asked, the model is given the same instructions, and nothing that it could call."""
    given = set()
    for question in QUESTIONS:
        told = TranslationNotes(clients, world(HARMLESS), judged, question)
        for body in told.bodies.values():
            assert set(body) <= {"model", "messages", "response_format", "temperature", "max_tokens", "thinking"}
            assert [message["role"] for message in body["messages"]] == ["system", "user"]
            given.add(body["messages"][0]["content"])
    assert len(given) == 2
