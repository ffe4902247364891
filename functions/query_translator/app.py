"""The door of query_translator: a question becomes search parameters; and before that, whose turn it is to search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldpan.aws.container import make_container
from goldpan.aws.messages import dump
from goldpan.aws.telemetry import observed
from goldpan.aws.translator_messages import BeginAsked, Translated, read_translator_asked
from goldpan.aws.turns import begin
from goldpan.bootstrap import DEPLOYED_SOURCES, translator_ports
from goldpan.kinds.registry import stages_of

CONTAINER = make_container(translator_ports)


@observed
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Tell whose turn it is, or translate the question for one kind."""
    asked, dependencies = read_translator_asked(event), CONTAINER.dependencies()
    if isinstance(asked, BeginAsked):
        return dump(begin(asked, dependencies))
    nodes = stages_of(asked.kind)
    for kind in asked.request.kinds:
        stages_of(kind)  # one that cannot be searched ends the search before the others cost anything
    sources = asked.request.sources or DEPLOYED_SOURCES
    translation = nodes.translate(asked.request, sources, dependencies, asked.deadline(dependencies.clock))
    return dump(Translated(request=asked.request, translation=translation, ended_at=dependencies.clock.now()))
