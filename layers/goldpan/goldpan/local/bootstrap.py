"""The one place where the clients of one machine are made; none is made at import."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from goldpan.engine.answer_cache import AnswerCache
from goldpan.engine.deadlines import Clock, WallClock
from goldpan.engine.dependencies import Connections, Dependencies, Runtime
from goldpan.engine.loading import Loaded
from goldpan.errors import InvalidRequest
from goldpan.infra.cache import Cache
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.processes import this_process
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.settings import EmbeddingSettings, LLMSettings, Secret, Settings, UserPath, user_folder
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.infra.table import BestEffortTable, MemoryTable, uncounted
from goldpan.kinds.registry import get_kind, kind_names, kinds_with_sources
from goldpan.kinds.repositories.ports import RepositorySource
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue, open_sample
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings, is_enterprise
from goldpan.local.library_folder import FolderLibraries

if TYPE_CHECKING:
    from goldpan.infra.encoder.endpoint import EndpointEncoder
    from goldpan.infra.http_client import HttpClient
    from goldpan.infra.llm.openai import OpenAIModel
    from goldpan.kinds.papers.sources.library.opened import OpenLibraries

CACHE_FILE, CACHE_OFF = "goldpan/cache.sqlite", Path("off")
BUSY_SECONDS = 0.5
"""How long a search waits for the file: others hold it for a millisecond, and its sources have at least two seconds."""
NOTHING_SET: Mapping[str, str] = {}
NO_LIMITS: Limits = {}
SAMPLE_NAME = "sample"
"""Identifies the embedded catalogue; it changes with the version only, which is part of every cache key."""
HTTP: Loaded[type[HttpClient]] = Loaded("goldpan.infra.http_client:HttpClient")
LIBRARIES: Loaded[type[OpenLibraries]] = Loaded("goldpan.kinds.papers.sources.library.opened:OpenLibraries")
ENDPOINT_ENCODER: Loaded[type[EndpointEncoder]] = Loaded("goldpan.infra.encoder.endpoint:EndpointEncoder")
MODEL: Loaded[type[OpenAIModel]] = Loaded("goldpan.infra.llm.openai:OpenAIModel")
"""Their imports are slow, and few searches need them."""
Client = TypeVar("Client", "HttpClient", "OpenLibraries")


class LazyClient(Generic[Client]):
    """Makes a client at its first use, once for all threads; has the attributes of the client."""

    def __init__(self, make: Callable[[], Client]) -> None:
        self._make: Callable[[], Client] = make
        self._made: Client | None = None
        self._making = Lock()

    def __call__(self) -> Client:
        """Return the client."""
        with self._making:
            if self._made is None:
                self._made = self._make()
            return self._made

    def __getattr__(self, name: str) -> Any:
        return getattr(self(), name)

    def close(self) -> None:
        """Close the client if it was made."""
        if self._made is not None:
            self._made.close()


class LocalSettings(Settings):
    """Where the cache file is, and what compares meanings.

    `GOLDPAN_CACHE` names the file, `off` disables it; by default it is in the cache folder. `GOLDPAN_ENCODER` is
    `table`, the word table that is shipped, or `sentence`, the sentence encoder of the extra `encoder`. `GH_TOKEN` is
    checked here, under its own name, and read by the settings of GitHub.
    """

    goldpan_cache: UserPath | None = None
    goldpan_encoder: Literal["table", "sentence"] = "table"
    gh_token: Secret | None = None
    xdg_cache_home: str | None = None
    home: str | None = None

    def cache_file(self) -> Path | None:
        """Return the cache file (XDG Base Directory Specification), or None if nothing is to be cached."""
        if self.goldpan_cache:
            return None if self.goldpan_cache == CACHE_OFF else self.goldpan_cache
        folder = user_folder(self.xdg_cache_home, self.home, ".cache")
        return folder / CACHE_FILE if folder else None


def open_runtime(
    environment: Mapping[str, str],
    sources: Sequence[str] | None = None,
    catalogue_file: Path | None = None,
    *,
    kinds: Iterable[str] | None = None,
    revalidate: bool = False,
) -> Runtime:
    """Make the runtime for the named sources, for a catalogue file, or for neither.

    Neither: the default sources of these kinds, by default of all, the embedded sample among them. A file: that
    catalogue only. Named sources: those only. `revalidate` asks each source, whatever it said in the last hour. Raises
    `InvalidRequest` if the file is given and the named sources leave the catalogue out.
    """
    default = default_sources(environment, kinds) if catalogue_file is None else ("catalogue",)
    if catalogue_file is not None and "catalogue" not in (sources or default):
        raise InvalidRequest(f"--catalogue names {catalogue_file}, but --source leaves the catalogue out")
    is_needed = "catalogue" in (sources or default)
    catalogue, identity = _catalogue(catalogue_file, environment) if is_needed else (None, "")
    return local_runtime(environment, catalogue, identity, sources or default, revalidate=revalidate)


def local_runtime(
    environment: Mapping[str, str],
    catalogue: RepositorySource | None = None,
    identity: str = "",
    sources: Sequence[str] | None = None,
    *,
    revalidate: bool = False,
) -> Runtime:
    """Make the runtime of one machine for the named sources, by default those of all kinds.

    `identity` identifies the contents of the catalogue; `revalidate` is that of `open_runtime`. Raises
    `Misconfigured` by the name of the setting.
    """
    clock, names = WallClock(), default_sources(environment) if sources is None else tuple(sources)
    kinds = kinds_with_sources({*names} - {"catalogue"})
    connectors = {kind.name: kind.connector() for kind in kinds}
    limits = {name: limit for connector in connectors.values() for name, limit in connector.rate_limits.items()}
    connections = open_connections(environment, limits, clock, clock.now() if revalidate else None)
    settings = {name: each.settings.from_environment(environment) for name, each in connectors.items()}
    llm, encoder = language_model(environment, connections), make_encoder(environment)
    of_libraries = partial(library_encoder, environment, connections, encoder)
    libraries = LazyClient(lambda: LIBRARIES()(FolderLibraries(environment), of_libraries()))
    found: dict[str, object] = {} if catalogue is None else {"catalogue": catalogue}
    found |= {kind.library_source: kind.library_access().source(libraries) for kind in kinds if kind.library_access}
    for name, connector in connectors.items():
        found |= connector.connect([each for each in names if each != "catalogue"], settings[name], connections)
    read = {name: each.readers for name, each in connectors.items() if each.readers is not None}
    readers = {name: partial(make, settings[name], connections) for name, make in read.items()}
    return Runtime(
        Dependencies(
            clock, found, llm, encoder, connections.cache, connections.locks, libraries=libraries, readers=readers
        ),
        names,
        clock,
        _identity(environment, [*settings.values()], f"{identity} {encoder.name}"),
        (connections.close, libraries.close),
    )


def open_answers(environment: Mapping[str, str]) -> AnswerCache | None:
    """Open the cached answers on a connection of their own, whose reads wait for no search; None if nothing is kept."""
    opened = open_connections(environment)
    return AnswerCache(opened.cache, opened.clock) if opened.cache else None


def open_connections(
    environment: Mapping[str, str],
    limits: Limits = NO_LIMITS,
    clock: Clock | None = None,
    since: datetime | None = None,
) -> Connections:
    """Open the HTTP client, and the stores in the file of all goldpan processes of this machine, if there is one.

    They are closed at the end of their context. What was cached before `since` is stale.
    """
    used, http = clock or WallClock(), LazyClient(lambda: HTTP()())  # noqa: PLW0108 - `HTTP` imports httpx2, 0.1 s
    path = LocalSettings.from_environment(environment).cache_file()
    if path is None:
        return Connections(http, RateLimiter(MemoryTable(), used, limits), None, used, closing=(http.close,))
    file = SqliteFile(path, BUSY_SECONDS)
    table = SqliteTable(file, used)
    limiter = RateLimiter(BestEffortTable(table, used, uncounted), used, limits, this_process)
    cache, locks = Cache(table, used, uncounted, since), SingleFlightLocks(table, used, uncounted, this_process)
    return Connections(http, limiter, cache, used, locks=locks, closing=(http.close, file.close))


def make_encoder(environment: Mapping[str, str]) -> Encoder:
    """Make the encoder that the environment names. Raises `Misconfigured` if its packages are not installed."""
    if LocalSettings.from_environment(environment).goldpan_encoder == "sentence":
        from goldpan.infra.encoder.sentence import SentenceEncoder  # noqa: PLC0415 - the extra `encoder`

        return SentenceEncoder()
    return shipped_table()


def library_encoder(
    environment: Mapping[str, str], connections: Connections, otherwise: Encoder | None = None
) -> Encoder:
    """Make the encoder of libraries: the configured endpoint, else the given one, or that of this machine."""
    endpoint = EmbeddingSettings.from_environment(environment).endpoint()
    return otherwise or make_encoder(environment) if endpoint is None else ENDPOINT_ENCODER()(endpoint, connections)


def default_sources(environment: Mapping[str, str], kinds: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return the sources of these kinds, by default of all; a GitHub of a company has no catalogue."""
    own = is_enterprise(GitHubSettings.from_environment(environment).github_api_url)
    left_out, names = {"catalogue"} if own else set[str](), kind_names() if kinds is None else kinds
    return tuple(name for kind in map(get_kind, names) for name in kind.default_sources if name not in left_out)


