"""The repositories kind, as the engine sees it."""

from __future__ import annotations

from datetime import date
from typing import Any

from goldpan.engine.deadlines import Stage
from goldpan.engine.kind import Analyzer, Connector, Kind, Models, loaded_when_called
from goldpan.engine.presentation import AnyPresentation
from goldpan.engine.stage_values import MAX_PREVIEWS, Preview
from goldpan.kinds.repositories import rank, score, scout, shortlist, translate
from goldpan.kinds.repositories.constraints import Filters
from goldpan.kinds.repositories.full_name import require_full_name
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


def preview(shortlist: Shortlist) -> tuple[Preview, ...]:
    """List the best repositories of a shortlist."""
    found = (task.repository for task in shortlist.tasks[:MAX_PREVIEWS])
    return tuple(Preview(title=each.full_name, url=each.url, text=each.description) for each in found)


def connector() -> Connector:
    """Load the connector of the sources."""
    from goldpan.kinds.repositories.sources.connector import CONNECTOR  # noqa: PLC0415 - a catalogue needs no client

    return CONNECTOR


def prime() -> None:
    """Load the tables that a question is read by, and the code that only some questions or a language model need."""
    from goldpan.kinds.repositories import likeness, score_llm  # noqa: PLC0415 - not on the path of every search
    from goldpan.kinds.repositories.analysis import analyze  # noqa: PLC0415
    from goldpan.kinds.repositories.question import llm  # noqa: PLC0415
    from goldpan.kinds.repositories.question.reading import identity  # noqa: PLC0415
    from goldpan.kinds.repositories.question.reading.reader import load_all, read_question  # noqa: PLC0415
    from goldpan.kinds.repositories.question.reading.spelling import repository_words  # noqa: PLC0415
    from goldpan.kinds.repositories.sources import osv  # noqa: PLC0415
    from goldpan.kinds.repositories.sources.github.analysis import reader  # noqa: PLC0415

    del analyze, identity, likeness, llm, osv, reader, score_llm
    load_all()
    read_question("kuberntes", today=date.min, known=repository_words)


def present() -> AnyPresentation:
    """Load how repositories are shown."""
    from goldpan.kinds.repositories.present import PRESENTATION  # noqa: PLC0415 - no search needs it

    return PRESENTATION


ANALYSIS = "goldpan.kinds.repositories.analysis.analyze"
KIND = Kind(
    name=NAME,
    sources=("github", "catalogue"),
    default_sources=("github",),
    connector=connector,
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
    prime=prime,
    preview=preview,
    present=present,
    filters=Filters,
    sorts=rank.SORTS,
    link_field="repository",
    analyzer=Analyzer(loaded_when_called(ANALYSIS, "parse_analyze_request"), loaded_when_called(ANALYSIS, "analyze")),
    require_comparable=require_full_name,
)
