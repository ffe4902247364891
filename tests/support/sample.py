"""The records of the sample catalogue."""

from pathlib import Path

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.catalogue.build import Record, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

SAMPLE_SOURCE = Path(__file__).parents[2] / "goldpan-data" / "sample_catalogue"


def sample_records() -> tuple[Record, ...]:
    """Read the records that the sample catalogue is made from."""
    return tuple(records_from_lines(SAMPLE_SOURCE / "sample.jsonl"))


def stored_repositories(catalogue: Catalogue) -> list[Repository]:
    """Return the repositories of the sample that a catalogue has."""
    names = [record.full_name for record in sample_records()]
    return [one for found in catalogue.look_up(names, Deadline.after(5, WallClock())).lists for one in found]
