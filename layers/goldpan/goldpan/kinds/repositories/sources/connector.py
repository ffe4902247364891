"""How the repositories kind reaches its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldpan.engine.dependencies import Connections
from goldpan.engine.kind import Connector
from goldpan.kinds.repositories.analysis.ports import Readers
from goldpan.kinds.repositories.ports import PlanningSource, RepositorySource
from goldpan.kinds.repositories.sources.cached import CachedSource
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS
from goldpan.kinds.repositories.sources.github.settings import (
    SEARCHES_WITH_TOKEN,
    SEARCHES_WITHOUT_TOKEN,
    GitHubSettings,
)
from goldpan.kinds.repositories.sources.github.source import GitHub


def plan(environment: Mapping[str, str]) -> Mapping[str, PlanningSource]:
    """Make the sources of a function that only plans: a token, or the name of its parameter, allows more searches."""
    has_token = bool(environment.get("GITHUB_TOKEN") or environment.get("GITHUB_TOKEN_PARAMETER"))
    return {"github": PlanningSource(SEARCHES_WITH_TOKEN if has_token else SEARCHES_WITHOUT_TOKEN)}


def connect(names: Sequence[str], settings: GitHubSettings, connections: Connections) -> Mapping[str, RepositorySource]:
    """Make GitHub, if it is named, behind the cache, if there is one; a catalogue is opened by its caller."""
    if "github" not in names:
        return {}
    github = GitHub(settings, connections.http(), connections.rate_limiter, connections.clock)
    if connections.cache is None:
        return {"github": github}
    return {"github": CachedSource(github, connections.cache, connections.clock, settings.identity)}


def readers(settings: GitHubSettings, connections: Connections) -> Readers:
    """Make what an analysis reads from."""
    from goldpan.kinds.repositories.sources.readers import make_readers  # noqa: PLC0415 - no search needs it

    return make_readers(settings, connections)


CONNECTOR = Connector(settings=GitHubSettings, rate_limits=RATE_LIMITS, connect=connect, plan=plan, readers=readers)
