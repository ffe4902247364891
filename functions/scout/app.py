"""The handler of scout: one strategy becomes one batch of candidates, and the requests of a library are answered."""

from collections.abc import Mapping

from goldpan.aws.bootstrap import scout_dependencies
from goldpan.aws.container import make_container
from goldpan.aws.events import LibraryEvent, ScoutEvent, dump, parse_event
from goldpan.aws.stages import library, scout
from goldpan.aws.telemetry import instrumented

CONTAINER = make_container(scout_dependencies)


@instrumented
def handler(event: Mapping[str, object], _context: object) -> dict[str, object]:
    """Run the stage that the event names."""
    match parse_event(event):
        case ScoutEvent() as parsed:
            return dump(scout(parsed, CONTAINER.dependencies(parsed)))
        case LibraryEvent() as parsed:
            return dump(library(parsed, CONTAINER.dependencies))
        case parsed:
            raise ValueError(f"stage: {type(parsed).__name__} is not handled by scout")
