"""What a search reaches outside the process, made once by a bootstrap and used for any number of searches."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, Self

from goldpan.engine.deadlines import Clock, Deadline, WallClock
from goldpan.infra.cache import Cache
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.http import Http
from goldpan.infra.llm.port import LanguageModel
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.table import BestEffortUpdates

Sources = Mapping[str, Any]
"""Sources by name; each kind has a port of its own for them."""


class Libraries(Protocol):
    """The users' libraries, as far as the engine reads them; a kind that searches them has a port of its own."""

    def version(self, project: str) -> str | None:
        """Return what changes with every import, None if there is no such project."""


class Files(Protocol):
    """Files of a deployment, each of which may be replaced while others read it."""

    def file(self, project: str, deadline: Deadline | None = None) -> AbstractContextManager[Path]:
        """Hand out the current file of a name. Raises `NotFound` if there is none, or `CallFailed`."""


@dataclass(frozen=True)
class Dependencies:
    """All that a stage may reach."""

    clock: Clock
    sources: Sources = field(default_factory=dict)
    llm: LanguageModel | None = None
    encoder: Encoder | None = None
    """Compares texts by their meaning; without one, words alone count."""
    cache: Cache | None = None
    locks: SingleFlightLocks | None = None
    """Single-flight locks; used together with the cache."""
    popularity: BestEffortUpdates | None = None
    """Where AWS counts how often each question is asked, so that frequent ones can be answered in advance."""
    progress: BestEffortUpdates | None = None
    """Where AWS shows the stages of a search that no client waits for."""
    libraries: Libraries | None = None
    warm_up_sources: Sources = field(default_factory=dict)
    """The sources for warm-ups, which are called only while less than a share of each limit is spent."""
    readers: Mapping[str, Callable[[], object]] = field(default_factory=dict)
    """Make what an analysis reads from, by the name of the kind; each kind has ports of its own for it."""


class Closing:
    """Closes itself at the end of a context; `close` closes what was made with it, not what its maker was given."""

    closing: tuple[Callable[[], None], ...]

    def close(self) -> None:
        """Close its connections and files; a search that still runs ends as if its sources had failed."""
        for close in self.closing:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True)
class Connections(Closing):
    """What a kind makes its sources from; `http` makes the shared client at its first call."""

    http: Callable[[], Http]
    rate_limiter: RateLimiter
    cache: Cache | None
    clock: Clock
    encoder: Encoder | None = None
    files: Files | None = None
    """Newer files than those of the distribution, if the deployment has any."""
    locks: SingleFlightLocks | None = None
    closing: tuple[Callable[[], None], ...] = ()


@dataclass(frozen=True)
class Runtime(Closing):
    """All that a search on one machine needs; may be shared between threads and serve any number of searches."""

    dependencies: Dependencies
    sources: tuple[str, ...]
    """Queried if the request names no sources."""
    clock: WallClock
    identity: str = ""
    """Identifies everything that an answer depends on besides the request: model, addresses, credentials, catalogue."""
    closing: tuple[Callable[[], None], ...] = ()

    def on_clock(self, clock: WallClock) -> Self:
        """Return the same runtime for one search, on a clock of its own, which cancels it."""
        return replace(self, dependencies=replace(self.dependencies, clock=clock), clock=clock)
