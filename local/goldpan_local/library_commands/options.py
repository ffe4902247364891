"""The arguments and options of the commands of a library."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from goldpan_local.completion import LIBRARY_FORMATS, complete_from, format_option

Texts = list[str] | None


def projects() -> list[str]:
    """Return the projects of this machine, for completion."""
    from goldpan.errors import Misconfigured  # noqa: PLC0415
    from goldpan.local.library_places import library_files  # noqa: PLC0415

    try:
        return [path.stem for path in library_files(os.environ)]
    except Misconfigured:
        return []


Project = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="The project, 1 to 64 of a-z, 0-9 and -.", autocompletion=complete_from(projects)
    ),
]
Words = Annotated[list[str] | None, typer.Argument(metavar="QUERY", hidden=True)]
"""Hidden, because the help would give its type, `list[str]`; the help of the command describes it."""
Query = Annotated[str | None, typer.Option("--query", metavar="QUERY", help="The query, in place of QUERY.")]
OutputFormat = Annotated[str, format_option(LIBRARY_FORMATS, "table (default) or json.")]
ImportPath = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        help="An index such as papers.json, JSON Lines, BibTeX, a note (.md, .txt), or a folder of these.",
    ),
]
ProjectToSearch = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Search this project.", autocompletion=complete_from(projects)),
]


@dataclass(frozen=True)
class LibrarySearchOptions:
    """What was typed after `goldpan library search`; None is an option that was not given."""

    words: Words = None
    query: Query = None
    project: ProjectToSearch = None
    data_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Search DIR/index/papers.json, without an import.")
    ] = None
    limit: Annotated[str, typer.Option("--limit", "-n", metavar="N", help="Number of results, 1 to 1000.")] = "10"
    year: Annotated[str | None, typer.Option(metavar="YEARS", help="Only of 2020, 2020..2024, 2020.. or ..2024.")] = (
        None
    )
    author: Annotated[Texts, typer.Option(metavar="NAME", help="Only by this author; repeatable.")] = None
    venue: Annotated[Texts, typer.Option(metavar="NAME", help="Only in one of these venues; repeatable.")] = None
    tag: Annotated[Texts, typer.Option(metavar="TAG", help="Only with this tag; repeatable.")] = None
    output_format: OutputFormat = "table"
