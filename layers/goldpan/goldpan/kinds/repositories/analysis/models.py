"""The request for an analysis, the facts that it rests on, what reads them, and the analysis itself."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field

from goldpan.config import Frozen
from goldpan.contracts import Basis, Question, SourceStatus, Unit, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.kinds.repositories.models import Dimension, Repository
from goldpan.kinds.repositories.names import FullName
from goldpan.kinds.repositories.results import RadarPoint, Scores

Subject = Literal[Dimension, "fit"]
"""What a statement is about: a dimension, or how well the repository fits the question."""
ThreadKind = Literal["issue", "pull_request"]


class AnalyzeRequest(Frozen):
    """A repository, and the question that it should fit, if there is one."""

    repo: FullName
    """OWNER/NAME, or the address of its page on GitHub."""
    query: Question | None = None
    """The question that it should fit."""


class Commit(Frozen):
    """When a commit was made, and by whom; a program is no author."""

    at: datetime
    author: str | None = None


class Thread(Frozen):
    """An issue or a pull request: when it was opened, and when another person first responded."""

    kind: ThreadKind
    opened_at: datetime
    answered_at: datetime | None = None


class Dependency(Frozen):
    """A package that a repository depends on, by GitHub's dependency graph; the version is None unless it is exact."""

    package: str
    """Its package URL (purl), without a version."""
    name: str
    version: str | None = None
    vulnerabilities: tuple[str, ...] | None = None
    """The ids of those that are known of the version; None if it was not judged."""


class RepositoryFacts(Frozen):
    """What was read of one repository; None is unknown, and `sources` says why."""

    repository: Repository
    parent: str | None = None
    is_empty: bool = False
    has_security_policy: bool | None = None
    """Of its own or of its owner, as GitHub shows it."""
    has_contribution_guide: bool | None = None
    commits: tuple[Commit, ...] | None = None
    """The last ones on the default branch, newest first, at most 100."""
    threads: tuple[Thread, ...] | None = None
    """The last issues and pull requests that people opened, newest first."""
    release_times: tuple[datetime, ...] | None = None
    paths: tuple[str, ...] | None = None
    """The paths of the first two levels and of the workflows; a folder ends with a slash."""
    has_all_paths: bool = False
    """Whether they are known and none was left out: only then is a file missing that is not among them."""
    dependencies: tuple[Dependency, ...] | None = None
    notes: tuple[str, ...] = ()
    sources: tuple[SourceStatus, ...] = ()


class Statement(Frozen):
    """What was found about a dimension, with its figures, and the page that shows it."""

    id: str
    """The name of the signal."""
    dimension: Subject
    statement: str
    evidence_url: str


class Point(Frozen):
    """A sentence of the language model, and the statements that it rests on."""

    model_config = ConfigDict(extra="ignore")

    text: Annotated[str, Field(min_length=1, max_length=400), AfterValidator(lambda text: " ".join(text.split()))]
    evidence: Annotated[
        tuple[str, ...], Field(min_length=1, max_length=20), AfterValidator(lambda ids: tuple(dict.fromkeys(ids)))
    ]


class Analysis(Frozen):
    """One repository, looked at closely."""

    repo: str
    """The name that it has now."""
    url: str
    description: str | None = None
    query: str | None = None
    relevance: Unit | None = None
    """How well it fits the question, as in a search; null without a question, or if no search could tell."""
    reasoning: str | None = None
    """Why, in the words of what judged it."""
    summary: tuple[Point, ...] = ()
    """What a language model says, if one is configured; empty otherwise."""
    statements: tuple[Statement, ...]
    scores: Scores
    radar_chart_data: tuple[RadarPoint, ...]
    basis: Basis
    """What judged the relevance, the documentation and the ease of use; the statements are always by rules."""
    caveats: tuple[str, ...] = ()
    sources: tuple[SourceStatus, ...] = ()
    usage: Usage = Usage()
    cached: bool = False
    """Whether what was read of it is of the cache."""
    execution_time_ms: int = 0
    analyzed_at: datetime

    def to_json(self, indent: int | None = None) -> str:
        """Serialise the analysis; nulls stay."""
        return self.model_dump_json(indent=indent)


Read = Callable[[str, Deadline], RepositoryFacts]
"""Reads all facts of a repository that can be had in time; a part that failed is a row of `sources`.

Raises `InvalidRequest` if there is no such repository or it is blocked, `CredentialRejected`, or `CallFailed` if
nothing could be read.
"""
