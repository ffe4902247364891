"""The repositories kind, as the engine sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldpan.engine.deadlines import Stage
from goldpan.engine.dependencies import Connections
from goldpan.engine.kind import Kind, Models
from goldpan.infra.settings import Settings
from goldpan.kinds.repositories import rank, score, scout, shortlist, translate
from goldpan.kinds.repositories.models import (
    KIND as NAME,
)
from goldpan.kinds.repositories.models import (
    Batch,
    RepositorySection,
    ScoreTask,
    ScoutTask,
    Shortlist,
    Translation,
    Verdict,
)
from goldpan.kinds.repositories.ports import PlanningSource, RepositorySource
from goldpan.kinds.repositories.question.vocabulary import vocabulary
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS
from goldpan.kinds.repositories.sources.github.settings import (
    SEARCHES_WITH_TOKEN,
    SEARCHES_WITHOUT_TOKEN,
    GitHubSettings,
)


def summary(stage: Stage, value: Any) -> str:
    """Describe the value of a finished stage in one short sentence."""
    if stage == "translate":
        return "Query translated"
    if stage == "scout":
        return f"Found {len(scout.unique_candidates(value))} candidates"
    if stage == "shortlist":
        return f"Shortlisted {len(value.tasks)} repositories"
    if stage == "score":
        return f"Scored {len(value)} repositories"
    return f"Ranked {len(value.section.results)} repositories"


def plan_sources(environment: Mapping[str, str]) -> Mapping[str, RepositorySource]:
    """Make the sources of a function that only plans: a token, or the name of its parameter, allows more searches."""
    has_token = bool(environment.get("GITHUB_TOKEN") or environment.get("GITHUB_TOKEN_PARAMETER"))
    return {"github": PlanningSource(SEARCHES_WITH_TOKEN if has_token else SEARCHES_WITHOUT_TOKEN)}


def connect(names: Sequence[str], settings: Settings, connections: Connections) -> Mapping[str, RepositorySource]:
    """Make GitHub, if it is named; behind the cache, if there is one. A catalogue is made by its caller."""
    if "github" not in names or not isinstance(settings, GitHubSettings):
        return {}
    from goldpan.kinds.repositories.sources.cached import CachedSource  # noqa: PLC0415 - a catalogue needs no client
    from goldpan.kinds.repositories.sources.github.source import GitHub  # noqa: PLC0415

    github = GitHub(settings, connections.http(), connections.rate_limiter, connections.clock)
    if connections.cache is None:
        return {"github": github}
    return {"github": CachedSource(github, connections.cache, connections.clock, settings.identity)}


KIND = Kind(
    name=NAME,
    sources=("github", "catalogue"),
    default_sources=("github",),
    models=Models(
        scout_task=ScoutTask,
        translation=Translation,
        batch=Batch,
        shortlist=Shortlist,
        score_task=ScoreTask,
        verdict=Verdict,
        section=RepositorySection,
    ),
    translate=translate.translate,
    scout=scout.scout,
    shortlist=shortlist.shortlist,
    score=score.score,
    rank=rank.rank,
    plan_fallback=translate.plan_fallback,
    failed_batch=scout.failed_batch,
    unscored=score.unscored,
    summary=summary,
    settings=GitHubSettings,
    rate_limits=RATE_LIMITS,
    plan_sources=plan_sources,
    connect=connect,
    prime=vocabulary,
)
