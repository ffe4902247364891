"""The handler of screener: shortlist, score, rank, assemble, combine; and analyze, straight from the gateway."""

from collections.abc import Mapping
from functools import partial

from goldpan.aws import events, stages
from goldpan.aws.assembly import assemble, combine
from goldpan.aws.bootstrap import screener_dependencies
from goldpan.aws.container import make_container
from goldpan.aws.telemetry import instrumented
from pydantic import BaseModel

CONTAINER = make_container(screener_dependencies)


@instrumented
def handler(event: Mapping[str, object], _context: object) -> dict[str, object]:
    """Run the stage that the event names."""
    result: BaseModel
    match events.parse_event(event):
        case events.ShortlistEvent() as parsed:
            result = stages.shortlist(parsed, CONTAINER.dependencies(parsed))
        case events.ScoreEvent() as parsed:
            result = stages.score(parsed, CONTAINER.dependencies(parsed))
        case events.RankEvent() as parsed:
            result = stages.rank(parsed, CONTAINER.try_dependencies())
        case events.FailEvent() as parsed:
            result = stages.fail(parsed)
        case events.AssembleEvent() as parsed:
            result = assemble(parsed, CONTAINER.try_dependencies())
        case events.CombineEvent() as parsed:
            result = combine(parsed, CONTAINER.try_dependencies())
        case events.AnalyzeEvent() as parsed:
            result = stages.analyze(parsed, partial(CONTAINER.dependencies, parsed))
        case parsed:
            raise ValueError(f"stage: {type(parsed).__name__} is not handled by screener")
    return events.dump(result)
