"""The records of the sample catalogue, and catalogues without a file."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.sqlite_file import SqliteReader
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.catalogue.build import Record, fill, records_from_lines, unique
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

SAMPLE_SOURCE = Path(__file__).parents[2] / "goldpan-data" / "sample_catalogue"


def sample_records() -> tuple[Record, ...]:
    """Read the records that the sample catalogue is made from."""
    return tuple(records_from_lines(SAMPLE_SOURCE / "sample.jsonl"))


def stored_repositories(catalogue: Catalogue) -> list[Repository]:
    """Return the repositories of the sample that a catalogue has."""
    names = [record.full_name for record in sample_records()]
    return [one for found in catalogue.look_up(names, Deadline.after(5, WallClock())).lists for one in found]


def catalogue_in_memory(records: Iterable[Record], title: str, encoder: Encoder | None = None) -> Catalogue:
    """Build a catalogue in memory, with vectors if there is an encoder."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    fill(connection, unique(records), title, encoder)
    return Catalogue(SqliteReader(connection), encoder)
