"""The one place where real clients are made; nothing is made at import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from goldpan.contracts import Source
from goldpan.deadline import WallClock
from goldpan.deployment.secrets import with_secrets
from goldpan.repositories.ports import PlannedSource, Ports, RepositorySource
from goldpan.services.language_model import LanguageModel
from goldpan.settings import (
    SEARCHES_WITH_TOKEN,
    SEARCHES_WITHOUT,
    GitHubSettings,
    LocalSettings,
    ModelSettings,
    ScoutSettings,
    ScreenerSettings,
    TranslatorSettings,
)

DEPLOYED_SOURCES: tuple[Source, ...] = ("github",)
"""What the deployment asks where a request names no source."""


@dataclass(frozen=True)
class Runtime:
    """All that a search on one machine needs; `sources` are asked first, `fallback` where they all fail."""

    ports: Ports
    sources: tuple[Source, ...]
    fallback: tuple[Source, ...]
    clock: WallClock


def local_runtime(environment: Mapping[str, str], catalogue: RepositorySource | None) -> Runtime:
    """Make the runtime of one machine: GitHub first, the catalogue where GitHub fails."""
    settings = LocalSettings.from_environment(environment)
    clock = WallClock()
    sources: dict[str, RepositorySource] = {"github": github_source(settings, clock)}
    if catalogue is not None:
        sources["catalogue"] = catalogue
    ports = Ports(clock=clock, sources=sources, llm=language_model(settings))
    return Runtime(ports, ("github",), ("catalogue",) if catalogue is not None else (), clock)


def github_source(settings: GitHubSettings, clock: WallClock) -> RepositorySource:
    """Make the GitHub source: GraphQL with a token, REST without."""
    from goldpan.services.http import HttpClient  # noqa: PLC0415 - made when asked for, never at import
    from goldpan.services.rate_budget import ProcessRateBudget  # noqa: PLC0415
    from goldpan.sources.github.source import GitHub  # noqa: PLC0415

    return GitHub(settings, HttpClient(), ProcessRateBudget(), clock)


def language_model(settings: ModelSettings) -> LanguageModel | None:
    """Make the language model, where a key is set."""
    endpoint = settings.model_endpoint()
    if endpoint is None:
        return None
    from goldpan.services.openai_model import OpenAIModel  # noqa: PLC0415 - 0.8 s of import, only where a key is set

    return OpenAIModel(endpoint)


def translator_ports(environment: Mapping[str, str]) -> Ports:
    """Make what query_translator reaches: the language model; of GitHub it only plans the searches."""
    settings = TranslatorSettings.from_environment(environment)
    planned = PlannedSource(SEARCHES_WITH_TOKEN if settings.github_token_parameter else SEARCHES_WITHOUT)
    return Ports(WallClock(), {"github": planned}, language_model(with_secrets(settings, ModelSettings)))


def scout_ports(environment: Mapping[str, str]) -> Ports:
    """Make what scout reaches: GitHub."""
    clock, settings = WallClock(), ScoutSettings.from_environment(environment)
    return Ports(clock, {"github": github_source(with_secrets(settings, GitHubSettings), clock)})


def screener_ports(environment: Mapping[str, str]) -> Ports:
    """Make what screener reaches: GitHub for further facts, the language model for verdicts."""
    clock, settings = WallClock(), ScreenerSettings.from_environment(environment)
    github = github_source(with_secrets(settings, GitHubSettings), clock)
    return Ports(clock, {"github": github}, language_model(with_secrets(settings, ModelSettings)))