def language_model(environment: Mapping[str, str], connections: Connections) -> OpenAIModel | None:
    """Make the language model that the environment names, if any. Raises `Misconfigured`."""
    endpoint = LLMSettings.from_environment(environment).endpoint()
    return None if endpoint is None else MODEL()(endpoint, connections.http, connections.rate_limiter)


def _catalogue(file: Path | None, environment: Mapping[str, str]) -> tuple[Catalogue, str]:
    """Open a catalogue, and identify it by all that changes with its file."""
    if file is None:
        return sample_catalogue(environment), SAMPLE_NAME
    catalogue, state = Catalogue.open(file, make_encoder(environment)), file.stat()
    return catalogue, f"{file.resolve()} {state.st_size} {state.st_mtime_ns}"


def sample_catalogue(environment: Mapping[str, str] = NOTHING_SET) -> Catalogue:
    """Open the sample catalogue of goldpan-data: it answers without a network and without keys."""
    return open_sample(make_encoder(environment))


def _identity(environment: Mapping[str, str], connected: Sequence[Settings], catalogue: str) -> str:
    """Identify all settings and the catalogue without revealing a secret."""
    llm, embeddings = LLMSettings.from_environment(environment), EmbeddingSettings.from_environment(environment)
    values = [repr({name: _plain(value) for name, value in each}) for each in (llm, *connected, embeddings)]
    return sha256("\n".join([*values, catalogue]).encode()).hexdigest()


def _plain(value: object) -> object:
    return value.get_secret_value() if hasattr(value, "get_secret_value") else value
