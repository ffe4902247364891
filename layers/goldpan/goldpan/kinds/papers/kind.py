"""The papers kind, as the engine sees it."""

from __future__ import annotations

from datetime import date
from typing import Any

from goldpan.config import PipelineConfig
from goldpan.engine.deadlines import Stage
from goldpan.engine.kind import Connector, Kind, Models, Pace
from goldpan.kinds.papers import rank, score, scout, shortlist, translate
from goldpan.kinds.papers.constraints import Filters
from goldpan.kinds.papers.models import KIND as NAME
from goldpan.kinds.papers.models import (
    Batch,
    PaperSection,
    ScoreTask,
    ScoutTask,
    Shortlist,
    Translation,
    Verdict,
)

SOURCES = ("openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi")


def pace(config: PipelineConfig) -> Pace:
    """Score one batch after the other: a provider counts the tokens of a minute, and a batch holds ten papers."""
    return Pace(1, config.papers_target_seconds)


def summary(stage: Stage, value: Any) -> str:
    """Describe the value of a finished stage in one short sentence."""
    if stage == "translate":
        return "Query translated"
    if stage == "scout":
        return f"Found {scout.count_records(value)} records of papers"
    if stage == "shortlist":
        return f"Shortlisted {_count(value.tasks)} papers"
    if stage == "score":
        return f"Scored {sum(len(verdict.papers) for verdict in value)} papers"
    return f"Ranked {len(value.section.results)} papers"


def _count(tasks: tuple[ScoreTask, ...]) -> int:
    return sum(len(task.candidates) for task in tasks)


def connector() -> Connector:
    """Load the connector of the sources."""
    from goldpan.kinds.papers.sources.connector import CONNECTOR  # noqa: PLC0415 - loaded if a source is needed

    return CONNECTOR


def prime() -> None:
    """Load the tables that a question is read by, and the code that only a language model needs."""
    from goldpan.kinds.papers import score_llm  # noqa: PLC0415 - not on the path of every search
    from goldpan.kinds.papers.question import llm  # noqa: PLC0415
    from goldpan.kinds.papers.question.intent_parser import load_all, parse_intent  # noqa: PLC0415

    del llm, score_llm
    load_all()
    parse_intent("surveys of retreival augmented generation since 2020", today=date.min)


KIND = Kind(
    name=NAME,
    sources=SOURCES,
    default_sources=SOURCES,
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
    translate=translate.translate,
    scout=scout.scout,
    shortlist=shortlist.shortlist,
    score=score.score,
    rank=rank.rank,
    plan_fallback=translate.plan_fallback,
    failed_batch=scout.failed_batch,
    unscored=score.unscored,
    summary=summary,
    prime=prime,
    filters=Filters,
    sorts=rank.SORTS,
    pace=pace,
    continues=True,
    noun="paper",
)
