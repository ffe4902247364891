"""How the papers kind reaches its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import SecretStr

from goldpan.engine.dependencies import Connections
from goldpan.engine.kind import Connector
from goldpan.engine.loading import Loaded
from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.kinds.papers.models import LIBRARY, LIBRARY_QUERIES
from goldpan.kinds.papers.ports import PaperSource, PlanningSource, SourcePlan
from goldpan.kinds.papers.sources.by_id import SourceById
from goldpan.kinds.papers.sources.cached import CachedSource
from goldpan.kinds.papers.sources.settings import OPTIONAL, RATE_LIMITS, PaperSettings

if TYPE_CHECKING:
    from goldpan.kinds.papers.sources.api import ApiSource


@dataclass(frozen=True)
class Entry:
    """What is known of a source before its module is loaded."""

    load: Loaded[type[ApiSource]]
    looks_up: bool = True
    key: str | None = None
    """The setting that holds its key, in lower case."""
    needs_key: bool = True

    def plan(self, *, has_key: bool) -> SourcePlan:
        """Return what searches are planned by."""
        missing = self.key.upper() if self.key and self.needs_key and not has_key else None
        return SourcePlan(missing_key=missing, looks_up=self.looks_up)


def source_by_id(name: str, settings: PaperSettings, connections: Connections) -> SourceById:
    """Make a source whose module is loaded at its first call: a search of repositories asks none of them."""
    entry = ENTRIES[name]
    plan = entry.plan(has_key=bool(entry.key and getattr(settings, entry.key)))
    return SourceById(plan, lambda: entry.load()(settings, connections))


_PACKAGE = "goldpan.kinds.papers.sources"
ENTRIES: Mapping[str, Entry] = {
    "openalex": Entry(Loaded(f"{_PACKAGE}.openalex:OpenAlex"), key="openalex_api_key"),
    "crossref": Entry(Loaded(f"{_PACKAGE}.crossref:Crossref")),
    "arxiv": Entry(Loaded(f"{_PACKAGE}.arxiv:ArXiv")),
    "semantic_scholar": Entry(
        Loaded(f"{_PACKAGE}.semantic_scholar:SemanticScholar"), key="semantic_scholar_api_key", needs_key=False
    ),
    "europe_pmc": Entry(Loaded(f"{_PACKAGE}.europe_pmc:EuropePMC")),
    "serpapi": Entry(Loaded(f"{_PACKAGE}.serpapi:SerpApi"), looks_up=False, key="serpapi_api_key"),
}


def plan(environment: Mapping[str, str]) -> Mapping[str, PlanningSource]:
    """Make the sources of a function that only plans; a key may be given by the name of its parameter.

    Another function has the libraries.
    """
    given = {name.removesuffix("_PARAMETER").lower() for name, value in environment.items() if value.strip()}
    plans = {name: entry.plan(has_key=entry.key in given) for name, entry in ENTRIES.items()}
    plans[LIBRARY] = SourcePlan(LIBRARY_QUERIES)
    return {name: PlanningSource(each) for name, each in plans.items()}


def connect(names: Sequence[str], settings: PaperSettings, connections: Connections) -> Mapping[str, PaperSource]:
    """Make the named sources, behind the cache, if there is one; a user's library is opened by its caller."""
    sources = {name: source_by_id(name, settings, connections) for name in names if name in ENTRIES}
    cache, clock = connections.cache, connections.clock
    if cache is None:
        return dict(sources)
    return {name: CachedSource(each, cache, clock, identity(name, settings)) for name, each in sources.items()}


def identity(name: str, settings: PaperSettings) -> str:
    """Identify the address and the credential of a source without revealing them."""
    entry = ENTRIES[name]
    secret: SecretStr | None = getattr(settings, entry.key) if entry.key else None
    return rate_limit_key(name, getattr(settings, f"{name}_url"), secret.get_secret_value() if secret else None)


CONNECTOR = Connector(settings=PaperSettings, rate_limits=RATE_LIMITS, connect=connect, plan=plan, optional=OPTIONAL)
