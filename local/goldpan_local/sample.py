"""The sample catalogue that is part of the command: it answers without a network and without keys."""

from __future__ import annotations

from importlib.resources import as_file, files

from goldpan.kinds.repositories.sources.catalogue.build import Record, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

TITLE = "the embedded sample catalogue"


def sample_records() -> tuple[Record, ...]:
    """Read the records of the sample."""
    with as_file(files("goldpan_local").joinpath("sample_catalogue.jsonl")) as path:
        return tuple(records_from_lines(path))


def sample_catalogue() -> Catalogue:
    """Load the sample into a catalogue in memory."""
    return Catalogue.in_memory(sample_records(), title=TITLE)
