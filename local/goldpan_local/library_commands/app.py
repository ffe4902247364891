"""The commands `goldpan library import`, `search`, `chunks`, `list`, `remove` and `push`."""

from __future__ import annotations

import os
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import typer

from goldpan_local.exit_codes import exit_on_error
from goldpan_local.library_commands.options import (
    ImportPath,
    LibrarySearchOptions,
    OutputFormat,
    Project,
    ProjectToSearch,
    Query,
    Words,
)

library_app = typer.Typer(
    name="library", help="Search your own papers and notes.", rich_markup_mode=None, no_args_is_help=False
)


@library_app.callback(invoke_without_command=True)
def library_help(context: typer.Context) -> None:
    """Import your own papers and notes, and search them."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@library_app.command("import", epilog="Example: goldpan library import ~/papers --project thesis")
def import_files(path: ImportPath, project: Project = "default") -> None:
    """Import PATH into a project; again, to read what changed since.

    The name of a file determines its format: .json, .jsonl, .ndjson, .bib, .bibtex, .md, .markdown, .txt,
    also with .gz. The papers of a file that is gone from a folder are removed.
    """
    with exit_on_error():
        from goldpan_local.library_commands.import_command import run_import  # noqa: PLC0415

        code = run_import(path, project, os.environ)
    raise typer.Exit(code)


def search(**options: Any) -> None:
    """Search for the words of QUERY, with or without quotes, and print the papers that have them, best first.

    In QUERY, "two words" is a phrase, AND, OR, NOT and -word combine, and trans* is the beginning of a word. Searched
    is the project "default"; if there is none, data/index/papers.json.

    Exit codes: 0 success, 1 nothing found, 2 invalid input, or nothing was imported yet.
    """
    with exit_on_error():
        from goldpan_local.library_commands.search_command import run_search  # noqa: PLC0415

        code = run_search(LibrarySearchOptions(**options), os.environ)
    raise typer.Exit(code)


search.__signature__ = signature(LibrarySearchOptions, eval_str=True)  # type: ignore[attr-defined] # typer reads the options there
library_app.command("search", epilog="Example: goldpan library search attention mechanisms --year 2017.. -n 5")(search)


@library_app.command("chunks", epilog="Example: goldpan library chunks how does self-attention scale -k 3")
def chunks(
    words: Words = None,
    query: Query = None,
    project: ProjectToSearch = None,
    count: Annotated[str, typer.Option("-k", metavar="N", help="Number of passages, 1 to 100.")] = "5",
    output_format: OutputFormat = "table",
) -> None:
    """Print the passages that answer QUERY best, with their citations: to ground an answer in them.

    Without --project, those of all projects. Exit codes: as those of `goldpan library search`.
    """
    with exit_on_error():
        from goldpan_local.library_commands.chunks_command import AskedChunks, run_chunks  # noqa: PLC0415

        code = run_chunks(AskedChunks(words, query, project, count, output_format), os.environ)
    raise typer.Exit(code)


@library_app.command("list")
def list_projects() -> None:
    """List the projects: papers, size, and when they changed last."""
    with exit_on_error():
        from goldpan_local.library_commands.projects import print_projects  # noqa: PLC0415

        print_projects(os.environ)


@library_app.command("remove", epilog="Example: goldpan library remove ~/papers/old.bib --project thesis")
def remove(
    project: Project,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="Only what was imported from this file or folder. Default: the project."),
    ] = None,
) -> None:
    """Remove a project, or what was imported into it from PATH; the files at PATH stay as they are."""
    with exit_on_error():
        from goldpan_local.library_commands.projects import remove_papers  # noqa: PLC0415

        remove_papers(project, path, os.environ)


@library_app.command("push", epilog="Example: goldpan library push --project thesis --stack goldpan")
def push(
    project: Project = "default",
    bucket: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The bucket. Default: GOLDPAN_LIBRARY_BUCKET, or that of the stack."),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The table of the cache. Default: GOLDPAN_CACHE_TABLE, or that of the stack."
        ),
    ] = None,
    stack: Annotated[str, typer.Option(metavar="NAME", help="The deployment on AWS.")] = "goldpan",
) -> None:
    """Put a project into the bucket of a deployment on AWS, where searches read it from then on.

    Credentials and the region are those of the AWS CLI. It needs boto3, the extra `aws`.
    """
    with exit_on_error():
        from goldpan_local.library_commands.push_command import run_push  # noqa: PLC0415

        run_push(project, os.environ, bucket=bucket, table=table, stack=stack)
