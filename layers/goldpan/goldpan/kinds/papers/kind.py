"""The papers kind, as the engine sees it; its stages are loaded when they are called."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from goldpan.config import PipelineConfig
from goldpan.engine.deadlines import Stage
from goldpan.engine.kind import Connector, Kind, LibraryAccess, Models, ScoringLimits, loaded_when_called
from goldpan.engine.presentation import AnyPresentation
from goldpan.engine.stage_values import MAX_PREVIEWS, Preview
from goldpan.kinds.papers.constraints import Filters
from goldpan.kinds.papers.models import KIND as NAME
from goldpan.kinds.papers.models import (
    LIBRARY,
    Batch,
    PaperSection,
    ScoreTask,
    ScoutTask,
    Shortlist,
    Translation,
    Verdict,
)

SORTS = ("relevance", "citations", "year")
ACADEMIC_SOURCES = ("openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi")


def stage(module: str, name: str = "") -> Callable[..., Any]:
    """Return the function of a stage."""
    return loaded_when_called(f"goldpan.kinds.papers.{module}", name or module)


def scoring_limits(config: PipelineConfig) -> ScoringLimits:
    """Score one batch after the other: a provider counts the tokens of a minute, and a batch holds ten papers."""
    return ScoringLimits(1, config.papers_target_seconds)


def summary(finished: Stage, value: Any) -> str:
    """Describe the value of a finished stage in one short sentence."""
    if finished == "translate":
        return "Query translated"
    if finished == "scout":
        return f"Found {sum(len(batch.papers) for batch in value)} records of papers"
    if finished == "shortlist":
        return f"Shortlisted {_count(value.tasks)} papers"
    if finished == "score":
        return f"Scored {sum(len(verdict.papers) for verdict in value)} papers"
    return f"Ranked {len(value.section.results)} papers"


def _count(tasks: tuple[ScoreTask, ...]) -> int:
    return sum(len(task.candidates) for task in tasks)


def preview(shortlist: Shortlist) -> tuple[Preview, ...]:
    """List the best papers of a shortlist."""
    found = [one.merged.paper for task in shortlist.tasks for one in task.candidates][:MAX_PREVIEWS]
    return tuple(Preview(title=each.title, url=each.url, text=each.venue) for each in found)


def connector() -> Connector:
    """Load the connector of the sources."""
    from goldpan.kinds.papers.sources.connector import CONNECTOR  # noqa: PLC0415 - loaded if a source is needed

    return CONNECTOR


def library_access() -> LibraryAccess:
    """Load how the libraries of users are searched."""
    from goldpan.kinds.papers.sources.library.access import ACCESS  # noqa: PLC0415 - loaded where there are libraries

    return ACCESS


def present() -> AnyPresentation:
    """Load how papers are shown."""
    from goldpan.kinds.papers.present import PRESENTATION  # noqa: PLC0415 - no search needs it

    return PRESENTATION


def prime() -> None:
    """Load the tables that a question is read by, the sources, and the code that only a language model needs."""
    from goldpan.kinds.papers import rank, score_llm, scout, shortlist, translate  # noqa: PLC0415 - at the first search
    from goldpan.kinds.papers.question import llm  # noqa: PLC0415
    from goldpan.kinds.papers.question.intent_parser import load_all, parse_intent  # noqa: PLC0415
    from goldpan.kinds.papers.sources.connector import load_all as load_sources  # noqa: PLC0415

    del llm, rank, score_llm, scout, shortlist, translate
    load_all()
    load_sources()
    parse_intent("surveys of retreival augmented generation since 2020", today=date.min)


KIND = Kind(
    name=NAME,
    sources=(*ACADEMIC_SOURCES, LIBRARY),
    default_sources=ACADEMIC_SOURCES,
    connector=connector,
    models=Models(
        scout_task=ScoutTask,
        translation=Translation,
        batch=Batch,
        shortlist=Shortlist,
        score_task=ScoreTask,
        verdict=Verdict,
        section=PaperSection,
    ),
    translate=stage("translate"),
    scout=stage("scout"),
    shortlist=stage("shortlist"),
    score=stage("score"),
    rank=stage("rank"),
    plan_fallback=stage("translate", "plan_fallback"),
    failed_batch=stage("scout", "failed_batch"),
    unscored=stage("score", "unscored"),
    summary=summary,
    prime=prime,
    preview=preview,
    present=present,
    filters=Filters,
    sorts=SORTS,
    scoring_limits=scoring_limits,
    continues=True,
    library_source=LIBRARY,
    library_access=library_access,
    link_field="paper",
)
