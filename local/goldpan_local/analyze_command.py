"""`goldpan analyze`: looks closely at one repository, and prints what it is like, with the page for each statement."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from goldpan.contracts.validation_errors import suggest
from goldpan.engine.analyses import analyze, parse_analysis_request
from goldpan.engine.dependencies import Runtime
from goldpan.errors import InvalidRequest
from goldpan.escaping import escape_json
from goldpan.kinds.repositories.analysis.models import Analysis
from goldpan.local import bootstrap

from goldpan_local.completion import ANALYSIS_FORMATS
from goldpan_local.exit_codes import require_stdout, write_stdout


def run_analyze(repo: str, query: str | None, output_format: str, environment: Mapping[str, str]) -> None:
    """Analyze a repository and print the analysis. Raises `GoldpanError`."""
    require_stdout()
    chosen = output_format.lower()
    if chosen not in ANALYSIS_FORMATS:
        allowed = f"{', '.join(ANALYSIS_FORMATS)}{suggest(chosen, ANALYSIS_FORMATS)}"
        message = f"--format: {output_format!r} is unknown; allowed: {allowed}"
        raise InvalidRequest(message)
    request = parse_analysis_request({"repo": repo, **({} if query is None else {"query": query})})
    with bootstrap.open_runtime(environment) as runtime:
        analysis: Analysis = _analyze(request, runtime)
    write_stdout(_render(analysis, chosen), "utf-8" if chosen != "table" else sys.stdout.encoding or "utf-8")


def _analyze(request: object, runtime: Runtime) -> Analysis:
    """Analyze, with a line on a terminal that says so; Ctrl-C ends the calls."""
    try:
        if sys.stderr is None or not sys.stderr.isatty():
            analysis: Analysis = analyze(request, runtime.dependencies)
            return analysis
        from rich.console import Console  # noqa: PLC0415 - for a terminal only

        with Console(stderr=True).status("Looking closely"):
            analysis = analyze(request, runtime.dependencies)
    except KeyboardInterrupt:
        runtime.clock.cancel()
        raise
    return analysis


def _render(analysis: Analysis, output_format: str) -> str:
    if output_format == "json":
        return escape_json(analysis.to_json(indent=2)) + "\n"
    if output_format == "markdown":
        from goldpan_local.formats.analysis_markdown import render_analysis_markdown  # noqa: PLC0415 - for this format only

        return render_analysis_markdown(analysis)
    from goldpan_local.formats.analysis_table import render_analysis  # noqa: PLC0415 - imports rich

    return render_analysis(analysis)
