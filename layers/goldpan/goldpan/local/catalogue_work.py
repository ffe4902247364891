"""Makes what works on a catalogue file on one machine: GitHub within a share of its limits, and a language model."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from pydantic import ValidationError

from goldpan.engine.deadlines import WallClock
from goldpan.errors import StoreFailed
from goldpan.infra.cache import Cache
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.llm.port import LanguageModel
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS, GitHubSettings
from goldpan.kinds.repositories.sources.github.source import GitHub, open_github
from goldpan.local.bootstrap import LocalSettings, language_model, make_encoder, open_connections

SHARE = 0.8
"""The share of each limit of GitHub's at which work on a catalogue waits, so that searches never wait for it."""


@dataclass(frozen=True)
class CatalogueWork:
    """What work on a catalogue reaches outside the process."""

    clock: WallClock
    github: GitHub
    encoder: Encoder
    model: LanguageModel | None


@contextmanager
def open_work(environment: Mapping[str, str]) -> Iterator[CatalogueWork]:
    """Open what the environment names. Raises `Misconfigured` by the name of the setting."""
    clock = WallClock()
    with open_connections(environment, RATE_LIMITS, clock) as connections:
        shared = replace(connections, rate_limiter=connections.rate_limiter.with_share(SHARE))
        github = open_github(GitHubSettings.from_environment(environment), shared)
        yield CatalogueWork(clock, github, make_encoder(environment), language_model(environment, connections))


def shown_counts(environment: Mapping[str, str]) -> Counter[str]:
    """Count how often each repository is in the answers that are in the cache, which are those of the last day."""
    path = LocalSettings.from_environment(environment).cache_file()
    shown = Counter[str]()
    if path is None or not path.exists():
        return shown
    file, clock = SqliteFile(path), WallClock()
    table = SqliteTable(file, clock)
    try:
        for entry in Cache(table, clock).read(table.keys("answer:")).values():
            with suppress(ValidationError):
                section = Answer.model_validate_json(entry.value).repositories
                shown.update(result.repo for result in (section.results if section else ()))
    except StoreFailed:  # the order of an update is not worth failing for
        pass
    finally:
        file.close()
    return shown
