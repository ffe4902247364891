"""The papers kind, as the engine sees it; what it does is loaded when it is needed."""

from typing import get_args

from goldpan.contracts.kinds import DEFAULT_PREFERENCE, MAX_LONG_QUERY_CHARS
from goldpan.engine.kind import Kind, ScoringLimits
from goldpan.engine.loading import Loaded
from goldpan.engine.stages import Models
from goldpan.kinds.papers import models
from goldpan.kinds.papers.constraints import Filters
from goldpan.kinds.papers.models import HYBRID, LIBRARY, Preference
from goldpan.kinds.papers.models import KIND as NAME
from goldpan.kinds.papers.results import PaperCollection
from goldpan.plugins import SOURCES_GROUP, offered

PACKAGE = "goldpan.kinds.papers"
ACADEMIC_SOURCES = ("openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi")
PLUGINS = offered(SOURCES_GROUP, (*ACADEMIC_SOURCES, LIBRARY, HYBRID, "github", "catalogue"))
"""The sources that other distributions offer, by name."""
KIND = Kind(
    name=NAME,
    sources=(*ACADEMIC_SOURCES, *PLUGINS, LIBRARY),
    default_sources=(*ACADEMIC_SOURCES, *PLUGINS),
    connector=Loaded(f"{PACKAGE}.sources.connector:CONNECTOR"),
    models=Models(
        models.ScoutTask, models.Translation, models.Batch, models.Shortlist, models.ScoreTask, models.Verdict
    ),
    section=PaperCollection,
    stages=Loaded(f"{PACKAGE}.stages:STAGES"),
    prime=Loaded(f"{PACKAGE}.prime:prime"),
    present=Loaded(f"{PACKAGE}.present:PRESENTATION"),
    filters=Filters,
    sorts=("relevance", "citations", "year"),
    preferences=(DEFAULT_PREFERENCE, *get_args(Preference)),
    # one batch after the other: a provider counts the tokens of a minute, and a batch holds ten papers
    scoring_limits=lambda config: ScoringLimits(1, config.papers_target_seconds),
    max_query_chars=MAX_LONG_QUERY_CHARS,
    continues=True,
    library_source=LIBRARY,
    library_access=Loaded(f"{PACKAGE}.sources.library.requests:ACCESS"),
    link_field="paper",
)
