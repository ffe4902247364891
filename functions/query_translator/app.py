"""The door of query_translator: a question becomes search parameters; and before that, whose turn it is to search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldpan.bootstrap import DEPLOYED_SOURCES, translator_ports
from goldpan.deployment.equipment import equip
from goldpan.deployment.messages import dump
from goldpan.deployment.telemetry import observed
from goldpan.deployment.translator_messages import BeginAsked, Translated, read_translator_asked
from goldpan.deployment.turns import begin
from goldpan.kinds import nodes_of

EQUIPMENT = equip(translator_ports)


@observed
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Tell whose turn it is, or translate the question for one kind."""
    asked, ports = read_translator_asked(event), EQUIPMENT.ports()
    if isinstance(asked, BeginAsked):
        return dump(begin(asked, ports))
    nodes = nodes_of(asked.kind)
    for kind in asked.request.kinds:
        nodes_of(kind)  # one that cannot be searched ends the search before the others cost anything
    sources = asked.request.sources or DEPLOYED_SOURCES
    translation = nodes.translate(asked.request, sources, ports, asked.deadline(ports.clock))
    return dump(Translated(request=asked.request, translation=translation, ended_at=ports.clock.now()))
