"""The handler of scout: one strategy becomes one batch of candidates, with its status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldpan.aws.bootstrap import scout_dependencies
from goldpan.aws.container import make_container
from goldpan.aws.events import ScoutEvent, dump
from goldpan.aws.stages import scout
from goldpan.aws.telemetry import instrumented

CONTAINER = make_container(scout_dependencies)


@instrumented
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Run one strategy."""
    parsed = ScoutEvent.model_validate(event)
    return dump(scout(parsed, CONTAINER.dependencies(warm_up=parsed.refresh)))
