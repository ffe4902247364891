"""Refreshes the facts of a catalogue file within a time, as a schedule does."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import goldpan_data

from goldpan.engine.dependencies import Connections
from goldpan.engine.kind import Refresher
from goldpan.errors import Misconfigured
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.sources.catalogue.changes import Changes
from goldpan.kinds.repositories.sources.catalogue.deployed import NAME
from goldpan.kinds.repositories.sources.catalogue.pace import Pace
from goldpan.kinds.repositories.sources.catalogue.update import OUTCOMES, due, update
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import GitHub

PUBLISHING_SHARE = 0.4
"""Of the time, for writing and storing the new file."""


def refresh(path: Path, settings: GitHubSettings, connections: Connections, seconds: float) -> Mapping[str, int]:
    """Refresh what is oldest, in a copy of the embedded catalogue if there is no file; it is written anew at the end.

    Raises `Misconfigured` without a token, with which alone GitHub allows enough look-ups.
    """
    clock = connections.clock
    source = GitHub(settings, connections.http(), connections.rate_limiter, clock)
    if not source.has_token:
        raise Misconfigured("GITHUB_TOKEN: an update of the catalogue needs one")
    if not path.exists():
        shutil.copyfile(goldpan_data.file("sample_catalogue.sqlite"), path)
    pace = Pace(clock, lambda _: None, print, clock.now() + timedelta(seconds=seconds * (1 - PUBLISHING_SHARE)))
    counts = Counter(dict.fromkeys(OUTCOMES, 0))
    with Changes.of(path) as changes:
        with pace.until_end():
            update(changes, source, due(changes.repositories(), {}, clock.now().date()), pace, counts)
        changes.publish(None, connections.encoder or shipped_table())
    return counts


REFRESHER = Refresher(file=NAME, refresh=refresh)
