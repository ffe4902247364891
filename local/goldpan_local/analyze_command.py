"""`goldpan analyze`: looks closely at one repository, and prints what it is like, with the page for each statement."""

import os
from itertools import groupby
from operator import attrgetter
from typing import Annotated

import typer
from goldpan.escaping import escape_markdown
from goldpan.kinds.repositories.analysis.models import Analysis
from goldpan.local import bootstrap, entry_points

from goldpan_local.exit_codes import write_json
from goldpan_local.formats.grid import bar
from goldpan_local.formats.notes import bullet_list, linked, llm_usage, markdown, source_list, table
from goldpan_local.formats.terminal_markdown import write_document
from goldpan_local.formats.values import score
from goldpan_local.lazy_group import command
from goldpan_local.option_values import DOCUMENT_FORMATS, Quiet, format_option, one_of, option
from goldpan_local.progress import cancelling, show_activity

BAR_WIDTH, MAX_SCORE = 20, 10
TITLES = {"fit": "fit to the question"}


@command("analyze", epilog="Example: goldpan analyze pallets/flask --query 'Python web framework'")
def analyze_repository(
    repo: Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A repository, or the address of its page.")],
    query: Annotated[str | None, option("QUESTION", "Say how well it fits this question.", "--query")] = None,
    output_format: Annotated[
        str,
        format_option(
            DOCUMENT_FORMATS, "table, json or markdown, which links each statement to the page that shows it."
        ),
    ] = "table",
    *,
    quiet: Quiet = False,
) -> None:
    """Look closely at one repository: six dimensions, each statement with the page that shows it.

    With GITHUB_TOKEN it takes 6 calls of GitHub, without it 7 of the 60 that GitHub allows in an hour; a new name, or a
    question, takes some more. Known vulnerabilities of dependencies are those of OSV (OSV_URL).

    Exit codes: 0 success, 2 invalid input or no such repository, 3 GitHub failed or out of time, 130 interrupted.
    """
    chosen = one_of("--format", output_format, DOCUMENT_FORMATS)
    activity = show_activity("Looking closely", quiet=quiet)
    with bootstrap.open_runtime(os.environ) as runtime, cancelling(runtime), activity:
        analysis = entry_points.analyze_repository(repo, query, runtime)
    if chosen == "json":
        write_json(analysis.to_json(indent=2))
    else:
        write_document(render_analysis(analysis), chosen)


def render_analysis(analysis: Analysis) -> str:
    """Render the analysis as Markdown; each statement links to the page that shows it."""
    scores = [
        (_title(name), score(value), "unknown" if value is None else bar(value / MAX_SCORE, BAR_WIDTH).plain)
        for name, value in analysis.scores.model_dump().items()
    ]
    blocks = [
        f"# {linked(analysis.repo, analysis.url)}",
        escape_markdown(analysis.description),
        escape_markdown(f"For: {analysis.query}") if analysis.query else "",
        escape_markdown(analysis.reasoning),
        escape_markdown(" ".join(point.text for point in analysis.summary)),
        table(("dimension", "score", "of 10"), scores),
    ]
    for name, statements in groupby(analysis.statements, attrgetter("dimension")):
        listed = [linked(each.statement, each.evidence_url) for each in statements]
        blocks += bullet_list(_title(name).capitalize(), listed)
    blocks += bullet_list("Caveats", [escape_markdown(caveat) for caveat in analysis.caveats])
    blocks += source_list(analysis.sources)
    cached = "; cached" if analysis.cached else ""
    seconds, made = f"{analysis.execution_time_ms / 1000:.1f} s", f"{analysis.analyzed_at:%Y-%m-%d %H:%M} UTC"
    last = escape_markdown(f"Analyzed {made}, {seconds}, {llm_usage(analysis.usage)}{cached}.")
    return markdown([*blocks, last])


def _title(name: str) -> str:
    return TITLES.get(name, name.replace("_", " "))
