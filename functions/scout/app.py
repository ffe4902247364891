"""The door of scout: one strategy becomes one batch of candidates, with its status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldpan.bootstrap import scout_ports
from goldpan.deployment.equipment import equip
from goldpan.deployment.messages import dump
from goldpan.deployment.scout_messages import ScoutAsked
from goldpan.deployment.telemetry import observed
from goldpan.kinds import nodes_of

EQUIPMENT = equip(scout_ports)


@observed
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Run one strategy."""
    asked = ScoutAsked.model_validate(event)
    ports = EQUIPMENT.ports().used(warming=asked.refresh)
    return dump(nodes_of(asked.kind).scout(asked.task, ports, asked.deadline(ports.clock)))
