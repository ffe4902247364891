"""The repositories kind, as the engine sees it; what it does is loaded when it is needed."""

from __future__ import annotations

from goldpan.engine.kind import AnyAnalyzer, AnyConnector, Kind
from goldpan.engine.presentation import AnyPresentation
from goldpan.engine.stages import Models, Stages
from goldpan.kinds.repositories.constraints import Filters
from goldpan.kinds.repositories.full_name import require_full_name
from goldpan.kinds.repositories.models import CATALOGUE, Batch, ScoreTask, ScoutTask, Shortlist, Translation, Verdict
from goldpan.kinds.repositories.models import KIND as NAME
from goldpan.kinds.repositories.results import RepositorySection

SORTS = ("relevance", "stars", "pushed", "overall")


def stages() -> Stages[ScoutTask, Translation, Batch, ScoreTask, Shortlist, Verdict]:
    """Load the stages."""
    from goldpan.kinds.repositories.stages import STAGES  # noqa: PLC0415 - a search of papers need not wait for them

    return STAGES


def connector() -> AnyConnector:
    """Load the connector of the sources."""
    from goldpan.kinds.repositories.sources.connector import CONNECTOR  # noqa: PLC0415 - a catalogue needs no client

    return CONNECTOR


def analyzer() -> AnyAnalyzer:
    """Load how a repository is analyzed."""
    from goldpan.kinds.repositories.analysis.analyze import ANALYZER  # noqa: PLC0415 - no search needs it

    return ANALYZER


def present() -> AnyPresentation:
    """Load how repositories are shown."""
    from goldpan.kinds.repositories.present import PRESENTATION  # noqa: PLC0415 - a function on AWS shows nothing

    return PRESENTATION


def prime() -> None:
    """Load all that searches and analyses need."""
    from goldpan.kinds.repositories.prime import prime as load_all  # noqa: PLC0415 - all of it is what it loads

    load_all()


KIND = Kind(
    name=NAME,
    sources=("github", CATALOGUE),
    default_sources=("github", CATALOGUE),
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
    stages=stages,
    prime=prime,
    present=present,
    filters=Filters,
    sorts=SORTS,
    link_field="repository",
    analyzer=analyzer,
    require_comparable=require_full_name,
)
