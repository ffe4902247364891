"""What is known of a source of papers before it is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.settings import Settings
from goldpan.kinds.papers.ports import AskedSource, SourcePlan


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
