"""What one stage of the repositories kind hands to the next."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from goldpan.config import Frozen
from goldpan.contracts import (
    Basis,
    ExecutionTime,
    FoundBy,
    Mode,
    RankedRepository,
    Score,
    Source,
    SourceStatus,
    StageError,
    Strategy,
    Unit,
    Usage,
)
from goldpan.engine.payload import BATCH_BYTES, FAILURE_BYTES, cut


class StarRange(Frozen):
    """How many stars the question asks for; None is open."""

    min: Annotated[int, Field(ge=0)] | None = None
    max: Annotated[int, Field(ge=0)] | None = None


class SearchParams(Frozen):
    """The question as parameters of a search for repositories."""

    keywords: tuple[str, ...]
    expanded_keywords: tuple[str, ...] = ()
    language: str | None = None
    star_range: StarRange | None = None
    created_after: date | None = None
    topics: tuple[str, ...] = ()


class RepositorySearch(Frozen):
    """One search: every word must occur; the qualifiers mean what they mean at GitHub."""

    words: tuple[str, ...]
    language: str | None = None
    topics: tuple[str, ...] = ()
    stars: StarRange = StarRange()
    created_after: date | None = None
    pushed_after: date | None = None
    sort: Literal["best_match", "stars", "updated"] = "best_match"


class ScoutTask(Frozen):
    """One strategy at one source: its searches and how many bytes its batch may take."""

    strategy: Strategy
    source: Source
    searches: tuple[RepositorySearch, ...]
    params: SearchParams
    byte_allowance: int = BATCH_BYTES


class ReadmeOutline(Frozen):
    """What the structure of a README shows, without its text."""

    characters: int
    headings: int
    code_blocks: int
    links: int
    images: int
    sections: tuple[str, ...] = ()
    """Of: install, usage, examples, api, contributing, license, docs."""


MAX_LABEL, MAX_URL = 60, 400
Label = Annotated[str | None, AfterValidator(lambda text: text and text[:MAX_LABEL])]


class Repository(Frozen):
    """Facts about a repository as one source told them; None is unknown."""

    full_name: str
    description: str | None = None
    url: Annotated[str | None, AfterValidator(lambda url: url if url and len(url) <= MAX_URL else None)] = None
    stars: int | None = None
    forks: int | None = None
    language: Label = None
    topics: tuple[str, ...] = ()
    pushed_at: datetime | None = None
    created_at: datetime | None = None
    archived: bool | None = None
    fork: bool | None = None
    parent_stars: int | None = None
    license: Label = None
    observed: dict[str, date] = {}
    """The day on which a fact was seen, where that was not today."""
    readme: str | None = None
    has_readme: bool | None = None
    readme_outline: ReadmeOutline | None = None
    tree: tuple[str, ...] | None = None
    releases: int | None = None
    latest_release_at: datetime | None = None
    open_issues: int | None = None
    closed_issues: int | None = None
    merged_pull_requests: int | None = None
    recent_commits: int | None = None
    watchers: int | None = None
    contributors: int | None = None


class Batch(Frozen):
    """What one scout brought: its status and its candidates, best first."""

    status: SourceStatus
    candidates: tuple[Repository, ...] = ()


class Translation(Frozen):
    """The question as parameters, and the scout tasks to run."""

    params: SearchParams
    tasks: tuple[ScoutTask, ...]
    usage: Usage = Usage()
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()
    scoring_calls: int = 0
    """LLM calls left for scoring."""


class ScoreTask(Frozen):
    """One repository to be judged: its facts, its rules-only relevance, and the strategies that found it."""

    repository: Repository
    relevance: Unit
    evidence: tuple[str, ...] = ()
    """The words of the repository that earned the relevance."""
    found_by: tuple[FoundBy, ...]
    ask_llm: bool = False


class Shortlist(Frozen):
    """All batches as one: the scoring tasks, best first, and what became of the rest."""

    tasks: tuple[ScoreTask, ...]
    total_candidates: int
    sources: tuple[SourceStatus, ...]
    dropped: dict[str, int] = {}
    """How many repositories each coarse rule dropped."""
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()


class Verdict(Frozen):
    """What scoring says of one repository; without an LLM only the rules speak."""

    full_name: str
    relevance: Unit
    documentation: Score = None
    ease_of_use: Score = None
    reasoning: str
    basis: Basis
    caveats: tuple[str, ...] = ()
    usage: Usage = Usage()
    failure: Annotated[str, AfterValidator(lambda text: cut(text, FAILURE_BYTES))] | None = None


class Unscored(Frozen):
    """A repository whose scoring brought no verdict: the rules speak for it, and the answer says why."""

    full_name: str
    failure: str
    usage: Usage = Usage()


class SearchState(Frozen):
    """The state of the pipeline, as it grows from stage to stage."""

    user_query: str
    search_mode: Mode = "balanced"
    search_params: SearchParams | None = None
    candidate_repos: tuple[Repository, ...] = ()
    coarse_filtered_repos: tuple[Repository, ...] = ()
    top_repos: tuple[RankedRepository, ...] = ()
    execution_time: ExecutionTime = ExecutionTime()
    errors: tuple[StageError, ...] = ()
