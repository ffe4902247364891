"""A source of papers before its first call, goldpan's own or another distribution's, and how it is asked for an id."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import cast

from pydantic import TypeAdapter, create_model

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.engine.loading import Loaded
from goldpan.errors import CallFailed, CredentialRejected, Unavailable
from goldpan.identities import normalise_doi
from goldpan.infra.cache import CachedValues, cache_key
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.settings import Settings
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import AskedSource, CheckedSource, SearchResult, SourcePlan
from goldpan.kinds.papers.sources.settings import PaperSettings
from goldpan.plugins import Plugin

ARXIV, DOI = "arXiv:", "10."
ARXIV_DOI = "10.48550/arxiv."
"""Begins the DOI that arXiv gives to each of its papers."""
PROBE = f"{ARXIV_DOI}1706.03762"
"""A paper that is asked for to see whether a source answers; one that does not know it answers too."""
NOT_LOOKED_UP = "an id alone is not searched for here"


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


class SourceById:
    """A source that looks papers up by the ids that are asked for; it is made at its first call.

    Behind a cache, fresh results replace a call, and stale ones serve where it fails; they are kept by `identity`: the
    source, its address and its credential. What it raises unexpectedly becomes `Unavailable` if another distribution
    offers it, which is named.
    """

    def __init__(
        self,
        plan: SourcePlan,
        make: Callable[[], AskedSource],
        distribution: str = "",
        cached: CachedValues[SearchResult] | None = None,
        identity: str = "",
    ) -> None:
        self.plan, self._source, self._distribution = plan, cache(make), distribution
        self._cached, self._identity = cached, identity

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> SearchResult:
        """Run the queries that are no ids, or look the papers up if all of them are. Raises `CallFailed`."""
        dois = {query: doi for query in queries if (doi := _doi_of(query))}
        if others := [query for query in queries if query not in dois]:
            asked = {"queries": others, "constraints": constraints}
            return self._call(asked, lambda: self._source().search(others, constraints, deadline))
        if not self.plan.looks_up:
            return SearchResult(((),), 0, notes=(NOT_LOOKED_UP,))
        found = self.look_up(list(dois.values()), deadline)
        return replace(found, queries=tuple(f"doi:{doi}" for doi in dois.values()))

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Look papers up at the source. Raises `CallFailed`."""
        return self._call({"dois": list(dois)}, lambda: self._source().look_up(dois, deadline))

    def check(self, deadline: Deadline) -> str:
        """Ask for what spends least; returns what is left of its limits, "" if it does not say. Raises `CallFailed`."""
        with self._named_failures():
            source = self._source()
            if isinstance(source, CheckedSource):
                return source.check(deadline)
            source.look_up([PROBE], deadline)
        return ""

    def _call(self, asked: Mapping[str, object], call: Callable[[], SearchResult]) -> SearchResult:
        def run() -> SearchResult:
            with self._named_failures():
                found = call()
                return _result().validate_python(vars(found)) if self._distribution else found

        if self._cached is None:
            return run()
        key = cache_key("source", identity=self._identity, **asked)
        served = self._cached.read_or_call(key, run, lambda found: not found.failures)
        notes = (served.note, *served.value.notes) if served.note else served.value.notes
        return replace(served.value, age_s=served.age_s, notes=notes)

    @contextmanager
    def _named_failures(self) -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:
            if not self._distribution or isinstance(error, (CallFailed, CredentialRejected)):
                raise
            raise Unavailable(f"{self._distribution} failed unexpectedly: {error}") from error


@cache
def _result() -> TypeAdapter[SearchResult]:
    """Return what checks the result of a source of another distribution."""
    return TypeAdapter(SearchResult)


def _doi_of(query: PaperQuery) -> str | None:
    """Return the DOI of a query that consists of the id of a paper, written as an intent has it."""
    words = [wording for concept in query.concepts for wording in concept]
    if len(words) != 1 or " " in words[0]:
        return None
    if words[0].startswith(ARXIV):
        return ARXIV_DOI + words[0].removeprefix(ARXIV).lower()
    return normalise_doi(words[0]) if words[0].startswith(DOI) else None
