"""The one place where the clients of the deployed functions are made; none is made at import."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from goldpan.aws.events import WARM_UP_SHARE
from goldpan.aws.settings import EncoderSettings, Environment, ScoutSettings, ScreenerSettings, TranslatorSettings
from goldpan.aws.telemetry import count_event
from goldpan.engine.deadlines import Clock, WallClock
from goldpan.engine.dependencies import Connections, Dependencies, Sources
from goldpan.engine.kind import AnyKind
from goldpan.errors import Overloaded, Unavailable
from goldpan.infra.cache import Cache
from goldpan.infra.dynamodb_table import open_tables
from goldpan.infra.encoder.endpoint import EndpointEncoder
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.http_client import HttpClient
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.llm.port import LanguageModel
from goldpan.infra.llm.spending import LimitedModel
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.s3_libraries import open_bucket
from goldpan.infra.settings import EmbeddingEndpoint, LLMSettings, Settings
from goldpan.infra.table import BestEffortTable, BestEffortUpdates, CircuitBreaker, Count, Table
from goldpan.kinds.registry import all_kinds, library_access

FILES_FOLDER, FILES_PREFIX = Path(tempfile.gettempdir(), "files"), "files/"
FILES_MB = 160
"""MiB of the temporary storage for what a schedule replaces in the bucket, and for the copies that take its place."""


class KindSources(Mapping[str, Any]):
    """The sources of all kinds by name; those of a kind are connected when one of them is first needed.

    So a search reads the secrets of its own kind alone: SSM allows 40 reads a second, and a function starts in several
    containers at once. Raises `Misconfigured` or `Overloaded` as `Environment.read` does.
    """

    def __init__(self, kinds: Sequence[AnyKind], connect: Callable[[AnyKind], Sources], own: Sources) -> None:
        self._kinds = {name: kind for kind in kinds for name in kind.default_sources}
        self._connect, self._connected = connect, dict(own)
        self._names = (*self._kinds, *own)

    def __getitem__(self, name: str) -> Any:
        if name not in self._connected:
            self._connected |= self._connect(self._kinds[name])
        return self._connected[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Clients:
    """What all functions need: a clock, the stores in DynamoDB, and one HTTP client, which is made when first used."""

    def __init__(
        self, environment: Mapping[str, str], settings: TranslatorSettings, popularity_table: str | None = None
    ) -> None:
        self._environment, clock = Environment(environment), WallClock()
        self._read = cache(self._environment.read)
        limits = {name: limits for kind in all_kinds() for name, limits in kind.connector().rate_limits.items()}
        tables = [name for name in (settings.cache_table, settings.budget_table, popularity_table) if name]
        stores, limiter, self._spending = open_shared_stores(tables, clock, count_event, limits)
        self.dependencies = replace(stores, encoder=shipped_table())
        self.connections = Connections(cache(HttpClient), limiter, stores.cache, clock, shipped_table())

    def language_model(self) -> LanguageModel | None:
        """Make the language model, if a key is configured; all functions share its pauses, and it is counted."""
        endpoint = self._environment.read(LLMSettings).endpoint()
        if endpoint is None:
            return None
        model = OpenAIModel(endpoint, self.connections.http, self.connections.rate_limiter)
        return LimitedModel(model, self._spending, self.connections.clock, count_event)

    def searching(self, own: Sources) -> Dependencies:
        """Return the dependencies of searches and of warm-ups; `own` are sources that need no connection of these."""
        return replace(
            self.dependencies, sources=self._sources(own, 1.0), warm_up_sources=self._sources(own, WARM_UP_SHARE)
        )

    def _sources(self, own: Sources, share: float) -> KindSources:
        """Make the sources of all kinds, which stop at a share of their rate limits."""
        connections = replace(self.connections, rate_limiter=self.connections.rate_limiter.with_share(share))

        def connect(kind: AnyKind) -> Sources:
            connector = kind.connector()
            settings: type[Settings] = connector.settings
            return connector.connect(kind.default_sources, self._read(settings), connections)

        return KindSources(all_kinds(), connect, own)

    def readers(self) -> dict[str, Callable[[], object]]:
        """Make what an analysis reads from; the settings and secrets are read when it is first needed."""

        def making(make: Callable[[Settings, Connections], object], settings: type[Settings]) -> Callable[[], object]:
            return cache(lambda: make(self._read(settings), self.connections))

        connectors = {kind.name: kind.connector() for kind in all_kinds()}
        return {name: making(each.readers, each.settings) for name, each in connectors.items() if each.readers}

    def library_encoder(self) -> Encoder:
        """Return what encodes the queries of libraries: an endpoint, the encoder of the layer, or by default the table.

        Raises `Misconfigured` for an incomplete endpoint, or a layer without the encoder; the key itself is read by the
        first search that needs it.
        """
        environment = self._environment.without_secrets()
        settings = EncoderSettings.from_environment(environment)
        if settings.has_layer:
            return layer_encoder(load="snap-start" in environment.get("AWS_LAMBDA_INITIALIZATION_TYPE", ""))
        planned = settings.endpoint()
        if planned is None:
            return shipped_table()

        def read_endpoint() -> EmbeddingEndpoint:
            try:
                return self._environment.read(EncoderSettings).endpoint() or planned
            except Overloaded as error:  # words alone decide, and the next search reads it
                raise Unavailable(str(error)) from error

        return EndpointEncoder(planned, self.connections, read=read_endpoint)


@cache
def layer_encoder(*, load: bool) -> Encoder:
    """Return the sentence encoder of the optional layer; `load` reads its model now, for the snapshot.

    Reading it takes most of the time of a first search. A restored container reads the pages that it uses, so those
    that search no library are no slower. Without a snapshot they would be, so there the first search of a library does.
    """
    from goldpan.infra.encoder.sentence import SentenceEncoder  # noqa: PLC0415 - its packages are in that layer alone

    encoder = SentenceEncoder(threads=1)  # more would wait for each other in a share of one processor
    if load:
        encoder.encode(["library"])
    return encoder


def open_shared_stores(
    tables: Sequence[str], clock: Clock, count: Count, limits: Limits
) -> tuple[Dependencies, RateLimiter, Table]:
    """Open the tables: that of the cache, that of rate limits, locks and spending, and in one function of popularity.

    Returns dependencies with these stores and no sources, and the table of spending. `count` adds to the function's
    metrics.
    """
    cached, limited, *counted = open_tables(*tables, count=count)
    counting = CircuitBreaker("popularity counter", "PopularityFailed", clock, count)
    stores = Dependencies(
        clock,
        cache=Cache(cached, clock, count, readable="answer"),
        locks=SingleFlightLocks(limited, clock, count),
        popularity=BestEffortUpdates(counted[0], counting) if counted else None,
        progress=BestEffortUpdates(cached, CircuitBreaker("progress log", "ProgressFailed", clock, count)),
    )
    return stores, RateLimiter(BestEffortTable(limited, clock, count), clock, limits), limited


def translator_dependencies(environment: Mapping[str, str]) -> Dependencies:
    """Make the dependencies of query_translator: the language model; the searches are only planned here."""
    made = _Clients(environment, TranslatorSettings.from_environment(environment))
    named = Environment(environment).without_secrets()
    planned = {name: source for kind in all_kinds() for name, source in kind.connector().plan(named).items()}
    return replace(made.dependencies, sources=planned, warm_up_sources=planned, llm=made.language_model())


def scout_dependencies(environment: Mapping[str, str]) -> Dependencies:
    """Make the dependencies of scout: the sources of all kinds, and the libraries."""
    settings = ScoutSettings.from_environment(environment)
    made, own, libraries = _Clients(environment, settings), dict[str, object](), None
    if settings.library_bucket is not None:
        source, access = library_access()
        storage, clock = settings.library_storage_mb, made.connections.clock
        if settings.catalogue_update_hours:
            storage -= FILES_MB
            files = open_bucket(settings.library_bucket, FILES_MB, clock, FILES_FOLDER, FILES_PREFIX)
            made.connections = replace(made.connections, files=files)
        bucket = open_bucket(settings.library_bucket, storage, clock)
        libraries = access.open(bucket, made.library_encoder())
        own = {source: access.source(libraries)}
    return replace(made.searching(own), libraries=libraries)


def screener_dependencies(environment: Mapping[str, str]) -> Dependencies:
    """Make the dependencies of screener: the sources for further facts, and the language model."""
    settings = ScreenerSettings.from_environment(environment)
    made = _Clients(environment, settings, settings.popularity_table)
    return replace(made.searching({}), llm=made.language_model(), readers=made.readers())
