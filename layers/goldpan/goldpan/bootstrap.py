"""The one place where real clients are made; nothing is made at import."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from goldpan.aws.counted_model import CountedModel
from goldpan.aws.counts import COUNTS
from goldpan.aws.secrets import resolve_secrets
from goldpan.contracts import Source
from goldpan.engine.deadlines import Clock, WallClock
from goldpan.engine.runtime import Runtime
from goldpan.infra.rate_limits.limits import LIMITS, Limits, rate_limit_key, with_warm_up_limits
from goldpan.infra.rate_limits.port import RateLimiter, WarmUpRateLimiter
from goldpan.infra.stores import Stores, deployed_stores, machine_stores
from goldpan.kinds.repositories.ports import Dependencies, PlanningSource, RepositorySource
from goldpan.kinds.repositories.sources.cached import CachedSource
from goldpan.settings import (
    SEARCHES_WITH_TOKEN,
    SEARCHES_WITHOUT,
    GitHubParameters,
    GitHubSettings,
    LocalSettings,
    ModelParameters,
    ModelSettings,
    ScoutSettings,
    ScreenerSettings,
    TranslatorSettings,
)

if TYPE_CHECKING:
    from goldpan.infra.http import HttpClient
    from goldpan.infra.llm.openai import OpenAIModel

DEPLOYED_SOURCES: tuple[Source, ...] = ("github",)
"""What the deployment asks where a request names no source."""


def local_runtime(environment: Mapping[str, str], catalogue: RepositorySource | None, name: str = "") -> Runtime:
    """Make the runtime of one machine: GitHub first, the catalogue where GitHub fails; `name` tells which that is."""
    settings, clock = LocalSettings.from_environment(environment), WallClock()
    model, stores, http = language_model(settings), machine_stores(settings.cache_file(), clock), http_client()
    github = github_source(settings, http, clock, stores, stores.budget)
    behind: dict[str, RepositorySource] = {} if catalogue is None else {"catalogue": catalogue}
    return Runtime(
        _ports(clock, {"github": github, **behind}, model, stores),
        ("github",),
        ("catalogue",) if behind else (),
        clock,
        _identity(settings, name),
        (http.close, *_closing(model, stores)),
    )


def offline_runtime(
    environment: Mapping[str, str], catalogue: RepositorySource | None, name: str, asked: Sequence[Source]
) -> Runtime:
    """Make the runtime without GitHub, whose client would cost an import."""
    settings, clock = LocalSettings.from_environment(environment), WallClock()
    model, stores = language_model(settings), machine_stores(settings.cache_file(), clock)
    sources = {} if catalogue is None else {"catalogue": catalogue}
    dependencies = _ports(clock, sources, model, stores)
    return Runtime(dependencies, tuple(asked), (), clock, _identity(settings, name), _closing(model, stores))


def http_client() -> HttpClient:
    """Make the connections to the sources, which are opened as they are needed."""
    from goldpan.infra.http import HttpClient  # noqa: PLC0415 - made when asked for, never at import

    return HttpClient()


def github_source(
    settings: GitHubSettings, http: HttpClient, clock: Clock, stores: Stores, budget: RateLimiter
) -> RepositorySource:
    """Make the GitHub source: GraphQL with a token, REST without."""
    from goldpan.kinds.repositories.sources.github.source import GitHub  # noqa: PLC0415 - made when asked for, never at import

    github = GitHub(settings, http, budget, clock)
    return github if stores.cache is None else CachedSource(github, stores.cache, clock, _github_identity(settings))


def language_model(settings: ModelSettings) -> OpenAIModel | None:
    """Make the language model, where a key is set."""
    endpoint = settings.model_endpoint()
    if endpoint is None:
        return None
    from goldpan.infra.llm.openai import OpenAIModel  # noqa: PLC0415 - 0.8 s of import, only where a key is set

    return OpenAIModel(endpoint)


def translator_ports(environment: Mapping[str, str]) -> Dependencies:
    """Make what query_translator reaches: the language model; of GitHub it only plans the searches."""
    clock, settings = WallClock(), TranslatorSettings.from_environment(environment)
    planned = PlanningSource(SEARCHES_WITH_TOKEN if settings.github_token_parameter else SEARCHES_WITHOUT)
    stores = deployed_stores(settings, clock, COUNTS.add)
    return _counted(_ports(clock, {"github": planned}, _model_with_secrets(settings), stores))


def scout_ports(environment: Mapping[str, str]) -> Dependencies:
    """Make what scout reaches: GitHub."""
    clock, settings = WallClock(), ScoutSettings.from_environment(environment)
    limits = with_warm_up_limits(LIMITS, settings.warm_up_share)
    stores = deployed_stores(settings, clock, COUNTS.add, limits)
    return _asking_github(_ports(clock, {}, None, stores), settings, stores, limits)


def screener_ports(environment: Mapping[str, str]) -> Dependencies:
    """Make what screener reaches: GitHub for further facts, the language model for verdicts."""
    clock, settings = WallClock(), ScreenerSettings.from_environment(environment)
    limits = with_warm_up_limits(LIMITS, settings.warm_up_share)
    stores = deployed_stores(settings, clock, COUNTS.add, limits, settings.popularity_table)
    dependencies = _counted(_ports(clock, {}, _model_with_secrets(settings), stores))
    return _asking_github(dependencies, settings, stores, limits)


def _ports(
    clock: Clock, sources: Mapping[str, RepositorySource], model: OpenAIModel | None, stores: Stores
) -> Dependencies:
    return Dependencies(clock, sources, model, stores.cache, stores.answers, stores.popularity)


def _closing(model: OpenAIModel | None, stores: Stores) -> tuple[Callable[[], None], ...]:
    return (stores.close,) if model is None else (model.close, stores.close)


def _model_with_secrets(settings: ModelParameters) -> OpenAIModel | None:
    return language_model(resolve_secrets(settings, ModelSettings))


def _counted(dependencies: Dependencies) -> Dependencies:
    """Count the failures of the language model, where there is one."""
    return (
        dependencies
        if dependencies.llm is None
        else replace(dependencies, llm=CountedModel(dependencies.llm, COUNTS.add))
    )


def _asking_github(
    dependencies: Dependencies, settings: GitHubParameters, stores: Stores, limits: Limits
) -> Dependencies:
    """Add GitHub, once for those who ask and once for warm-ups, which have a share of its limits."""
    github, http, clock = resolve_secrets(settings, GitHubSettings), http_client(), dependencies.clock
    asked = github_source(github, http, clock, stores, stores.budget)
    warming = github_source(github, http, clock, stores, WarmUpRateLimiter(stores.budget, limits, clock))
    return replace(dependencies, sources={"github": asked}, warming={"github": warming})


def _github_identity(settings: GitHubSettings) -> str:
    token = settings.github_token.get_secret_value() if settings.github_token else None
    return rate_limit_key("github", settings.github_api_url, token)


def _identity(settings: LocalSettings, catalogue: str) -> str:
    endpoint = settings.model_endpoint()
    model = f"{endpoint.base_url} {endpoint.model}" if endpoint else "rules"
    return f"{model} {_github_identity(settings)} {catalogue}"
