"""Searches for ten questions, recorded from goldpan against loopback servers that are too slow for a measured run."""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Literal

from goldpan.contracts import SearchRequest
from goldpan.kinds.repositories.sources.catalogue.reader import open_sample
from goldpan.local.bootstrap import open_runtime
from goldpan.local.entry_points import search

from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.github_catalogue import Catalogue
from tests.support.loopback.github_repository import Repository
from tests.support.loopback.wire import RecordedRequest, Response


@dataclass(frozen=True)
class Question:
    """A question, its translation, and the language of the repositories for it."""

    text: str
    keywords: tuple[str, ...]
    expanded: tuple[str, ...]
    language: str
    topics: tuple[str, ...]


ROWS = """
React animation library | react, animation, library | motion, transition, spring | TypeScript | react, animation
Rust web framework | rust, web, framework | http, router, server | Rust | rust, web
Python ML tool | python, machine learning, tool | deep learning, training, model | Python | python, machine-learning
Svelte drag and drop | svelte, drag and drop | sortable, dnd, reorder | TypeScript | svelte, drag-and-drop
Go microservices | go, microservices | rpc, service mesh, distributed | Go | go, microservices
TypeScript ORM | typescript, orm | database, query builder, sql | TypeScript | typescript, orm
Vue 3 component library | vue, component, library | ui kit, design system, widgets | Vue | vue, components
CLI tool for developers | cli, developers, tool | terminal, command line, shell | Go | cli, developer-tools
GraphQL client for React | react, graphql, client | apollo, query, cache | TypeScript | react, graphql
Open source CRM | open source, crm | customer relationship, sales, contacts | PHP | crm, open-source
"""
MATCHING, RELATED, MIN_STARS, MORE_STARS = 40, 10, 60, 1.1
"""Repositories with all keywords of a question, those with each expanded word, the fewest stars, and their growth."""
STARS_FOR_EACH = {
    "forks": 9, "watchers": 40, "open_issues": 120, "closed_issues": 30, "merged_pull_requests": 45,
    "contributors": 80, "releases": 500, "recent_commits": 100,
}  # fmt: skip
SENTENCES = (
    "Install it with one command and start from one of the examples in the folder.",
    "The guide explains every option, what it costs, and when another tool is the better choice.",
    "It has no dependencies at run time and is tested on all versions that are still maintained.",
    "Contributions are welcome: open an issue first if the change is larger than a few lines.",
)
SECTIONS = ("Installation", "Usage", "Examples", "API", "Contributing", "License")
TREE = ("src", "tests", "docs", "examples", ".github", "LICENSE", "CHANGELOG.md", "package.json", ".editorconfig")


def _question(row: str) -> Question:
    text, keywords, expanded, language, topics = (cell.strip() for cell in row.split("|"))
    return Question(text, tuple(keywords.split(", ")), tuple(expanded.split(", ")), language, tuple(topics.split(", ")))


QUESTIONS = tuple(_question(row) for row in ROWS.strip().splitlines())


def invented_repositories() -> list[dict[str, Any]]:
    """Invent the repositories that answer the questions."""
    return [
        _repository(question, words, place)
        for question in QUESTIONS
        for place, words in enumerate(
            [question.keywords] * MATCHING + [(question.keywords[0], word) for word in question.expanded * RELATED]
        )
    ]


