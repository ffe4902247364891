"""Analyses on demand, of one result of the kind that offers them, whatever that is."""

from __future__ import annotations

from typing import Any

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import OutOfTime
from goldpan.kinds.registry import analyzer

ANALYSIS_SECONDS = 25.0
"""How long an analysis may take on one machine; a function on AWS has less."""


def parse_analysis_request(fields: object) -> Any:
    """Parse a request from plain data, as the kind defines it. Raises `InvalidRequest`."""
    return analyzer().parse(fields)


def analyze(request: Any, dependencies: Dependencies, deadline: Deadline | None = None) -> Any:
    """Analyze; without a deadline, within `ANALYSIS_SECONDS` from now. Raises `TerminalError`."""
    until = deadline or Deadline.after(ANALYSIS_SECONDS, dependencies.clock)
    if not until.left:
        raise OutOfTime("no time was left for the analysis")
    return analyzer().analyze(request, dependencies, until)
