"""The arguments and options of `goldpan search`, one field each; None is one that was not given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from goldpan_local.completion import (
    FORMATS,
    complete_from,
    format_option,
    formats,
    kinds,
    modes,
    paper_types,
    projects,
    sorts,
    sources,
)

Texts = list[str] | None
Flag = bool | None
_FORMATS = f"table (default), {', '.join(FORMATS[1:])} or one of a kind, such as bibtex and csl-json."


@dataclass(frozen=True)
class SearchOptions:
    """What was typed; the request that it makes checks the values."""

    question: Annotated[Texts, typer.Argument(metavar="QUESTION", hidden=True)] = None
    """Hidden, because the help would give its type, `list[str]`; the help of the command describes it."""
    max_results: Annotated[
        str | None, typer.Option("--max-results", "-n", metavar="1-25", help="Number of results. Default: 10.")
    ] = None
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="MODE", help="focused, balanced (default) or exploratory.", autocompletion=complete_from(modes)
        ),
    ] = None
    sort: Annotated[
        str | None,
        typer.Option(
            metavar="ORDER",
            help="relevance (default); repositories: stars, pushed or overall; papers: citations or year.",
            autocompletion=complete_from(sorts),
        ),
    ] = None
    language: Annotated[str | None, typer.Option(metavar="NAME", help="Only this language, such as Rust.")] = None
    license: Annotated[
        str | None, typer.Option(metavar="SPDX", help="Only this licence: MIT, ..., permissive, copyleft.")
    ] = None
    min_stars: Annotated[str | None, typer.Option(metavar="N", help="At least so many stars.")] = None
    max_stars: Annotated[str | None, typer.Option(metavar="N", help="At most so many stars.")] = None
    pushed_since: Annotated[str | None, typer.Option(metavar="DAY", help="Pushed on this day or later.")] = None
    created_since: Annotated[str | None, typer.Option(metavar="DAY", help="Created on this day or later.")] = None
    topic: Annotated[Texts, typer.Option(metavar="TOPIC", help="Only with this topic; repeatable.")] = None
    year: Annotated[str | None, typer.Option(metavar="YEARS", help="Papers: 2020, 2020..2024, 2020.. or ..2024.")] = (
        None
    )
    venue: Annotated[
        Texts, typer.Option(metavar="NAME", help="Papers: only in one of these journals or conferences; repeatable.")
    ] = None
    author: Annotated[
        Texts, typer.Option(metavar="NAME", help="Papers: only by this author; repeatable for several of a paper.")
    ] = None
    type: Annotated[
        Texts,
        typer.Option(
            metavar="TYPE",
            help="Papers: only of this type, such as review or preprint; repeatable.",
            autocompletion=complete_from(paper_types),
        ),
    ] = None
    open_access: Annotated[
        Flag, typer.Option("--open-access/--no-open-access", help="Papers: only those that are (not) free to read.")
    ] = None
    exclude: Annotated[Texts, typer.Option(metavar="NAME", help="Nothing that is this; repeatable.")] = None
    ignore: Annotated[
        Texts, typer.Option(metavar="ID", help="Leave out this entry of the JSON answer's interpretation; repeatable.")
    ] = None
    source: Annotated[
        Texts,
        typer.Option(
            metavar="NAME",
            help="github, catalogue, library or a source of papers; repeatable; no fallback. Default: all configured.",
            autocompletion=complete_from(sources),
        ),
    ] = None
    project: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Papers: search your library of this project too.",
            autocompletion=complete_from(projects),
        ),
    ] = None
    library_only: Annotated[
        Flag,
        typer.Option(
            "--library-only/--no-library-only", help="Papers: search that library alone. Default project: default."
        ),
    ] = None
    catalogue: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Search this catalogue file instead of GitHub.")
    ] = None
    kind: Annotated[
        Texts,
        typer.Option(
            metavar="KIND",
            help="repositories (default) or papers; repeatable for both.",
            autocompletion=complete_from(kinds),
        ),
    ] = None
    refine: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="In place of QUESTION: search for papers as the last time, but so, as in `fewer surveys`.",
        ),
    ] = None
    save: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Save the search; `goldpan saved run NAME` tells what is new since."),
    ] = None
    max_seconds: Annotated[str | None, typer.Option(metavar="5-27", help="Time limit. Default: 25.")] = None
    max_llm_calls: Annotated[
        str | None, typer.Option(metavar="0-60", help="Limit of language model calls. Default: 40.")
    ] = None
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON or TOML file with overrides; null (JSON) switches a rule off."),
    ] = None
    refresh: Annotated[Flag, typer.Option("--refresh", help="Search again even if the answer is cached.")] = None
    format: Annotated[str | None, format_option(formats, _FORMATS)] = None
    details: Annotated[Flag, typer.Option("--details/--no-details", help="Show licence, push, topics, homepage.")] = (
        None
    )
    compact: Annotated[
        Flag,
        typer.Option(
            "--compact/--no-compact", help="One line a result. Default: if the table is longer than the terminal."
        ),
    ] = None
    pager: Annotated[
        Flag, typer.Option("--pager/--no-pager", help="Page what is longer than the terminal. Default: --pager.")
    ] = None
    open: Annotated[str | None, typer.Option(metavar="N", help="Open result N in the browser.")] = None
    quiet: Annotated[
        Flag, typer.Option("--quiet/--no-quiet", "-q", help="Show no progress on a terminal's stderr.")
    ] = None
