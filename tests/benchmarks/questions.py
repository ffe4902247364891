"""The ten questions of the latency benchmark, and how a language model would read each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """A question, how a language model would read it, and the language of the repositories that answer it."""

    text: str
    keywords: tuple[str, ...]
    expanded: tuple[str, ...]
    language: str
    topics: tuple[str, ...]


_ROWS = """
React animation library  | react, animation, library      | motion, transition, spring       | TypeScript | react, animation
Rust web framework       | rust, web, framework           | http, router, server             | Rust       | rust, web
Python ML tool           | python, machine learning, tool | deep learning, training, model   | Python     | python, machine-learning
Svelte drag and drop     | svelte, drag and drop          | sortable, dnd, reorder           | TypeScript | svelte, drag-and-drop
Go microservices         | go, microservices              | rpc, service mesh, distributed   | Go         | go, microservices
TypeScript ORM           | typescript, orm                | database, query builder, sql     | TypeScript | typescript, orm
Vue 3 component library  | vue, component, library        | ui kit, design system, widgets   | Vue        | vue, components
CLI tool for developers  | cli, developers, tool          | terminal, command line, shell    | Go         | cli, developer-tools
GraphQL client for React | react, graphql, client         | apollo, query, cache             | TypeScript | react, graphql
Open source CRM          | open source, crm               | customer relationship, sales, contacts | PHP  | crm, open-source
"""  # noqa: E501 - a table is easier to read in rows


def _question(row: str) -> Question:
    text, keywords, expanded, language, topics = (cell.strip() for cell in row.split("|"))
    words = (tuple(cell.split(", ")) for cell in (keywords, expanded, topics))
    first, second, third = words
    return Question(text, first, second, language, third)


QUESTIONS = tuple(_question(row) for row in _ROWS.strip().splitlines())
