"""The command: `goldpan search`, `goldpan serve`, `goldpan catalogue build` and `goldpan catalogue info`.

A command imports what it needs when it runs, so that help and usage errors appear at once.
"""

from __future__ import annotations

import os
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="goldpan",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog='Example: goldpan search "React animation library" --max-results 5',
)
catalogue_app = typer.Typer(name="catalogue", help="Build and inspect catalogue files.", rich_markup_mode=None)
app.add_typer(catalogue_app)
CatalogueOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Search this catalogue file instead of GitHub.")
]


class Format(StrEnum):
    """The output formats of an answer."""

    table = "table"
    json = "json"
    markdown = "markdown"


def main() -> None:
    """Run the command."""
    app(prog_name="goldpan")


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)] = False,  # noqa: FBT002 - an option
) -> None:
    """Turn a plain-language question into a ranked, explained list of GitHub repositories."""
    if version:
        from goldpan import __version__  # noqa: PLC0415

        typer.echo(f"goldpan {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("search", epilog='Example: goldpan search "Rust web framework" --source catalogue --format json')
def search(  # noqa: PLR0913, PLR0917 - one argument an option
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you are looking for, in quotes.")],
    kind: Annotated[list[str] | None, typer.Option(help="What to find; repeatable. Default: repositories.")] = None,
    mode: Annotated[str | None, typer.Option(help="focused, balanced (default) or exploratory.")] = None,
    max_results: Annotated[str | None, typer.Option(metavar="1-25", help="Number of results. Default: 10.")] = None,
    max_seconds: Annotated[str | None, typer.Option(metavar="5-27", help="Time limit. Default: 25.")] = None,
    max_llm_calls: Annotated[
        str | None, typer.Option(metavar="0-60", help="Limit of language model calls. Default: 40.")
    ] = None,
    language: Annotated[str | None, typer.Option(metavar="NAME", help="Only this language, such as Rust.")] = None,
    license_name: Annotated[
        str | None, typer.Option("--license", metavar="SPDX", help="Only this licence: MIT, ..., permissive, copyleft.")
    ] = None,
    min_stars: Annotated[str | None, typer.Option(metavar="N", help="At least so many stars.")] = None,
    max_stars: Annotated[str | None, typer.Option(metavar="N", help="At most so many stars.")] = None,
    pushed_since: Annotated[str | None, typer.Option(metavar="DAY", help="Pushed on this day or later.")] = None,
    created_since: Annotated[str | None, typer.Option(metavar="DAY", help="Created on this day or later.")] = None,
    topic: Annotated[list[str] | None, typer.Option(help="Only with this topic; repeatable.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Nothing that is this; repeatable.")] = None,
    sort: Annotated[str | None, typer.Option(help="relevance (default), stars, pushed or overall.")] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Leave out this entry of the JSON answer's interpretation; repeatable."),
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            help="github or catalogue; repeatable; no fallback. Default: github, with the sample as fallback."
        ),
    ] = None,
    catalogue: CatalogueOption = None,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON or TOML file with overrides; null (JSON) switches a rule off."),
    ] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Search again even if the answer is cached.")] = False,  # noqa: FBT002
    output_format: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.table,
    details: Annotated[bool, typer.Option("--details", help="Show licence, push, topics, homepage.")] = False,  # noqa: FBT002
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress on stderr.")] = False,  # noqa: FBT002
) -> None:
    """Search, and print a ranked list of repositories.

    Exit codes: 0 success, 1 nothing found, 2 invalid input or settings, 3 sources failed or out of time,
    130 interrupted.
    """
    options = {"query": question, "kinds": kind, "mode": mode, "sources": source}
    options |= {"max_results": max_results, "max_seconds": max_seconds, "max_llm_calls": max_llm_calls}
    options |= {"sort": sort, "ignore": ignore}
    filters: dict[str, object] = {"language": language, "license": license_name, "topics": topic, "exclude": exclude}
    filters |= {"min_stars": min_stars, "max_stars": max_stars}
    filters |= {"pushed_since": pushed_since, "created_since": created_since}
    from goldpan_local.exit_codes import exit_on_error  # noqa: PLC0415

    with exit_on_error():
        from goldpan.engine.search import get_or_search  # noqa: PLC0415

        from goldpan_local.bootstrap import open_runtime  # noqa: PLC0415
        from goldpan_local.progress import show_progress  # noqa: PLC0415
        from goldpan_local.search_command import print_answer, read_request  # noqa: PLC0415

        request = read_request(options, filters, config)
        runtime = open_runtime(os.environ, request.sources, catalogue)
        try:
            with nullcontext() if quiet else show_progress() as on_event:
                answer = get_or_search(request, runtime, refresh=refresh, on_event=on_event)
        except KeyboardInterrupt:
            runtime.clock.cancel()
            raise
        code = print_answer(answer, output_format.value, details=details)
    raise typer.Exit(code)


@app.command("serve", epilog="Example: goldpan serve --port 8080")
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 for all addresses of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 selects a free port.")] = 8080,
    catalogue: CatalogueOption = None,
    max_searches: Annotated[
        int,
        typer.Option("--at-once", min=1, max=1000, metavar="N", help="Limit of concurrent searches; beyond it: 503."),
    ] = 64,
) -> None:
    """Answer over HTTP: POST /search, GET /search?q=..., /docs, /openapi.json, /health.

    If GOLDPAN_API_KEYS is set (comma-separated), every search needs one of these keys in the header x-api-key.
    GOLDPAN_CORS_ORIGINS names the origins whose pages may search, GOLDPAN_ALLOWED_HOSTS further names of this server.
    """
    from goldpan_local.exit_codes import exit_on_error  # noqa: PLC0415

    with exit_on_error():
        from goldpan_local.server.http_server import run_server  # noqa: PLC0415

        run_server(host, port, catalogue, max_searches)


@catalogue_app.callback(invoke_without_command=True)
def catalogue_help(context: typer.Context) -> None:
    """Build and inspect catalogue files."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@catalogue_app.command("build", epilog="Example: goldpan catalogue build repositories.jsonl.gz repositories.sqlite")
def build(
    source: Annotated[Path, typer.Argument(metavar="IN", help="JSON Lines, one repository a line; may be a .gz file.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The catalogue file to write.")],
    title: Annotated[str | None, typer.Option(help='How answers name it. Default: "the catalogue OUT".')] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite OUT if it exists.")] = False,  # noqa: FBT002 - an option
) -> None:
    """Build a catalogue file for `goldpan search --catalogue`."""
    from goldpan_local.exit_codes import exit_on_error  # noqa: PLC0415

    with exit_on_error():
        from goldpan_local.bootstrap import make_encoder  # noqa: PLC0415
        from goldpan_local.catalogue_commands import build_file  # noqa: PLC0415

        build_file(source, target, title or f"the catalogue {target.stem}", make_encoder(os.environ), force=force)


@catalogue_app.command("info", epilog="Example: goldpan catalogue info repositories.sqlite")
def info(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A catalogue file. Default: the embedded sample.")
    ] = None,
) -> None:
    """Show what a catalogue contains."""
    from goldpan_local.exit_codes import exit_on_error  # noqa: PLC0415

    with exit_on_error():
        from goldpan_local.catalogue_commands import print_info  # noqa: PLC0415

        print_info(file)
