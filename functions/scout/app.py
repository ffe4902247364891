"""The door of scout: one strategy becomes one batch of candidates, with its status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldpan.aws.container import make_container
from goldpan.aws.messages import dump
from goldpan.aws.scout_messages import ScoutAsked
from goldpan.aws.telemetry import observed
from goldpan.bootstrap import scout_ports
from goldpan.kinds.registry import stages_of

CONTAINER = make_container(scout_ports)


@observed
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Run one strategy."""
    asked = ScoutAsked.model_validate(event)
    dependencies = CONTAINER.dependencies().used(warming=asked.refresh)
    return dump(stages_of(asked.kind).scout(asked.task, dependencies, asked.deadline(dependencies.clock)))
