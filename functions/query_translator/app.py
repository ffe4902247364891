"""The door of query_translator: a question becomes search parameters, and the strategies to run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldpan.bootstrap import DEPLOYED_SOURCES, translator_ports
from goldpan.deployment.equipment import equip
from goldpan.deployment.messages import TranslateAsked, Translated, dump
from goldpan.deployment.telemetry import observed
from goldpan.kinds import nodes_of

EQUIPMENT = equip(translator_ports)


@observed
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Translate the question for one kind."""
    asked = TranslateAsked.model_validate(event)
    nodes, ports = nodes_of(asked.kind), EQUIPMENT.ports()
    for kind in asked.request.kinds:
        nodes_of(kind)  # one that cannot be searched ends the search before the others cost anything
    sources = asked.request.sources or DEPLOYED_SOURCES
    translation = nodes.translate(asked.request, sources, ports, asked.deadline(ports.clock))
    return dump(Translated(request=asked.request, translation=translation, ended_at=ports.clock.now()))