def _repository(question: Question, words: tuple[str, ...], place: int) -> dict[str, Any]:
    name = "-".join((*words[:2], str(place))).replace(" ", "-")
    description = f"{' '.join(words)}, number {place} of many: {SENTENCES[place % len(SENTENCES)]}"
    sections = (f"## {section}\n\n{' '.join(SENTENCES)}\n\n```\n{name} {section}\n```\n" for section in SECTIONS)
    stars = round(MIN_STARS * MORE_STARS**place)
    changed_at = (datetime.now(UTC) - timedelta(days=2 * place + 1)).isoformat()
    return {
        "full_name": f"invented-{place}/{name}",
        "description": description,
        "language": question.language,
        "topics": list(question.topics),
        "readme": "\n".join([f"# {name}\n\n{description}\n", *sections]),
        "tree": [{"name": entry, "type": "blob" if "." in entry[1:] or entry.isupper() else "tree"} for entry in TREE],
        "license": "MIT",
        "created_at": "2019-05-04",
        "pushed_at": changed_at,
        "latest_release_at": changed_at,
        "stars": stars,
        **{fact: 1 + stars // divisor for fact, divisor in STARS_FOR_EACH.items()},
    }


Step = Literal["translate", "search", "enrich", "score"]
MARK, MARKS = "q0000", re.compile(rb"q\d{4}")
README = "# Install\n\nOne command installs it.\n\n## Usage\n\nThe guide explains every option.\n"
TOKEN, KEY, MODEL = "good-token", "good-key", "deepseek-flash"
_SINCE = re.compile(rb'"since": "[^"]*"')


@dataclass(frozen=True)
class Call:
    """A request of a search to GitHub or to the language model, and its response."""

    step: Step
    body: dict[str, Any]
    reply: str


@dataclass(frozen=True)
class TimedRequest:
    """A request at a server: its step, when it came, and how many seconds its response takes."""

    step: Step
    start: float
    seconds: float


def mark(number: int) -> str:
    """Return the mark of that number; all have the same length."""
    return f"q{number:04}"


def search_request(question: Question, number: int, config: dict[str, Any] | None = None) -> SearchRequest:
    """Make the request of a question with a mark."""
    return SearchRequest.model_validate({"query": f"{question.text} {mark(number)}", "config": config or {}})


def settings(github: str, llm: str | None = None) -> dict[str, str]:
    """Return the environment that goldpan needs; by default one address serves both."""
    model = {"LLM_API_KEY": KEY, "LLM_BASE_URL": llm or f"{github}/v1", "LLM_MODEL": MODEL}
    return {"GITHUB_API_URL": github, "GITHUB_TOKEN": TOKEN, "GOLDPAN_CACHE": "off", **model}


def normalized(body: object) -> bytes:
    """Write the body of a request without its own mark and its time."""
    return _SINCE.sub(b'"since": ""', MARKS.sub(MARK.encode(), json.dumps(body).encode()))


class CataloguedRepositories(Catalogue):
    """The invented repositories, and by name those of the embedded catalogue, with a README and a push of today."""

    def __init__(self) -> None:
        super().__init__(map(_marked, invented_repositories()))
        with closing(open_sample(None)) as catalogue:
            self._catalogued = {one.full_name.lower(): one for one in catalogue.repositories()}

    def find(self, owner: str, name: str) -> Any:
        """Find a repository by its name in any letter case."""
        catalogued = self._catalogued.get(f"{owner}/{name}".lower())
        if catalogued is None:
            return super().find(owner, name)
        added = {"readme": README, "pushed_at": datetime.now(UTC).isoformat()}
        return super().find(owner, name) or Repository.stored(facts(catalogued) | added)


class RecordedGitHub(LoopbackGitHub):
    """A loopback GitHub with those repositories."""

    def __init__(self) -> None:
        super().__init__()
        self._catalogue = CataloguedRepositories()


def facts(repository: Any) -> dict[str, Any]:
    """Return what GitHub has of a repository; what is not known keeps the server's default."""
    names = ("full_name", "description", "language", "topics", "stars", "forks", "archived", "license", "homepage")
    given = {name: getattr(repository, name) for name in names}
    days = {name: getattr(repository, name) for name in ("pushed_at", "created_at", "latest_release_at")}
    given |= {name: moment.isoformat() for name, moment in days.items() if moment is not None}
    return {name: value for name, value in given.items() if value is not None}


def record(questions: Sequence[Question], file: Path) -> None:
    """Write all calls of each question, translated by rules and by the model, without a target time that cuts them."""
    calls: list[Call] = []
    for translates in (False, True):  # the last reply to a body is the one that is replayed
        model = LoopbackLLM(partial(_completion, translates=translates))
        with RecordedGitHub() as github, model as llm:
            for server in (github, llm):
                server.answer = partial(_record, server.answer, calls)  # type: ignore[method-assign]
            with open_runtime(settings(github.url, llm.base_url)) as runtime:
                for question in questions:
                    search(search_request(question, 0, {"target_seconds": None}), runtime=runtime)
    file.write_text(json.dumps([asdict(call) for call in calls]))


def _record(answer: Callable[[RecordedRequest], Response], calls: list[Call], request: RecordedRequest) -> Response:
    response, body = answer(request), request.body
    if "messages" in body:
        step: Step = "score" if "repository" in _prompt(body) else "translate"
    else:
        step = "enrich" if "query Enrich" in body["query"] else "search"
    calls.append(Call(step, body, response.body.decode()))
    return response


def read_calls(file: Path) -> list[Call]:
    """Read the recorded calls."""
    return [Call(**row) for row in json.loads(file.read_text())]


def _marked(row: dict[str, Any]) -> dict[str, Any]:
    owner, _, name = str(row["full_name"]).partition("/")
    return row | {"full_name": f"{owner}-{MARK}/{name}", "description": f"{MARK} {row['description']}"}


def _prompt(body: dict[str, Any]) -> dict[str, Any]:
    prompt: dict[str, Any] = json.loads(body["messages"][1]["content"])
    return prompt


def _completion(body: dict[str, Any], *, translates: bool) -> str:
    prompt = _prompt(body)
    question = next(question for question in QUESTIONS if prompt["question"].startswith(question.text))
    if "repository" not in prompt and not translates:
        return "{}"
    if "repository" not in prompt:
        keywords = [*question.keywords[:2], MARK]
        return json.dumps({"keywords": keywords, "expanded_keywords": question.expanded, "topics": question.topics})
    description = str(prompt["repository"]["description"])
    share = sum(word in description for word in question.keywords) / len(question.keywords)
    reasoning = f"It covers {share:.0%} of what the question names, and its documentation explains how to begin."
    judgement = {"relevance": share, "documentation": 7, "ease_of_use": 8, "reasoning": reasoning}
    return json.dumps({**judgement, "quote": description[:60].rpartition(" ")[0]})
