"""How the papers kind reaches its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from goldpan.engine.dependencies import Connections
from goldpan.engine.kind import Check, Connector
from goldpan.engine.loading import Loaded
from goldpan.infra.cache import CachedValues
from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.kinds.papers.kind import PLUGINS
from goldpan.kinds.papers.models import LIBRARY, LIBRARY_QUERIES
from goldpan.kinds.papers.ports import PaperSource, PlanningSource, SearchResult, SourcePlan
from goldpan.kinds.papers.sources.entry import SourceById, SourceEntry, load_entries
from goldpan.kinds.papers.sources.settings import OPTIONAL, RATE_LIMITS, PaperSettings, title_of

_PACKAGE = "goldpan.kinds.papers.sources"
BUILT_IN: Mapping[str, SourceEntry] = {
    "openalex": SourceEntry(load=Loaded(f"{_PACKAGE}.openalex:OpenAlex"), key="openalex_api_key"),
    "crossref": SourceEntry(load=Loaded(f"{_PACKAGE}.crossref:Crossref")),
    "arxiv": SourceEntry(load=Loaded(f"{_PACKAGE}.arxiv:ArXiv")),
    "semantic_scholar": SourceEntry(
        load=Loaded(f"{_PACKAGE}.semantic_scholar:SemanticScholar"), key="semantic_scholar_api_key", needs_key=False
    ),
    "europe_pmc": SourceEntry(load=Loaded(f"{_PACKAGE}.europe_pmc:EuropePMC")),
    "serpapi": SourceEntry(load=Loaded(f"{_PACKAGE}.serpapi:SerpApi"), looks_up=False, key="serpapi_api_key"),
}
_INSTALLED, SETTINGS = load_entries(PLUGINS)
ENTRIES = {**BUILT_IN, **_INSTALLED}


def source_by_id(name: str, settings: PaperSettings, connections: Connections) -> SourceById:
    """Make a source whose module is loaded at its first call: a search of repositories asks none of them."""
    entry, store = ENTRIES[name], connections.cache
    plan = entry.plan(has_key=bool(entry.key and getattr(settings, entry.key)))
    cached = CachedValues(store, "source", SearchResult, connections.clock) if store and entry.is_cached else None
    mine = identity(name, settings)
    return SourceById(plan, lambda: entry.load()(settings, connections), _distribution(name), cached, mine)


def plan(environment: Mapping[str, str]) -> Mapping[str, PlanningSource]:
    """Make the sources of a function that only plans; any text in place of a key will do."""
    given = {name.lower() for name, value in environment.items() if value.strip()}
    plans = {name: entry.plan(has_key=entry.key in given) for name, entry in ENTRIES.items()}
    plans[LIBRARY] = SourcePlan(LIBRARY_QUERIES)
    return {name: PlanningSource(each) for name, each in plans.items()}


def connect(names: Sequence[str], settings: PaperSettings, connections: Connections) -> Mapping[str, PaperSource]:
    """Make the named sources, behind the cache, if there is one; a user's library is opened by its caller."""
    return {name: source_by_id(name, settings, connections) for name in names if name in ENTRIES}


def identity(name: str, settings: PaperSettings) -> str:
    """Identify the settings of a source, and what offers it, without revealing them."""
    fields = [getattr(settings, each) for each in type(settings).model_fields if each.startswith(f"{name}_")]
    own = [each.get_secret_value() if isinstance(each, SecretStr) else str(each) for each in fields]
    return rate_limit_key(name, "\n".join((*own, _distribution(name))), None)


def _distribution(name: str) -> str:
    """Return the distribution that offers a source; empty for one of goldpan's own."""
    return PLUGINS[name].distribution if name in PLUGINS else ""


def checks(settings: PaperSettings, connections: Connections) -> Mapping[str, Check]:
    """Make what asks each source that can be asked for free, and has the key which it needs."""
    sources = {name: source_by_id(name, settings, connections) for name in ENTRIES}
    able = {name: one for name, one in sources.items() if one.plan.looks_up or name in BUILT_IN}
    return {title_of(name): one.check for name, one in able.items() if one.plan.missing_key is None}


_LIMITS = {key: limits for entry in _INSTALLED.values() for key, limits in entry.rate_limits.items()}
CONNECTOR = Connector(
    settings=SETTINGS,
    rate_limits={**_LIMITS, **RATE_LIMITS},
    connect=connect,
    plan=plan,
    optional=OPTIONAL,
    checks=checks,
)
