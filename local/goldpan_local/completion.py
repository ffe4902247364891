"""The values of options that a shell completes; a list of the contract is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

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


def formats() -> Sequence[str]:
    """Return the formats of an answer, with those that hold one kind alone."""
    from goldpan_local.presentations import export_formats  # noqa: PLC0415

    return (*FORMATS, *export_formats())


def complete_from(values: Values) -> Callable[[str], list[str]]:
    """Make the function that completes a word to the values that begin with it."""

    def complete(incomplete: str) -> list[str]:
        return [value for value in values() if value.startswith(incomplete.lower())]

    return complete


def format_option(allowed: Sequence[str] | Values, description: str) -> Any:
    """Make the option `--format` of a command, completed to its formats."""
    values: Values = allowed if callable(allowed) else lambda: allowed
    return typer.Option("--format", metavar="FORMAT", help=description, autocompletion=complete_from(values))


def kinds() -> Sequence[str]:
    """Return what can be searched for."""
    from goldpan.kinds.registry import kind_names  # noqa: PLC0415

    return kind_names()


def sources() -> Sequence[str]:
    """Return the sources that can be queried."""
    from goldpan.kinds.registry import source_names  # noqa: PLC0415

    return source_names()


def projects() -> Sequence[str]:
    """Return the projects of this machine."""
    from goldpan_local.library_commands.options import projects as of_this_machine  # noqa: PLC0415

    return of_this_machine()


def modes() -> Sequence[str]:
    """Return the modes of a search."""
    from goldpan.contracts import Mode  # noqa: PLC0415

    return get_args(Mode)


def sorts() -> Sequence[str]:
    """Return the orders of results."""
    from goldpan.kinds.registry import all_kinds  # noqa: PLC0415

    return tuple(dict.fromkeys(order for kind in all_kinds() for order in kind.sorts))


def paper_types() -> Sequence[str]:
    """Return what a paper can be."""
    from goldpan.kinds.papers.constraints import PaperType  # noqa: PLC0415

    return get_args(PaperType)
