"""The ten questions of the latency benchmark, and how a model would read each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """A question, how a model would read it, and the language that repositories for it are written in."""

    text: str
    keywords: tuple[str, ...]
    expanded: tuple[str, ...]
    language: str
    topics: tuple[str, ...]


QUESTIONS = (
    Question(
        "React animation library",
        ("react", "animation", "library"),
        ("motion", "transition", "spring"),
        "TypeScript",
        ("react", "animation"),
    ),
    Question("Rust web framework", ("rust", "web", "framework"), ("http", "router", "server"), "Rust", ("rust", "web")),
    Question(
        "Python ML tool",
        ("python", "machine learning", "tool"),
        ("deep learning", "training", "model"),
        "Python",
        ("python", "machine-learning"),
    ),
    Question(
        "Svelte drag and drop",
        ("svelte", "drag and drop"),
        ("sortable", "dnd", "reorder"),
        "TypeScript",
        ("svelte", "drag-and-drop"),
    ),
    Question(
        "Go microservices",
        ("go", "microservices"),
        ("rpc", "service mesh", "distributed"),
        "Go",
        ("go", "microservices"),
    ),
    Question(
        "TypeScript ORM",
        ("typescript", "orm"),
        ("database", "query builder", "sql"),
        "TypeScript",
        ("typescript", "orm"),
    ),
    Question(
        "Vue 3 component library",
        ("vue", "component", "library"),
        ("ui kit", "design system", "widgets"),
        "Vue",
        ("vue", "components"),
    ),
    Question(
        "CLI tool for developers",
        ("cli", "developers", "tool"),
        ("terminal", "command line", "shell"),
        "Go",
        ("cli", "developer-tools"),
    ),
    Question(
        "GraphQL client for React",
        ("react", "graphql", "client"),
        ("apollo", "query", "cache"),
        "TypeScript",
        ("react", "graphql"),
    ),
    Question(
        "Open source CRM",
        ("open source", "crm"),
        ("customer relationship", "sales", "contacts"),
        "PHP",
        ("crm", "open-source"),
    ),
)
