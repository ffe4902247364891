"""What a kind of results provides: five stages, its models, its rows for lost work, and its sources.

The engine and the state machine carry the values of a kind unread, apart from the fields of the base models below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from goldpan.config import Frozen, PipelineConfig
from goldpan.contracts import SearchRequest, Section
from goldpan.contracts.kind_rules import DEFAULT_SORT
from goldpan.engine.stage_values import Batch, KindResult, Preview, Shortlist, Task, TaskFailure, Translation
from goldpan.errors import InvalidRequest

if TYPE_CHECKING:
    from goldpan.engine.deadlines import Deadline, Stage
    from goldpan.engine.dependencies import Connections, Dependencies
    from goldpan.engine.presentation import AnyPresentation
    from goldpan.engine.problem_details import Response
    from goldpan.infra.encoder.port import Encoder
    from goldpan.infra.rate_limits.limits import Limit
    from goldpan.infra.settings import Settings


def no_previews(_shortlist: Any) -> tuple[Preview, ...]:
    """Return nothing, for a kind that shows nothing before its order."""
    return ()


@dataclass(frozen=True)
class Models:
    """The models of a kind's values, by which the values are parsed at the border of each function."""

    scout_task: type[Task]
    translation: type[Translation]
    batch: type[Batch]
    shortlist: type[Shortlist]
    score_task: type[Task]
    verdict: type[Frozen]
    section: type[Section]


@dataclass(frozen=True)
class Connector:
    """How a kind reaches its sources; loaded only if one of them is needed."""

    settings: type[Settings]
    """The environment variables of the sources."""
    rate_limits: Mapping[str, Sequence[Limit]]
    """The documented limits of the sources."""
    connect: Callable[[Sequence[str], Any, Connections], Mapping[str, Any]]
    """Make the named sources from their settings."""
    plan: Callable[[Mapping[str, str]], Mapping[str, Any]]
    """Make the sources of a function that only plans searches, from its environment."""
    readers: Callable[[Any, Connections], Any] | None = None
    """Make what an analysis of one result reads from, from the settings; None if the kind has no analysis."""


@dataclass(frozen=True)
class Analyzer:
    """How a kind analyzes one of its results on demand."""

    parse: Callable[[object], Any]
    """Parse a request from plain data; raises `InvalidRequest`."""
    analyze: Callable[[Any, Dependencies, Deadline], Any]
    """Analyze; the analysis has `to_json` and `usage`. Raises `TerminalError`."""


@dataclass(frozen=True)
class LibraryAccess:
    """How a kind searches the libraries of users; loaded only where there are libraries."""

    open: Callable[[Any, Encoder | None], Any]
    """Make the libraries, as `Dependencies.libraries`, from where their files lie."""
    source: Callable[[Any], Any]
    """Make the source `library_source` from the libraries."""
    respond: Callable[[str, Any, Any, Sequence[str] | None, Deadline], Response]
    """Run the request of a path, from its fields, over the libraries of these projects, None for all, until a deadline.

    Raises `TerminalError`, and `KeyError` for an unknown path.
    """
    load: Callable[[], object]
    """Load what a search of a library needs, before a snapshot."""


@dataclass(frozen=True)
class ScoringLimits:
    """How many scoring tasks run at once, and when scoring ends, in seconds from the start of the search."""

    at_once: int
    target_seconds: float | None


def configured_limits(config: PipelineConfig) -> ScoringLimits:
    """Return the limits that the request sets."""
    return ScoringLimits(config.llm_concurrency, config.target_seconds)


@dataclass(frozen=True)
class Kind:
    """A kind of results; `dataclasses.replace` exchanges a stage, for tests and benchmarks."""

    name: str
    sources: tuple[str, ...]
    """The sources that a request may name for this kind."""
    default_sources: tuple[str, ...]
    """The sources of a deployment, for a request that names none."""
    connector: Callable[[], Connector]
    models: Models
    translate: Callable[[SearchRequest, Sequence[str], Dependencies, Deadline], Any]
    scout: Callable[[Any, Dependencies, Deadline], Any]
    shortlist: Callable[[Sequence[Any], Any, SearchRequest, Dependencies, Deadline], Any]
    score: Callable[[Any, SearchRequest, Dependencies, Deadline], Any]
    rank: Callable[[Any, Sequence[Any], Any, SearchRequest, datetime], KindResult]
    plan_fallback: Callable[[Any, SearchRequest, Sequence[str], Dependencies, str], Any]
    """Plan the same question for other sources; the text says why."""
    failed_batch: Callable[[Any, TaskFailure], Any]
    """Make the batch of a scout task that has no result."""
    unscored: Callable[[Any, TaskFailure], Any]
    """Make the verdict of a scoring task that has no result."""
    summary: Callable[[Stage, Any], str]
    """Describe the value of a finished stage in one short sentence; scout has a list of batches, score of verdicts."""
    prime: Callable[[], object]
    """Load the tables that a first search would load."""
    preview: Callable[[Any], tuple[Preview, ...]] = no_previews
    """List the best of a shortlist, for people who watch a search."""
    filters: type[Frozen] = Frozen
    """The filters that a request may have for this kind, each with a default; none by default."""
    sorts: tuple[str, ...] = (DEFAULT_SORT,)
    """The orders that a request may ask for."""
    scoring_limits: Callable[[PipelineConfig], ScoringLimits] = configured_limits
    link_field: str = ""
    """The field of `Link` that holds the id of one of its results; empty if its results are never linked."""
    continues: bool = False
    """Whether a request may continue an earlier search, by `previous_strategies` and `feedback`."""
    library_source: str = ""
    """The source that searches the library of a request's project; empty if the kind searches no libraries."""
    library_access: Callable[[], LibraryAccess] | None = None
    """Loads how its libraries are searched; None if there are none."""
    analyzer: Analyzer | None = None
    present: Callable[[], AnyPresentation] | None = None
    """Loads how its results are shown; None for the generic presentation."""
    require_comparable: Callable[[str], str] | None = None
    """Return the id of a result that is to be compared, or raise `ValueError`; None if the kind compares none."""

    @property
    def section(self) -> type[Section]:
        """The model of its section of the answer."""
        return self.models.section

    def select_sources(self, request: SearchRequest, configured: Sequence[str]) -> tuple[str, ...]:
        """Return the sources of this kind among the requested ones, or else among the configured ones.

        The library of the request's project comes first, or alone. Raises `InvalidRequest` if there are none.
        """
        given = request.sources or configured
        own = (self.library_source,) if self.library_source and request.project_id else ()
        if own and request.library_only:
            return own
        names = tuple(dict.fromkeys((*own, *(name for name in given if name in self.sources))))
        if not names:
            listed = ", ".join(given) or "none"
            message = f"sources: {self.name} needs one of {', '.join(self.sources)} (given {listed})"
            raise InvalidRequest(message)
        return names


def loaded_when_called(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports another one when it is called: a search of one kind loads no other."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call
