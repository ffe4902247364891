"""The ten named questions, how a language model would translate each, and invented repositories that answer them."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any


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
