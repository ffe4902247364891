"""The handler of query_translator: decide which execution searches, and translate the question for one kind."""

from collections.abc import Mapping

from goldpan.aws.bootstrap import translator_dependencies
from goldpan.aws.container import make_container
from goldpan.aws.events import BeginEvent, TranslateEvent, dump, parse_event
from goldpan.aws.stages import begin, translate
from goldpan.aws.telemetry import instrumented

CONTAINER = make_container(translator_dependencies)


@instrumented
def handler(event: Mapping[str, object], _context: object) -> dict[str, object]:
    """Run the stage that the event names."""
    match parse_event(event):
        case BeginEvent() as parsed:
            return dump(begin(parsed, CONTAINER.dependencies()))
        case TranslateEvent() as parsed:
            return dump(translate(parsed, CONTAINER.dependencies(parsed)))
        case parsed:
            raise ValueError(f"stage: {type(parsed).__name__} is not handled by query_translator")
