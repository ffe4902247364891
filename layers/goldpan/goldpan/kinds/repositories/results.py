"""The ranked repositories of an answer."""

from datetime import datetime

from goldpan.config import Frozen
from goldpan.contracts import Score, Section
from goldpan.engine.payload import Address
from goldpan.engine.presentation import RankedResult
from goldpan.kinds.repositories.models import Dimension


class Scores(Frozen):
    """Six dimensions and their weighted mean, 0-10; null if no signal is known."""

    maturity: Score = None
    activity: Score = None
    documentation: Score = None
    community: Score = None
    ease_of_use: Score = None
    maintenance: Score = None
    overall: Score = None


class RadarPoint(Frozen):
    """One axis of the radar chart."""

    dimension: Dimension
    score: Score
    max: int = 10


class Release(Frozen):
    """A release: its name or tag, and when it was published."""

    name: str | None = None
    at: datetime | None = None


class RepositoryFacts(Frozen):
    """What a repository is; a fact that is not known is null."""

    repo: str
    """Owner and name."""
    name: str
    description: str | None
    note: str | None = None
    """What goldpan itself says about it, where that is known; it is no description by its owner."""
    url: str
    homepage: Address = None
    stars: int | None
    forks: int | None = None
    language: str | None
    topics: tuple[str, ...] = ()
    license: str | None = None
    """An SPDX identifier."""
    pushed_at: datetime | None = None
    created_at: datetime | None = None
    latest_release: Release | None = None
    archived: bool | None = None


class RankedRepository(RankedResult, RepositoryFacts):
    """One result: what it is, how well it fits and why."""

    missing: tuple[str, ...] = ()
    """The subjects of the question that nothing of the repository shows."""
    beyond_range: bool = False
    """Whether it follows those within the range that the question prefers."""
    group: str | None = None
    """The heading under which it stands: "2 with 10 to 500 stars; others that fit" above those with more."""
    scores: Scores
    radar_chart_data: tuple[RadarPoint, ...]


class RepositorySection(Section):
    """The ranked repositories."""

    results: tuple[RankedRepository, ...]
    weaker: tuple[RankedRepository, ...] = ()
