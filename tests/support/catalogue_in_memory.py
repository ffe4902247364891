"""A catalogue without a file."""

import sqlite3
from collections.abc import Iterable

from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.repositories.sources.catalogue.build import Record, fill, unique
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue


def catalogue_in_memory(records: Iterable[Record], title: str, encoder: Encoder | None = None) -> Catalogue:
    """Build a catalogue in memory, with vectors if there is an encoder."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    fill(connection, unique(records), title, encoder)
    return Catalogue(connection, encoder)
