"""The handler of screener: shortlist, score, rank, assemble; and analyze, straight from the gateway."""

from __future__ import annotations

from collections.abc import Mapping

from goldpan.aws.bootstrap import screener_dependencies
from goldpan.aws.container import make_container
from goldpan.aws.events import AnalyzeEvent, AssembleEvent, RankEvent, ScoreEvent, ShortlistEvent, dump, parse_event
from goldpan.aws.stages import analyze, assemble, rank, score, shortlist
from goldpan.aws.telemetry import instrumented

CONTAINER = make_container(screener_dependencies)


@instrumented
def handler(event: Mapping[str, object], _context: object) -> dict[str, object]:
    """Run the stage that the event names."""
    match parse_event(event):
        case ShortlistEvent() as parsed:
            return dump(shortlist(parsed, CONTAINER.dependencies(warm_up=parsed.refresh)))
        case ScoreEvent() as parsed:
            return dump(score(parsed, CONTAINER.dependencies()))
        case RankEvent() as parsed:
            return dump(rank(parsed))
        case AssembleEvent() as parsed:
            return dump(assemble(parsed, CONTAINER.dependencies))
        case AnalyzeEvent() as parsed:
            return dump(analyze(parsed, CONTAINER.dependencies))
        case parsed:
            message = f"stage: {type(parsed).__name__} is not handled by screener"
            raise ValueError(message)
