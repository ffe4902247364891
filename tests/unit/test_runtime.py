"""The runtime of one machine: where it remembers, and what makes its answers others than another's."""

from __future__ import annotations

from collections.abc import Generator
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
from goldpan_local.bootstrap import local_runtime
from goldpan.contracts import Answer, SearchRequest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.events import SearchEvent
from goldpan.engine.library import answered, search, stream_search
from goldpan_local.library import execute_search_pipeline
from goldpan.engine.dependencies import Runtime
from goldpan.errors import Unavailable
from goldpan.infra.llm.port import LanguageModelFailed, Prompt
from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.repositories.sources.cached import CachedSource
from goldpan.kinds.repositories.sources.github.source import GitHub
from goldpan_local.settings import LocalSettings

from tests.support.factories import NOW, ListedSource, repository
from tests.support.factories import answer as searched

REQUEST = SearchRequest(query="React animation library")
OPENAI = {"LLM_API_KEY": "k", "LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "m"}


@pytest.mark.parametrize(
    ("environment", "file"),
    [
        ({}, None),
        ({"HOME": "/home/a"}, "/home/a/.cache/goldpan/cache.sqlite"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/x"}, "/x/goldpan/cache.sqlite"),
        ({"HOME": "/home/a", "GOLDPAN_CACHE": "/y/z.sqlite"}, "/y/z.sqlite"),
        ({"HOME": "/home/a", "GOLDPAN_CACHE": "off"}, None),
    ],
)
def test_where_the_cache_lies(environment: dict[str, str], file: str | None) -> None:
    """The file is the one that is named, else one where caches lie; `off`, or no home at all, keeps nothing."""
    told = LocalSettings.from_environment(environment).cache_file()
    assert told == (None if file is None else Path(file))


def test_without_a_file_nothing_is_remembered() -> None:
    """Where nothing is to be kept, GitHub is asked each time, and answers are found each time."""
    runtime = local_runtime({}, None)
    assert isinstance(runtime.dependencies.sources["github"], GitHub)
    assert (runtime.dependencies.cache, runtime.dependencies.answers) == (None, None)


def test_two_runtimes_share_a_file(tmp_path: Path) -> None:
    """What one process found the next one remembers, as long as it would find the same."""
    environment = {"GOLDPAN_CACHE": str(tmp_path / "c.sqlite")}
    found: list[str] = []

    def ask(more: dict[str, str] | None = None, name: str = "", query: str = REQUEST.query) -> Answer:
        runtime = local_runtime(environment | (more or {}), None, name)
        assert isinstance(runtime.dependencies.sources["github"], CachedSource)

        def find(_left: SearchRequest) -> Answer:
            found.append(query)
            return searched(ListedSource([repository()])).model_copy(update={"answered_at": NOW})

        return answered(REQUEST.model_copy(update={"query": query}), runtime, find)

    first = ask()
    assert ask() == first.model_copy(update={"cached": True})
    others = [
        ask(name="another catalogue"),
        ask({"GITHUB_TOKEN": "t"}),
        ask({"GITHUB_TOKEN": "u"}),
        ask({"GITHUB_API_URL": "https://github.example.org/api/v3"}),
        ask(OPENAI),
        ask(OPENAI | {"LLM_MODEL": "n"}),
        ask(OPENAI | {"LLM_BASE_URL": "http://127.0.0.1:8/v1"}),
        ask(query="Vue"),
    ]
    assert not any(told.cached for told in others)
    assert len(found) == 1 + len(others)
    assert all(told.cached for told in (ask(), ask({"GITHUB_TOKEN": "t"}), ask(OPENAI)))


def test_no_secret_is_in_what_names_a_runtime() -> None:
    """The identity of a runtime tells its credentials apart and tells none."""
    secrets = {"GITHUB_TOKEN": "ghp-secret", **OPENAI, "LLM_API_KEY": "sk-secret"}
    assert "secret" not in local_runtime(secrets, None).identity


def test_a_runtime_closes_what_it_made(tmp_path: Path) -> None:
    """At its end no connection and no file is open, and nobody is asked any more."""
    with local_runtime({"GOLDPAN_CACHE": str(tmp_path / "c.sqlite"), **OPENAI}, None) as runtime:
        cache, github, model = (
            runtime.dependencies.cache,
            runtime.dependencies.sources["github"],
            runtime.dependencies.llm,
        )
        assert cache is not None
        cache.write({"source:a": b"{}"}, timedelta(hours=1))
    assert list(tmp_path.iterdir()) == [tmp_path / "c.sqlite"]  # whoever has it open has two more beside it
    with pytest.raises(Unavailable, match="closed"):
        github.search([RepositorySearch(words=("motion",))], Deadline.after(5, runtime.clock))
    assert model is not None
    with pytest.raises(LanguageModelFailed, match="could not be asked"):
        model.complete(Prompt("Judge.", "{}"), Deadline.after(5, runtime.clock))


def test_a_call_without_a_runtime_closes_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the caller lends none, a search makes a runtime and closes it, however it ends."""
    closed: list[str] = []

    def made(*_: object) -> Runtime:
        source = ListedSource([repository()])
        clock = WallClock()
        closing = (lambda: closed.append("closed"),)
        return Runtime(Dependencies(clock=clock, sources={"github": source}), ("github",), (), clock, closing=closing)

    monkeypatch.setattr("goldpan.engine.library.local_runtime", made)
    assert search(REQUEST).repositories
    assert closed == ["closed"]
    assert execute_search_pipeline(REQUEST.query).top_repos
    assert closed == ["closed"] * 2
    events = stream_search(REQUEST)
    next(events)
    assert closed == ["closed"] * 2
    cast("Generator[SearchEvent]", events).close()
    assert closed == ["closed"] * 3
