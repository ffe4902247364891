"""The sources of papers that other installed distributions offer: what fails in one is its row, never the end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import cast

from pydantic import create_model

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.engine.loading import Loaded
from goldpan.errors import CallFailed, CredentialRejected, Unavailable
from goldpan.infra.settings import Settings
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import AskedSource, SearchResult
from goldpan.kinds.papers.sources.entry import SourceEntry
from goldpan.kinds.papers.sources.settings import PaperSettings
from goldpan.plugins import Plugin


class InstalledSource:
    """A source of another distribution, made at its first call; an unexpected error is `Unavailable`."""

    def __init__(self, plugin: Plugin, make: Callable[[], AskedSource]) -> None:
        self._plugin, self._source = plugin, cache(make)

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> SearchResult:
        """Run the queries. Raises `CallFailed` or `CredentialRejected`."""
        return self._call(lambda source: source.search(queries, constraints, deadline))

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Return the records of these DOIs. Raises `CallFailed` or `CredentialRejected`."""
        return self._call(lambda source: source.look_up(dois, deadline))

    def _call(self, call: Callable[[AskedSource], SearchResult]) -> SearchResult:
        """Call the source, and give the papers its name."""
        try:
            found, source = call(self._source()), {"source": self._plugin.name}
            return replace(
                found, lists=tuple(tuple(paper.model_copy(update=source) for paper in each) for each in found.lists)
            )
        except (CallFailed, CredentialRejected):
            raise
        except Exception as error:  # code of others
            raise Unavailable(f"{self._plugin.distribution} failed unexpectedly: {error}") from error


def load_entries(plugins: Mapping[str, Plugin]) -> tuple[dict[str, SourceEntry], type[PaperSettings]]:
    """Load the entries of these sources, and the settings of all sources; one that fails says so when it is asked."""
    entries, settings = dict[str, SourceEntry](), PaperSettings
    for name, plugin in plugins.items():
        try:
            entries[name], settings = _load(plugin, settings)
        except Exception as error:  # noqa: BLE001 - code of others; the row of the source has the reason
            entries[name] = _failing(f"{plugin.distribution} cannot be loaded: {error}")
    return entries, settings


def _load(plugin: Plugin, settings: type[PaperSettings]) -> tuple[SourceEntry, type[PaperSettings]]:
    """Load an entry, and add its settings. Raises `TypeError` or `ValueError` if they are not as goldpan needs them."""
    entry = Loaded[SourceEntry](plugin.place)()
    if not isinstance(entry, SourceEntry):
        raise TypeError(f"{plugin.place} is no SourceEntry")
    entry.load()
    if entry.settings is Settings:
        return entry, settings
    for name, field in entry.settings.model_fields.items():
        if field.is_required() or name in settings.model_fields:
            raise ValueError(f"its setting {name} {'has no default' if field.is_required() else 'is one of others'}")
    bases = cast("tuple[type[PaperSettings], ...]", (settings, entry.settings))
    return entry, create_model("PaperSettings", __base__=bases)


def _failing(reason: str) -> SourceEntry:
    """Make the entry of a source that cannot be made."""

    def make(_settings: Settings, _connections: Connections) -> AskedSource:
        raise Unavailable(reason)

    return SourceEntry(load=lambda: make, looks_up=False)
