"""The catalogue of a deployment, which a schedule replaces, with the embedded one where it cannot be read."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.engine.dependencies import Files
from goldpan.errors import CallFailed, Misconfigured, NotFound
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.repositories.models import CATALOGUE, Matching, RepositorySearch
from goldpan.kinds.repositories.ports import Found, RepositorySource
from goldpan.kinds.repositories.sources.catalogue.reader import WITH_VECTORS, Catalogue, open_sample

RECHECK = timedelta(minutes=5)
"""How long a file is taken for current: it is replaced a few times a day."""
_LOG = logging.getLogger(__name__)


class DeployedCatalogue(RepositorySource):
    """A source that searches the newest file of a bucket; safe to share between threads."""

    searches_a_question = Catalogue.searches_a_question
    matches: frozenset[Matching] = WITH_VECTORS

    def __init__(self, files: Files, encoder: Encoder | None, clock: Clock) -> None:
        self._files, self._encoder, self._clock = files, encoder, clock
        self._newest, self._path, self._lock = open_sample(encoder), Path(), Lock()
        self._checked: datetime | None = None

    @property
    def notice(self) -> str:
        """That of the file that was searched last."""
        return self._newest.notice

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches, and say from which day the facts are. Raises `TimedOut`."""
        catalogue = self._current(deadline)
        return replace(catalogue.search(searches, deadline), notes=(f"facts as of {catalogue.as_of}",))

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Return the repositories of these names, whatever their case."""
        return self._current(deadline).look_up(names, deadline)

    def _current(self, deadline: Deadline) -> Catalogue:
        """Open the newest file; while it cannot be read, the one before serves."""
        with self._lock:
            now = self._clock.now()
            if self._checked is None or not self._checked <= now < self._checked + RECHECK:
                self._checked = now
                try:
                    with self._files.file(CATALOGUE, deadline) as path:
                        if path != self._path:
                            self._newest, self._path = Catalogue.open(path, self._encoder), path
                except NotFound:
                    pass  # no update has stored one yet
                except (CallFailed, Misconfigured) as failure:
                    _LOG.warning("%s cannot be searched, the one before serves: %s", CATALOGUE, failure)
            return self._newest
