"""The records of the sample catalogue."""

from __future__ import annotations

from pathlib import Path

from goldpan.kinds.repositories.sources.catalogue.build import Record
from goldpan.kinds.repositories.sources.catalogue.lines import records_from_lines

SAMPLE_SOURCE = Path(__file__).parents[2] / "goldpan-data" / "sample_catalogue"


def sample_records() -> tuple[Record, ...]:
    """Read the records that the sample catalogue is made from."""
    return tuple(records_from_lines(SAMPLE_SOURCE / "sample.jsonl"))
