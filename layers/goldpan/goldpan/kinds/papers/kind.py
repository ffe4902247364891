"""The papers kind, as the engine sees it; what it does is loaded when it is needed."""

from __future__ import annotations

from goldpan.config import PipelineConfig
from goldpan.engine.kind import AnyConnector, AnyLibraryAccess, Kind, ScoringLimits
from goldpan.engine.presentation import AnyPresentation
from goldpan.engine.stages import Models, Stages
from goldpan.kinds.papers.constraints import Filters
from goldpan.kinds.papers.models import KIND as NAME
from goldpan.kinds.papers.models import LIBRARY, Batch, ScoreTask, ScoutTask, Shortlist, Translation, Verdict
from goldpan.kinds.papers.results import PaperSection

SORTS = ("relevance", "citations", "year")
ACADEMIC_SOURCES = ("openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi")


def scoring_limits(config: PipelineConfig) -> ScoringLimits:
    """Score one batch after the other: a provider counts the tokens of a minute, and a batch holds ten papers."""
    return ScoringLimits(1, config.papers_target_seconds)


def stages() -> Stages[ScoutTask, Translation, Batch, ScoreTask, Shortlist, Verdict]:
    """Load the stages."""
    from goldpan.kinds.papers.stages import STAGES  # noqa: PLC0415 - 0.2 s that a search of repositories need not wait

    return STAGES


def connector() -> AnyConnector:
    """Load the connector of the sources."""
    from goldpan.kinds.papers.sources.connector import CONNECTOR  # noqa: PLC0415 - a search by a catalogue needs none

    return CONNECTOR


def library_access() -> AnyLibraryAccess:
    """Load how the libraries of users are searched."""
    from goldpan.kinds.papers.sources.library.access import ACCESS  # noqa: PLC0415 - few searches have a library

    return ACCESS


def present() -> AnyPresentation:
    """Load how papers are shown."""
    from goldpan.kinds.papers.present import PRESENTATION  # noqa: PLC0415 - a function on AWS shows nothing

    return PRESENTATION


def prime() -> None:
    """Load all that searches need."""
    from goldpan.kinds.papers.prime import prime as load_all  # noqa: PLC0415 - all of it is what it loads

    load_all()


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
    stages=stages,
    prime=prime,
    present=present,
    filters=Filters,
    sorts=SORTS,
    scoring_limits=scoring_limits,
    continues=True,
    library_source=LIBRARY,
    library_access=library_access,
    link_field="paper",
)
