"""What is known of a source of papers before it is made: of goldpan's own, and of those that distributions offer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from pydantic import create_model

from goldpan.engine.dependencies import Connections
from goldpan.engine.loading import Loaded
from goldpan.errors import Unavailable
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.settings import Settings
from goldpan.kinds.papers.ports import AskedSource, SourcePlan
from goldpan.kinds.papers.sources.settings import PaperSettings
from goldpan.plugins import Plugin


@dataclass(frozen=True, kw_only=True)
class SourceEntry:
    """What is known of a source before it is made; a distribution offers one in the group `goldpan.sources`."""

    load: Callable[[], Callable[..., AskedSource]]
    """Loads what makes the source, from the settings and the connections."""
    queries: int = 1
    """The maximum number of queries for one search."""
    looks_up: bool = True
    """Whether papers can be looked up by their DOIs."""
    key: str | None = None
    """The setting that holds its key, or something else that it cannot be asked without, in lower case."""
    needs_key: bool = True
    settings: type[Settings] = Settings
    """The settings of a source of another distribution, each with a default and a name that begins with its own."""
    rate_limits: Mapping[str, Sequence[Limit]] = field(default_factory=dict)
    """The documented limits of such a source."""
    is_cached: bool = True
    """Whether its results are cached for an hour."""

    def plan(self, *, has_key: bool) -> SourcePlan:
        """Return what searches are planned by."""
        missing = self.key.upper() if self.key and self.needs_key and not has_key else None
        return SourcePlan(queries=self.queries, missing_key=missing, looks_up=self.looks_up)


def load_entries(plugins: Mapping[str, Plugin]) -> tuple[dict[str, SourceEntry], type[PaperSettings]]:
    """Load the entries of these sources, and the settings of all sources; one that fails says so when it is asked."""
    entries, settings = dict[str, SourceEntry](), PaperSettings
    for name, plugin in plugins.items():
        try:
            entry = Loaded[SourceEntry](plugin.place)()
            entry.load()
            settings = _with(settings, entry.settings, name)
        except Exception as error:  # noqa: BLE001 - code of others; the row of the source has the reason
            entry = _failing(f"{plugin.distribution} cannot be loaded: {error}")
        entries[name] = entry
    return entries, settings


def _with(settings: type[PaperSettings], further: type[Settings], source: str) -> type[PaperSettings]:
    """Add the settings of a source. Raises `ValueError` for one without a default, or with another name."""
    for name, each in further.model_fields.items():
        if each.is_required() or name in settings.model_fields or not name.startswith(f"{source}_"):
            raise ValueError(f"its setting {name} must have a default, and a name that begins with {source}_")
    return create_model("PaperSettings", __base__=cast("tuple[type[PaperSettings], ...]", (settings, further)))


def _failing(reason: str) -> SourceEntry:
    def make(_settings: Settings, _connections: Connections) -> AskedSource:
        raise Unavailable(reason)

    return SourceEntry(load=lambda: make, looks_up=False)
