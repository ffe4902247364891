"""The command: `goldpan search`, `compare`, `like`, `analyze`, `serve`, `mcp`, `dedupe`, and three groups.

A command imports what it needs when it runs, so that help and usage errors appear at once.
"""

from __future__ import annotations

import os
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import typer

from goldpan_local.completion import ANALYSIS_FORMATS, DEDUPE_FORMATS, format_option
from goldpan_local.exit_codes import exit_on_error, fail_to_write
from goldpan_local.library_commands.app import library_app
from goldpan_local.named_commands import add_named_commands
from goldpan_local.saved.app import saved_app
from goldpan_local.search_options import SearchOptions

app = typer.Typer(
    name="goldpan",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Example: goldpan search React animation library -n 5",
)
catalogue_app = typer.Typer(name="catalogue", help="Build and inspect catalogue files.", rich_markup_mode=None)
app.add_typer(catalogue_app)
app.add_typer(library_app)
app.add_typer(saved_app)
CatalogueOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Search this catalogue file instead of GitHub.")
]


def main() -> None:
    """Run the command."""
    try:
        app(prog_name="goldpan")
    except OSError as error:  # a command names its own; this is stdout, which took no help
        fail_to_write(error)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)] = False,  # noqa: FBT002 - an option
) -> None:
    """Turn a plain-language question into a ranked, explained list of GitHub repositories or papers."""
    if version:
        from goldpan.version import __version__  # noqa: PLC0415

        typer.echo(f"goldpan {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def search(**options: Any) -> None:
    """Search for QUESTION, and print a ranked list of repositories or papers.

    QUESTION is what you are looking for, with or without quotes; - reads it from stdin. Defaults of these options can
    stand in goldpan/config.toml in XDG_CONFIG_HOME (~/.config).

    Exit codes: 0 success, 1 nothing found, 2 invalid input or settings, 3
    sources failed or out of time, 130 interrupted.
    """
    with exit_on_error():
        from goldpan_local.search_command import run_search  # noqa: PLC0415

        code = run_search(SearchOptions(**options), os.environ)
    raise typer.Exit(code)


search.__signature__ = signature(SearchOptions, eval_str=True)  # type: ignore[attr-defined] # typer reads the options there
app.command("search", epilog="Example: goldpan search Rust web framework --source catalogue --format json")(search)


add_named_commands(app)


@app.command("analyze", epilog="Example: goldpan analyze pallets/flask --query 'Python web framework'")
def analyze(
    repo: Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A repository, or the address of its page.")],
    query: Annotated[
        str | None, typer.Option("--query", "-q", metavar="QUESTION", help="Say how well it fits this question.")
    ] = None,
    output_format: Annotated[
        str,
        format_option(
            ANALYSIS_FORMATS, "table, json or markdown, which links each statement to the page that shows it."
        ),
    ] = "table",
) -> None:
    """Look closely at one repository: six dimensions, each statement with the page that shows it.

    With GITHUB_TOKEN it takes one or two calls of GitHub, without it about a dozen of the 60 that GitHub allows in an
    hour. Known vulnerabilities of dependencies are those of OSV (OSV_URL).

    Exit codes: 0 success, 2 invalid input or no such repository, 3 GitHub failed or out of time, 130 interrupted.
    """
    with exit_on_error():
        from goldpan_local.analyze_command import run_analyze  # noqa: PLC0415

        run_analyze(repo, query, output_format, os.environ)


@app.command("mcp", epilog="Example: claude mcp add goldpan -- goldpan mcp")
def mcp() -> None:
    """Offer the searches to an agent, over the Model Context Protocol on standard input and output.

    Needs the extra `mcp`. The environment has the same keys as for a search.
    """
    with exit_on_error():
        from goldpan_local.agents.start import run  # noqa: PLC0415

        run(os.environ)


@app.command("serve", epilog="Example: goldpan serve --port 8080")
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 for all addresses of this machine.")
    ] = "127.0.0.1",
    port: Annotated[str, typer.Option(metavar="N", help="0 selects a free port.")] = "8080",
    catalogue: CatalogueOption = None,
    max_searches: Annotated[
        str,
        typer.Option("--at-once", metavar="N", help="Limit of concurrent searches; others wait 2 s, then get 503."),
    ] = "16",
) -> None:
    """Answer over HTTP, and show the page at /.

    POST /search, /compare, /like, /analyze-repo, /library/search, /library/chunks; GET /search?q=..., /docs,
    /openapi.json, /health.

    If GOLDPAN_API_KEYS is set (comma-separated), every search needs one of these keys in the header x-api-key.
    GOLDPAN_CORS_ORIGINS names the origins whose pages may search, GOLDPAN_ALLOWED_HOSTS further names of this server.
    """
    with exit_on_error():
        from goldpan_local.option_values import whole_number  # noqa: PLC0415
        from goldpan_local.server.http_server import run_server  # noqa: PLC0415

        at_once = whole_number("--at-once", max_searches, 1, 1000)
        run_server(host, whole_number("--port", port, 0, 65_535), catalogue, at_once)


@app.command("dedupe", epilog="Example: goldpan dedupe library.bib --format bibtex --output clean.bib")
def dedupe(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines or BibTeX, may be a .gz file; - is stdin.")],
    output_format: Annotated[
        str | None,
        format_option(
            DEDUPE_FORMATS,
            "json (default; the groups), jsonl (a merged record a line) or bibtex (the cleaned bibliography).",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here instead of to stdout.")
    ] = None,
) -> None:
    """Find the records of FILE that are the same paper, and merge them.

    Fields of a record: id, title, authors (a list, or a text), year, venue, doi, arxiv, pmid, pmcid, openalex,
    semantic_scholar, corpus, google_scholar, url, pdf_url, abstract, type, citations, open_access, source. A record
    without an id is named by its line.
    """
    with exit_on_error():
        from goldpan_local.dedupe.command import run_dedupe  # noqa: PLC0415

        run_dedupe(file, output_format, output)


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
    with exit_on_error():
        from goldpan.local.bootstrap import make_encoder  # noqa: PLC0415

        from goldpan_local.catalogue_commands import build_file  # noqa: PLC0415

        build_file(source, target, title or f"the catalogue {target.stem}", make_encoder(os.environ), force=force)


@catalogue_app.command("info", epilog="Example: goldpan catalogue info repositories.sqlite")
def info(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A catalogue file. Default: the embedded sample.")
    ] = None,
) -> None:
    """Show what a catalogue contains."""
    with exit_on_error():
        from goldpan_local.catalogue_commands import print_info  # noqa: PLC0415

        print_info(file)
