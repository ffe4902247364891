"""What a kind of results provides: its stages, its models, its sources, and what a request may ask of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from goldpan.config import Frozen, PipelineConfig
from goldpan.contracts import SearchRequest
from goldpan.contracts.kinds import KindContract
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections, Dependencies, Libraries, Sources
from goldpan.engine.filter_options import filter_options
from goldpan.engine.presentation import AnyPresentation
from goldpan.engine.problem_details import Response, Serializable
from goldpan.engine.stage_values import Batch, Shortlist, Task, Translation
from goldpan.engine.stages import BatchT, Models, ScoreTaskT, ScoutTaskT, ShortlistT, Stages, TranslationT, VerdictT
from goldpan.errors import InvalidRequest, SourcesFailed
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.settings import OptionalSetting, Settings
from goldpan.kinds.answer import Answer

SettingsT = TypeVar("SettingsT", bound=Settings)
RequestT = TypeVar("RequestT", bound=Frozen)
StorageT = TypeVar("StorageT")
LibrariesT = TypeVar("LibrariesT", bound=Libraries)
Check = Callable[[Deadline], str]
"""Ask a source whether it answers, in the way that spends least; returns what is left of its limits, "" if unknown.

Raises `CallFailed` or `Misconfigured`.
"""
Search = Callable[[SearchRequest, Dependencies, Sequence[str]], Answer]
"""Run a search of these sources to its end. Raises `TerminalError` or `Defect`."""


@dataclass(frozen=True)
class Connector(Generic[SettingsT]):
    """How a kind reaches its sources; loaded only if one of them is needed."""

    settings: type[SettingsT]
    """The environment variables of the sources."""
    rate_limits: Mapping[str, Sequence[Limit]]
    """The documented limits of the sources."""
    connect: Callable[[Sequence[str], SettingsT, Connections], Sources]
    """Make the named sources from their settings."""
    plan: Callable[[Mapping[str, str]], Sources]
    """Make the sources of a function that only plans searches, from its environment."""
    readers: Callable[[SettingsT, Connections], object] | None = None
    """Make what an analysis of one result reads from, from the settings; None if the kind has no analysis."""
    optional: tuple[OptionalSetting, ...] = ()
    """The settings that its sources work without, but less well."""
    checks: Callable[[SettingsT, Connections], Mapping[str, Check]] = lambda _settings, _connections: {}
    """Make the checks of the sources that can be asked, by the name of their optional setting, else by their title."""


@dataclass(frozen=True)
class Refresher(Generic[SettingsT]):
    """How a kind refreshes the facts of a file that it searches; loaded by a schedule alone."""

    file: str
    """The name of the file, without its suffix."""
    refresh: Callable[[Path, SettingsT, Connections, float], Mapping[str, int]]
    """Refresh the file within a number of seconds, or make it; returns counts of what became of its content."""


@dataclass(frozen=True)
class Analyzer(Generic[RequestT]):
    """How a kind analyzes one of its results on demand."""

    parse: Callable[[object], RequestT]
    """Parse a request from plain data; raises `InvalidRequest`."""
    analyze: Callable[[RequestT, Dependencies, Search, Deadline], Serializable]
    """Analyze; the search gives the relevance and the scores of the result. Raises `TerminalError`."""


@dataclass(frozen=True)
class LibraryAccess(Generic[StorageT, LibrariesT]):
    """How a kind searches the libraries of users; loaded only where there are libraries."""

    open: Callable[[StorageT, Encoder], LibrariesT]
    """Make the libraries, as `Dependencies.libraries`, from where their files lie."""
    source: Callable[[LibrariesT], object]
    """Make the source `library_source` from the libraries."""
    respond: Callable[[str, object, LibrariesT, Sequence[str] | None, Deadline], Response]
    """Run the request of a path, from its fields, over the libraries of these projects, None for all, until a deadline.

    Raises `TerminalError`, and `KeyError` for an unknown path.
    """


AnyConnector = Connector[Any]
AnyAnalyzer = Analyzer[Any]
AnyLibraryAccess = LibraryAccess[Any, Any]
AnyRefresher = Refresher[Any]
"""Those of a kind which is known by its name only."""


@dataclass(frozen=True)
class ScoringLimits:
    """How many scoring tasks run at once, and when scoring ends, in seconds from the start of the search."""

    at_once: int
    target_seconds: float | None


@dataclass(frozen=True, kw_only=True)
class Kind(KindContract, Generic[ScoutTaskT, TranslationT, BatchT, ScoreTaskT, ShortlistT, VerdictT]):
    """A kind of results, generic over its models."""

    default_sources: tuple[str, ...]
    """The sources of a deployment, for a request that names none."""
    connector: Callable[[], AnyConnector]
    models: Models[ScoutTaskT, TranslationT, BatchT, ScoreTaskT, ShortlistT, VerdictT]
    stages: Callable[[], Stages[ScoutTaskT, TranslationT, BatchT, ScoreTaskT, ShortlistT, VerdictT]]
    """Loads the stages: a search of one kind loads those of no other."""
    present: Callable[[], AnyPresentation]
    """Loads how its results are shown."""
    prime: Callable[[], Callable[[], object]]
    """Loads all that searches need, and what loads the tables that a first search would load."""
    scoring_limits: Callable[[PipelineConfig], ScoringLimits] = lambda config: ScoringLimits(
        config.llm_concurrency, config.target_seconds
    )
    link_field: str = ""
    """The field of `Link` that holds the id of one of its results; empty if its results are never linked."""
    library_access: Callable[[], AnyLibraryAccess] | None = None
    """Loads how its libraries are searched; None if there are none."""
    refresher: Callable[[], AnyRefresher] | None = None
    """Loads how it refreshes the file that it searches; None if there is none."""
    analyzer: Callable[[], AnyAnalyzer] | None = None
    """Loads how it analyzes one of its results; None if it does not."""

    def require_own_filters(self, others: Iterable[KindContract]) -> None:
        """Raise `ValueError` if the name of a filter means something else in a request or in another kind."""
        if taken := SearchRequest.model_fields.keys() & self.filters.model_fields.keys():
            raise ValueError(f"a request has another field {min(taken)}")
        forms = {each.name: each.form for kind in others for each in filter_options(kind.filters)}
        for each in filter_options(self.filters):
            if forms.get(each.name, each.form) != each.form:
                raise ValueError(f"another kind has another filter {each.name}")

    def select_sources(self, request: SearchRequest, configured: Sequence[str]) -> tuple[str, ...]:
        """Return the requested or else configured sources, the library first.

        Raises `InvalidRequest` without any, or `SourcesFailed`, which leaves the results of other kinds to the answer,
        if it is the configuration that has none.
        """
        given = request.sources or configured
        own = (self.library_source,) if self.library_source and request.project_id else ()
        if own and request.library_only:
            return own
        names = tuple(dict.fromkeys((*own, *(name for name in given if name in self.sources))))
        if not names:
            listed = f"{'given' if request.sources else 'configured'} {', '.join(given) or 'none'}"
            said = f"{self.name} needs one of {', '.join(self.sources)} ({listed})"
            is_reported = request.sources is None and len(request.kinds) > 1
            raise SourcesFailed(said) if is_reported else InvalidRequest(f"sources: {said}")
        return names


AnyKind = Kind[Task, Translation, Batch, Task, Shortlist, Frozen]
"""A kind that is known by its name only: it gets back what it made itself."""
