"""The handler of screener: shortlist, score, rank, assemble; and analyze, straight from the gateway."""

from collections.abc import Mapping

from goldpan.aws import events, stages
from goldpan.aws.assembly import assemble
from goldpan.aws.bootstrap import screener_dependencies
from goldpan.aws.container import make_container
from goldpan.aws.telemetry import instrumented

CONTAINER = make_container(screener_dependencies)


@instrumented
def handler(event: Mapping[str, object], _context: object) -> dict[str, object]:
    """Run the stage that the event names."""
    match events.parse_event(event):
        case events.ShortlistEvent() as parsed:
            return events.dump(stages.shortlist(parsed, CONTAINER.dependencies(warm_up=parsed.refresh)))
        case events.ScoreEvent() as parsed:
            return events.dump(stages.score(parsed, CONTAINER.dependencies()))
        case events.RankEvent() as parsed:
            return events.dump(stages.rank(parsed, CONTAINER.dependencies))
        case events.FailEvent() as parsed:
            return events.dump(stages.fail(parsed))
        case events.AssembleEvent() as parsed:
            return events.dump(assemble(parsed, CONTAINER.dependencies))
        case events.AnalyzeEvent() as parsed:
            return events.dump(stages.analyze(parsed, CONTAINER.dependencies))
        case parsed:
            raise ValueError(f"stage: {type(parsed).__name__} is not handled by screener")
