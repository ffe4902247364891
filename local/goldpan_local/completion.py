"""The values of options that a shell completes, and the formats of each command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import typer

Values = Callable[[], Sequence[str]]
FORMATS = ("table", "json", "markdown", "csv", "urls", "compact")
"""The formats of every kind; a kind adds its own."""
ANALYSIS_FORMATS = ("table", "json", "markdown")
COMPARISON_FORMATS = FORMATS[:5]
RUN_FORMATS = ("table", "json", "markdown")
LOG_FORMATS = ("markdown", "json")
DEDUPE_FORMATS = ("json", "bibtex", "jsonl")
LIBRARY_FORMATS = ("table", "json")


def complete_from(values: Values) -> Callable[[str], list[str]]:
    """Make the function that completes a word to the values that begin with it."""

    def complete(incomplete: str) -> list[str]:
        return [value for value in values() if value.startswith(incomplete.lower())]

    return complete


def format_option(formats: Sequence[str], description: str) -> Any:
    """Make the option `--format` of a command, completed to its formats."""
    return typer.Option("--format", metavar="FORMAT", help=description, autocompletion=complete_from(lambda: formats))
