"""The door of screener: shortlist, score, rank, assemble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldpan.aws.container import make_container
from goldpan.aws.messages import dump
from goldpan.aws.screener_messages import RankAsked, ScoreAsked, ShortlistAsked, read_screener_asked
from goldpan.aws.stages import assemble, rank, score, shortlist
from goldpan.aws.telemetry import observed
from goldpan.bootstrap import screener_ports

CONTAINER = make_container(screener_ports)


@observed
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Do what the event's stage asks for."""
    match read_screener_asked(event):
        case ShortlistAsked() as asked:
            return dump(shortlist(asked, CONTAINER.dependencies().used(warming=asked.refresh)))
        case ScoreAsked() as asked:
            return dump(score(asked, CONTAINER.dependencies()))
        case RankAsked() as asked:
            return dump(rank(asked))
        case asked:
            return dump(assemble(asked, CONTAINER.dependencies))
