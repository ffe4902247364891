"""The door of screener: shortlist, score, rank, assemble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldpan.bootstrap import screener_ports
from goldpan.deployment.equipment import equip
from goldpan.deployment.messages import dump
from goldpan.deployment.screener_messages import RankAsked, ScoreAsked, ShortlistAsked, read_screener_asked
from goldpan.deployment.screening import assemble, rank, score, shortlist
from goldpan.deployment.telemetry import observed

EQUIPMENT = equip(screener_ports)


@observed
def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Do what the event's stage asks for."""
    match read_screener_asked(event):
        case ShortlistAsked() as asked:
            return dump(shortlist(asked, EQUIPMENT.ports().used(warming=asked.refresh)))
        case ScoreAsked() as asked:
            return dump(score(asked, EQUIPMENT.ports()))
        case RankAsked() as asked:
            return dump(rank(asked))
        case asked:
            return dump(assemble(asked, EQUIPMENT.ports))
