"""The one place where the clients of one machine are made; none is made at import."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from goldpan.engine.answers import AnswerCache
from goldpan.engine.deadlines import Clock, WallClock
from goldpan.engine.dependencies import Connections, Dependencies, Runtime
from goldpan.errors import InvalidRequest
from goldpan.infra.settings import EmbeddingSettings, LLMSettings, Secret, Settings
from goldpan.infra.stores import open_local_stores
from goldpan.kinds.registry import all_kinds, kinds_with_sources

if TYPE_CHECKING:
    from goldpan.infra.cache.port import Cache
    from goldpan.infra.encoder.port import Encoder
    from goldpan.infra.http import HttpClient
    from goldpan.infra.llm.openai import OpenAIModel
    from goldpan.infra.stores import Stores
    from goldpan.kinds.papers.sources.library.opened import OpenLibraries
    from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

CACHE_FILE, CACHE_OFF = "goldpan/cache.sqlite", "off"
NOTHING_SET: Mapping[str, str] = {}
SAMPLE_NAME = "sample"
"""Identifies the embedded catalogue; it changes with the version only, which is part of every cache key."""


class LocalSettings(Settings):
    """Where the cache file is, and what compares meanings.

    `GOLDPAN_CACHE` names the file, `off` disables it; by default it is in the cache folder. `GOLDPAN_ENCODER` is
    `table`, the word table that is shipped, or `sentence`, the sentence encoder of the extra `encoder`. `GH_TOKEN` is
    checked here, under its own name, and read by the settings of GitHub.
    """

    goldpan_cache: str | None = None
    goldpan_encoder: Literal["table", "sentence"] = "table"
    gh_token: Secret | None = None
    xdg_cache_home: str | None = None
    home: str | None = None

    def cache_file(self) -> Path | None:
        """Return the cache file (XDG Base Directory Specification), or None if nothing is to be cached."""
        if self.goldpan_cache:
            return None if self.goldpan_cache == CACHE_OFF else Path(self.goldpan_cache).expanduser()
        if self.xdg_cache_home:
            return Path(self.xdg_cache_home, CACHE_FILE)
        return Path(self.home, ".cache", CACHE_FILE) if self.home else None


def open_runtime(
    environment: Mapping[str, str],
    sources: Sequence[str] | None = None,
    catalogue_file: Path | None = None,
    *,
    ask_again: bool = False,
) -> Runtime:
    """Make the runtime for the named sources, for a catalogue file, or for neither.

    Neither: the default sources, and the embedded sample if they all fail. A file: that catalogue only. Named sources:
    those only. `ask_again` asks each source, whatever it said in the last hour. Raises `InvalidRequest` if the file is
    given and the named sources leave the catalogue out.
    """
    if sources is None and catalogue_file is None:
        return local_runtime(environment, *_catalogue(None, environment), ask_again=ask_again)
    names = tuple(sources or ("catalogue",))
    if catalogue_file is not None and "catalogue" not in names:
        message = f"--catalogue names {catalogue_file}, but --source leaves the catalogue out"
        raise InvalidRequest(message)
    catalogue, identity = _catalogue(catalogue_file, environment) if "catalogue" in names else (None, "")
    return local_runtime(environment, catalogue, identity, names, ask_again=ask_again)


def local_runtime(
    environment: Mapping[str, str],
    catalogue: Any = None,
    identity: str = "",
    sources: Sequence[str] | None = None,
    *,
    ask_again: bool = False,
) -> Runtime:
    """Make the runtime of one machine for the named sources; by default, the catalogue is the fallback of the others.

    `identity` identifies the contents of the catalogue; `ask_again` is that of `open_runtime`. Raises
    `Misconfigured` by the name of the setting.
    """
    clock = WallClock()
    names = _default_sources() if sources is None else tuple(sources)
    kinds = kinds_with_sources({*names} - {"catalogue"})
    connectors = {kind.name: kind.connector() for kind in kinds}
    limits = {name: limit for connector in connectors.values() for name, limit in connector.rate_limits.items()}
    stores = open_local_stores(LocalSettings.from_environment(environment).cache_file(), clock, limits)
    http = LazyHttp()
    cache = _asking_again(stores.cache, clock) if ask_again and stores.cache else stores.cache
    connected: dict[str, Any] = {} if catalogue is None else {"catalogue": catalogue}
    readers = dict[str, Callable[[], Any]]()
    settings: list[Settings] = [LLMSettings.from_environment(environment)]
    for name, connector in connectors.items():
        settings.append(connector.settings.from_environment(environment))
        connections = Connections(http, stores.rate_limiter, cache, clock)  # opens the rate limits: for sources alone
        connected |= connector.connect(names, settings[-1], connections)
        if connector.readers is not None:
            readers[name] = partial(connector.readers, settings[-1], connections)
    llm, encoder = _language_model(environment, stores), make_encoder(environment)
    answers = AnswerCache(stores.cache, stores.locks, clock) if stores.cache and stores.locks else None
    settings.append(EmbeddingSettings.from_environment(environment))
    libraries = LazyLibraries(lambda: _open_libraries(environment, encoder, http, stores))
    if any(kind.library_source for kind in kinds):
        connected["library"] = _library_source(libraries)
    closing: list[Callable[[], None]] = [http.close, stores.close, libraries.close, *([llm.close] if llm else [])]
    return Runtime(
        Dependencies(clock, connected, llm, encoder, stores.cache, answers, libraries=libraries, readers=readers),
        names,
        ("catalogue",) if catalogue is not None and sources is None else (),
        clock,
        _identity(settings, f"{identity} {encoder.name}"),
        tuple(closing),
    )


def open_answers(environment: Mapping[str, str]) -> AnswerCache | None:
    """Open the cached answers on a connection of their own, whose reads wait for no search; None if nothing is kept."""
    clock = WallClock()
    stores = open_local_stores(LocalSettings.from_environment(environment).cache_file(), clock, {})
    return AnswerCache(stores.cache, stores.locks, clock) if stores.cache and stores.locks else None


def make_encoder(environment: Mapping[str, str]) -> Encoder:
    """Make the encoder that the environment names. Raises `Misconfigured` if its packages are not installed."""
    if LocalSettings.from_environment(environment).goldpan_encoder == "sentence":
        from goldpan.infra.encoder.sentence import SentenceEncoder  # noqa: PLC0415 - an optional extra

        return SentenceEncoder()
    from goldpan.infra.encoder.table import shipped_table  # noqa: PLC0415

    return shipped_table()


def _open_libraries(environment: Mapping[str, str], encoder: Encoder, http: LazyHttp, stores: Stores) -> OpenLibraries:
    """Open the libraries of this machine, with the endpoint for embeddings if one is configured."""
    from goldpan.kinds.papers.sources.library.opened import OpenLibraries  # noqa: PLC0415 - few searches need them

    from goldpan_local.library_folder import FolderLibraries  # noqa: PLC0415

    endpoint = EmbeddingSettings.from_environment(environment).endpoint()
    if endpoint is not None:
        from goldpan.infra.encoder.endpoint import EndpointEncoder  # noqa: PLC0415 - with an endpoint only

        encoder = EndpointEncoder(endpoint, Connections(http, stores.rate_limiter, stores.cache, WallClock()))
    return OpenLibraries(FolderLibraries(environment), encoder)


def _library_source(libraries: Any) -> Any:
    from goldpan.kinds.papers.sources.library.source import LibrarySource  # noqa: PLC0415 - searches of papers alone

    return LibrarySource(libraries)


def _default_sources() -> tuple[str, ...]:
    return tuple(name for kind in all_kinds() for name in kind.default_sources)


class LazyLibraries:
    """Opens the libraries at their first use: a search of repositories has none."""

    def __init__(self, make: Callable[[], OpenLibraries]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened, name)

    @cached_property
    def _opened(self) -> OpenLibraries:
        return self._make()

    def close(self) -> None:
        """Close what was opened."""
        if "_opened" in self.__dict__:
            self._opened.close()


class LazyHttp:
    """Makes the shared HTTP client at its first use; its import is slow."""

    def __init__(self) -> None:
        self._client: HttpClient | None = None

    def __call__(self) -> HttpClient:
        """Return the client."""
        if self._client is None:
            from goldpan.infra.http import HttpClient  # noqa: PLC0415

            self._client = HttpClient()
        return self._client

    def close(self) -> None:
        """Close the client if it was made."""
        if self._client is not None:
            self._client.close()


def _language_model(environment: Mapping[str, str], stores: Stores) -> OpenAIModel | None:
    endpoint = LLMSettings.from_environment(environment).endpoint()
    if endpoint is None:
        return None
    from goldpan.infra.llm.openai import OpenAIModel  # noqa: PLC0415 - 0.8 s of import, needed with a key only

    return OpenAIModel(endpoint, rate_limiter=lambda: stores.rate_limiter)


def _catalogue(file: Path | None, environment: Mapping[str, str]) -> tuple[Any, str]:
    """Open a catalogue, and identify it by all that changes with its file."""
    if file is None:
        return sample_catalogue(environment), SAMPLE_NAME
    catalogue, state = open_catalogue(file, environment), file.stat()
    return catalogue, f"{file.resolve()} {state.st_size} {state.st_mtime_ns}"


def sample_catalogue(environment: Mapping[str, str] = NOTHING_SET) -> Catalogue:
    """Open the catalogue that is part of the command: it answers without a network and without keys."""
    return open_catalogue(Path(__file__).with_name("sample_catalogue.sqlite"), environment)


def open_catalogue(file: Path, environment: Mapping[str, str]) -> Catalogue:
    """Open a catalogue file, to be searched with the encoder that the environment names."""
    from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue  # noqa: PLC0415

    return Catalogue.open(file, make_encoder(environment))


def _asking_again(cache: Cache, clock: Clock) -> Cache:
    from goldpan.infra.cache.ask_again import AskAgainCache  # noqa: PLC0415 - loaded by saved searches

    return AskAgainCache(cache, clock.now())


def _identity(settings: Sequence[Settings], catalogue: str) -> str:
    """Identify all settings and the catalogue without revealing a secret."""
    values = [repr({name: _plain(value) for name, value in each}) for each in settings]
    return sha256("\n".join([*values, catalogue]).encode()).hexdigest()


def _plain(value: object) -> object:
    return value.get_secret_value() if hasattr(value, "get_secret_value") else value
