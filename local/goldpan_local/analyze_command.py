"""`goldpan analyze`: looks closely at one repository, and prints what it is like, with the page for each statement."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from goldpan.kinds.repositories.analysis.analyze import analyze, parse_analyze_request
from goldpan.local import bootstrap

from goldpan_local.exit_codes import require_stdout, write_json
from goldpan_local.formats.analysis import render_analysis
from goldpan_local.formats.terminal_markdown import write_document
from goldpan_local.lazy_group import command
from goldpan_local.option_values import DOCUMENT_FORMATS, format_option, one_of, option
from goldpan_local.progress import cancelling, show_activity


@command("analyze", epilog="Example: goldpan analyze pallets/flask --query 'Python web framework'")
def analyze_repository(
    repo: Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A repository, or the address of its page.")],
    query: Annotated[str | None, option("QUESTION", "Say how well it fits this question.", "--query", "-q")] = None,
    output_format: Annotated[
        str,
        format_option(
            DOCUMENT_FORMATS, "table, json or markdown, which links each statement to the page that shows it."
        ),
    ] = "table",
) -> None:
    """Look closely at one repository: six dimensions, each statement with the page that shows it.

    With GITHUB_TOKEN it takes one or two calls of GitHub, without it about a dozen of the 60 that GitHub allows in an
    hour. Known vulnerabilities of dependencies are those of OSV (OSV_URL).

    Exit codes: 0 success, 2 invalid input or no such repository, 3 GitHub failed or out of time, 130 interrupted.
    """
    require_stdout()
    chosen = one_of("--format", output_format, DOCUMENT_FORMATS)
    request = parse_analyze_request({"repo": repo, **({} if query is None else {"query": query})})
    with bootstrap.open_runtime(os.environ) as runtime, cancelling(runtime), show_activity("Looking closely"):
        analysis = analyze(request, runtime.dependencies)
    if chosen == "json":
        write_json(analysis.to_json(indent=2))
    else:
        write_document(render_analysis(analysis), chosen)
