"""How the repositories kind reaches its sources."""

from collections.abc import Mapping, Sequence

from goldpan.engine.dependencies import Connections
from goldpan.engine.kind import Check, Connector
from goldpan.kinds.repositories.analysis.models import Read
from goldpan.kinds.repositories.models import CATALOGUE
from goldpan.kinds.repositories.ports import PlanningSource, RepositorySource
from goldpan.kinds.repositories.sources.cached import CachedSource
from goldpan.kinds.repositories.sources.catalogue.deployed import DeployedCatalogue
from goldpan.kinds.repositories.sources.catalogue.reader import WITH_VECTORS, Catalogue, open_sample
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS, TOKEN, GitHubSettings, is_enterprise
from goldpan.kinds.repositories.sources.github.source import GitHub, GitHubWithToken, open_github


def plan(environment: Mapping[str, str]) -> Mapping[str, PlanningSource]:
    """Make the sources of a function that only plans; a GitHub of a company has no repository of the catalogue."""
    source = GitHubWithToken if environment.get("GITHUB_TOKEN") else GitHub
    github = {"github": PlanningSource(source.searches_a_question)}
    if is_enterprise(environment.get("GITHUB_API_URL", "")):
        return github
    return github | {CATALOGUE: PlanningSource(Catalogue.searches_a_question, WITH_VECTORS)}


def connect(names: Sequence[str], settings: GitHubSettings, connections: Connections) -> Mapping[str, RepositorySource]:
    """Make GitHub, behind the cache if there is one, and open the embedded catalogue, where they are named."""
    made = dict[str, RepositorySource]()
    if "github" in names:
        github = open_github(settings, connections)
        cache = connections.cache
        made["github"] = CachedSource(github, cache, connections.clock, settings.identity) if cache else github
    if CATALOGUE in names:
        files, encoder = connections.files, connections.encoder
        made[CATALOGUE] = DeployedCatalogue(files, encoder, connections.clock) if files else open_sample(encoder)
    return made


def readers(settings: GitHubSettings, connections: Connections) -> Read:
    """Make what reads a repository for an analysis."""
    from goldpan.kinds.repositories.sources.readers import make_reader  # noqa: PLC0415 - no search needs it

    return make_reader(settings, connections)


def checks(settings: GitHubSettings, connections: Connections) -> Mapping[str, Check]:
    """Make what asks GitHub for what is left of its limits, which is free."""
    return {TOKEN.name: GitHubClient(settings, connections).remaining}


CONNECTOR = Connector(GitHubSettings, RATE_LIMITS, connect, plan, readers, (TOKEN,), checks)
