"""The one place where the clients of the deployed functions are made; none is made at import."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from goldpan.aws.secrets import read_settings, with_placeholders
from goldpan.aws.settings import ScoutSettings, ScreenerSettings, TranslatorSettings
from goldpan.aws.shared_stores import open_shared_stores
from goldpan.aws.telemetry import COUNTERS
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Connections, Dependencies, Sources
from goldpan.engine.kind import AnyKind
from goldpan.errors import Overloaded, Unavailable
from goldpan.infra.encoder.endpoint import EndpointEncoder
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.http_client import HttpClient
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.llm.port import LanguageModel
from goldpan.infra.llm.spending import LimitedModel
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.s3_libraries import open_bucket
from goldpan.infra.settings import EmbeddingEndpoint, EmbeddingSettings, LLMSettings, Settings
from goldpan.infra.stores import Stores
from goldpan.kinds.registry import all_kinds, library_access


@dataclass(frozen=True)
class _Shared:
    """What all functions need: a clock, and the stores in DynamoDB."""

    clock: WallClock
    stores: Stores


def translator_dependencies(environment: Mapping[str, str]) -> Dependencies:
    """Make the dependencies of query_translator: the language model; the searches are only planned here."""
    settings = TranslatorSettings.from_environment(environment)
    planned = {name: source for kind in all_kinds() for name, source in kind.connector().plan(environment).items()}
    shared = _shared(settings)
    return replace(_dependencies(shared), sources=planned, llm=_language_model(environment, shared.stores))


def scout_dependencies(environment: Mapping[str, str]) -> Dependencies:
    """Make the dependencies of scout: the sources of all kinds, and the libraries."""
    settings = ScoutSettings.from_environment(environment)
    shared = _shared(settings)
    dependencies = _dependencies(shared)
    if settings.library_bucket is None:
        return _with_sources(dependencies, shared, environment, settings.warm_up_share)
    source, access = library_access()
    bucket = open_bucket(settings.library_bucket, settings.library_storage_mb, shared.clock)
    libraries = access.open(bucket, _library_encoder(environment, _connections(dependencies, shared)))
    own = {source: access.source(libraries)}
    return _with_sources(replace(dependencies, libraries=libraries), shared, environment, settings.warm_up_share, own)


def screener_dependencies(environment: Mapping[str, str]) -> Dependencies:
    """Make the dependencies of screener: the sources for further facts, and the language model."""
    settings = ScreenerSettings.from_environment(environment)
    shared = _shared(settings, settings.popularity_table)
    dependencies = replace(_dependencies(shared), llm=_language_model(environment, shared.stores))
    dependencies = _with_sources(dependencies, shared, environment, settings.warm_up_share)
    return _with_readers(dependencies, shared, environment)


def _with_readers(dependencies: Dependencies, shared: _Shared, environment: Mapping[str, str]) -> Dependencies:
    """Add what an analysis reads from; the settings and secrets are read when it is first needed."""
    connections = _connections(dependencies, shared)

    def making(make: Callable[[Settings, Connections], object], settings: type[Settings]) -> Callable[[], object]:
        return cache(lambda: make(read_settings(environment, settings), connections))

    connectors = {kind.name: kind.connector() for kind in all_kinds()}
    readers = {name: making(each.readers, each.settings) for name, each in connectors.items() if each.readers}
    return replace(dependencies, readers=readers)


def _library_encoder(environment: Mapping[str, str], connections: Connections) -> Encoder:
    """Return what encodes the queries of libraries: the endpoint for embeddings if one is configured, else the table.

    Raises `Misconfigured` for an incomplete endpoint; the key itself is read by the first search that needs it.
    """
    planned = EmbeddingSettings.from_environment(with_placeholders(environment)).endpoint()
    if planned is None:
        return shipped_table()

    def read_endpoint() -> EmbeddingEndpoint:
        try:
            return read_settings(environment, EmbeddingSettings).endpoint() or planned
        except Overloaded as error:  # words alone decide, and the next search reads it
            raise Unavailable(str(error)) from error

    return EndpointEncoder(planned.model, read_endpoint, connections)


def _connections(dependencies: Dependencies, shared: _Shared) -> Connections:
    return Connections(cache(HttpClient), shared.stores.rate_limiter, dependencies.cache, shared.clock)


def _shared(settings: TranslatorSettings, popularity_table: str | None = None) -> _Shared:
    clock = WallClock()
    limits = {name: limits for kind in all_kinds() for name, limits in kind.connector().rate_limits.items()}
    tables = [name for name in (settings.cache_table, settings.budget_table, popularity_table) if name]
    return _Shared(clock, open_shared_stores(tables, clock, COUNTERS.add, limits))


def _dependencies(shared: _Shared) -> Dependencies:
    stores, clock = shared.stores, shared.clock
    return Dependencies(
        clock, encoder=shipped_table(), cache=stores.cache, locks=stores.locks, popularity=stores.popularity
    )


def _language_model(environment: Mapping[str, str], stores: Stores) -> LanguageModel | None:
    """Make the language model, if a key is configured; all functions share its pauses, and it is counted."""
    endpoint = read_settings(environment, LLMSettings).endpoint()
    if endpoint is None:
        return None
    model = OpenAIModel(endpoint, cache(HttpClient), stores.rate_limiter)
    return LimitedModel(model, stores.spending, COUNTERS.add) if stores.spending else model


def _with_sources(
    dependencies: Dependencies,
    shared: _Shared,
    environment: Mapping[str, str],
    share: float,
    own: Sources | None = None,
) -> Dependencies:
    """Add the sources of all kinds, once for searches and once for warm-ups, which stop at a share of the limits.

    `own` are sources that need no connection of these: the libraries.
    """
    limiter, clock = shared.stores.rate_limiter, shared.clock
    http = cache(HttpClient)
    read = cache(partial(read_settings, environment))

    def connected(rate_limiter: RateLimiter) -> KindSources:
        connections = Connections(http, rate_limiter, dependencies.cache, clock, dependencies.encoder)

        def connect(kind: AnyKind) -> Sources:
            connector = kind.connector()
            settings: type[Settings] = connector.settings
            return connector.connect(kind.default_sources, read(settings), connections)

        return KindSources(all_kinds(), connect, own or {})

    return replace(dependencies, sources=connected(limiter), warm_up_sources=connected(limiter.with_share(share)))


class KindSources(Mapping[str, Any]):
    """The sources of all kinds by name; those of a kind are connected when one of them is first needed.

    So a search reads the secrets of its own kind alone: SSM allows 40 reads a second, and a function starts in several
    containers at once. Raises `Misconfigured` or `Overloaded` as `read_settings` does.
    """

    def __init__(self, kinds: Sequence[AnyKind], connect: Callable[[AnyKind], Sources], own: Sources) -> None:
        self._kinds = {name: kind for kind in kinds for name in kind.default_sources}
        self._connect, self._connected = connect, dict(own)
        self._names = (*self._kinds, *own)

    def __getitem__(self, name: str) -> Any:
        """Return a source. Raises `KeyError` if no kind has it."""
        if name not in self._connected:
            self._connected |= self._connect(self._kinds[name])
        return self._connected[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all sources."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return how many sources there are."""
        return len(self._names)
