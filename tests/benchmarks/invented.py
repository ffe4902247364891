"""Ten questions, the invented repositories that answer them, and how a language model would read and judge both."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from goldpan.kinds.repositories.models import KnownFacts
from goldpan.kinds.repositories.sources.catalogue.reader import open_sample

from tests.support.loopback.sample_repositories import size_facts


@dataclass(frozen=True)
class Question:
    """A question, its translation, and the language of the repositories for it."""

    text: str
    keywords: tuple[str, ...]
    expanded: tuple[str, ...]
    language: str


QUESTIONS = (
    Question(
        "React animation library", ("react", "animation", "library"), ("motion", "transition", "spring"), "TypeScript"
    ),
    Question("Rust web framework", ("rust", "web", "framework"), ("http", "router", "server"), "Rust"),
    Question(
        "Python ML tool", ("python", "machine learning", "tool"), ("deep learning", "training", "model"), "Python"
    ),
    Question("Svelte drag and drop", ("svelte", "drag and drop"), ("sortable", "dnd", "reorder"), "TypeScript"),
    Question("Go microservices", ("go", "microservices"), ("rpc", "service mesh", "distributed"), "Go"),
    Question("TypeScript ORM", ("typescript", "orm"), ("database", "query builder", "sql"), "TypeScript"),
    Question("Vue 3 component library", ("vue", "component", "library"), ("ui kit", "design system", "widgets"), "Vue"),
    Question("CLI tool for developers", ("cli", "developers", "tool"), ("terminal", "command line", "shell"), "Go"),
    Question("GraphQL client for React", ("react", "graphql", "client"), ("apollo", "query", "cache"), "TypeScript"),
    Question("Open source CRM", ("open source", "crm"), ("customer relationship", "sales", "contacts"), "PHP"),
)
MARK = "q0000"
"""What a search has in its question, and all that it finds in its name: a cache has nothing for the next mark."""
MATCHING, RELATED, MIN_STARS, MORE_STARS = 40, 10, 60, 1.1
"""Repositories with all keywords of a question, those with each expanded word, the fewest stars, and their growth."""
SENTENCES = (
    "Install it with one command and start from one of the examples in the folder.",
    "The guide explains every option, what it costs, and when another tool is the better choice.",
    "It has no dependencies at run time and is tested on all versions that are still maintained.",
    "Contributions are welcome: open an issue first if the change is larger than a few lines.",
)
SECTIONS = ("Installation", "Usage", "Examples", "API", "Contributing", "License")
README = "# Install\n\nOne command installs it.\n\n## Usage\n\nThe guide explains every option.\n"


def repositories() -> Iterator[dict[str, Any]]:
    """Yield the repositories that answer the questions, and those of the embedded catalogue, with a push of today."""
    for question in QUESTIONS:
        related = ((question.keywords[0], word) for word in question.expanded * RELATED)
        for place, words in enumerate([*[question.keywords] * MATCHING, *related]):
            yield _repository(question, words, place)
    now = datetime.now(UTC).isoformat()
    with closing(open_sample(None)) as catalogue:
        for catalogued in catalogue.repositories():
            yield facts(catalogued) | {"readme": README, "pushed_at": now}


def _repository(question: Question, words: tuple[str, ...], place: int) -> dict[str, Any]:
    name = "-".join((*words[:2], str(place))).replace(" ", "-")
    description = f"{MARK} {' '.join(words)}, number {place} of many: {SENTENCES[place % len(SENTENCES)]}"
    sections = (f"## {section}\n\n{' '.join(SENTENCES)}\n\n```\n{name} {section}\n```\n" for section in SECTIONS)
    today = datetime.now(UTC).date()
    pushed = (today - timedelta(days=2 * place + 1)).isoformat()
    return {
        "full_name": f"invented-{place}-{MARK}/{name}",
        "description": description,
        "language": question.language,
        "topics": [word.replace(" ", "-") for word in question.keywords],
        "readme": "\n".join([f"# {name}\n\n{description}\n", *sections]),
        "pushed_at": pushed,
        **size_facts(round(MIN_STARS * MORE_STARS**place), pushed, today),
    }


def facts(repository: KnownFacts) -> dict[str, Any]:
    """Return what GitHub has of a repository; what is not known keeps the server's default."""
    names = ("full_name", "description", "language", "topics", "stars", "forks", "archived", "license", "homepage")
    dates = ("pushed_at", "created_at", "latest_release_at")
    known = repository.model_dump(mode="json", include={*names, *dates}, exclude_none=True)
    return dict(known)


def completion(body: dict[str, Any]) -> str:
    """Answer as a model would: the words of a question, or how many of them the description of a repository has."""
    prompt: dict[str, Any] = json.loads(body["messages"][1]["content"])
    question = next(question for question in QUESTIONS if prompt["question"].startswith(question.text))
    if "repository" not in prompt:
        return json.dumps({"keywords": [*question.keywords[:2], MARK], "expanded_keywords": question.expanded})
    description = str(prompt["repository"]["description"])
    share = sum(word in description for word in question.keywords) / len(question.keywords)
    reasoning = f"It covers {share:.0%} of what the question names, and its documentation explains how to begin."
    judgement = {"relevance": share, "documentation": 7, "ease_of_use": 8, "reasoning": reasoning}
    return json.dumps({**judgement, "quote": description[:60].rpartition(" ")[0]})
