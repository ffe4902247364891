"""The repositories kind, as the engine sees it; what it does is loaded when it is needed."""

from goldpan.engine.kind import Kind
from goldpan.engine.loading import Loaded
from goldpan.engine.stages import Models
from goldpan.kinds.repositories.constraints import Filters
from goldpan.kinds.repositories.models import CATALOGUE, Batch, ScoreTask, ScoutTask, Shortlist, Translation, Verdict
from goldpan.kinds.repositories.models import KIND as NAME
from goldpan.kinds.repositories.names import require_full_name
from goldpan.kinds.repositories.results import RepositorySection

PACKAGE = "goldpan.kinds.repositories"

KIND = Kind(
    name=NAME,
    sources=("github", CATALOGUE),
    default_sources=("github", CATALOGUE),
    connector=Loaded(f"{PACKAGE}.sources.connector:CONNECTOR"),
    models=Models(ScoutTask, Translation, Batch, Shortlist, ScoreTask, Verdict),
    section=RepositorySection,
    stages=Loaded(f"{PACKAGE}.stages:STAGES"),
    prime=Loaded(f"{PACKAGE}.prime:prime"),
    present=Loaded(f"{PACKAGE}.present:PRESENTATION"),
    filters=Filters,
    sorts=("relevance", "stars", "pushed", "overall"),
    continues=True,
    link_field="repository",
    refresher=Loaded(f"{PACKAGE}.sources.catalogue.update:REFRESHER"),
    analyzer=Loaded(f"{PACKAGE}.analysis.analyze:ANALYZER"),
    require_comparable=require_full_name,
)
