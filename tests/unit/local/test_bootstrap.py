"""The runtime of one machine: where its cache is, what its identity covers, what it shares, and what it closes."""

from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import Unavailable
from goldpan.infra.llm.port import LanguageModelFailed, Prompt
from goldpan.infra.rate_limits.limits import Limit
from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue
from goldpan.local.bootstrap import LocalSettings, local_runtime, open_connections, open_runtime

from tests.support.fakes import FakeClock
from tests.support.local import records

LLM = {"LLM_API_KEY": "k", "LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "m"}
NO_CACHE = {"GOLDPAN_CACHE": "off"}


def test_the_cache_file_follows_the_environment() -> None:
    """It is the named file, else in the cache folder; `off`, or no home at all, caches nothing."""
    home, named = {"HOME": "/home/a"}, "/y/z.sqlite"
    for environment, file in (
        ({}, None),
        (home, "/home/a/.cache/goldpan/cache.sqlite"),
        (home | {"XDG_CACHE_HOME": "/x"}, "/x/goldpan/cache.sqlite"),
        (home | {"XDG_CACHE_HOME": "relative"}, "/home/a/.cache/goldpan/cache.sqlite"),
        (home | {"GOLDPAN_CACHE": named}, named),
        (home | {"GOLDPAN_CACHE": "off"}, None),
    ):
        assert LocalSettings.from_environment(environment).cache_file() == (None if file is None else Path(file))


def test_a_changed_catalogue_file_changes_the_identity(tmp_path: Path) -> None:
    """Cached answers from the old file are not used, and the same file keeps its identity."""
    file = tmp_path / "c.sqlite"
    build_catalogue(records(), file, "the catalogue")
    before = [open_runtime(NO_CACHE, None, file).identity for _ in range(2)]
    build_catalogue(records("changed"), file, "the catalogue")
    assert len({*before, open_runtime(NO_CACHE, None, file).identity}) == 2


def test_the_identity_covers_all_that_changes_an_answer_and_reveals_no_secret() -> None:
    """Another model, address, credential or catalogue has another; GH_TOKEN counts where GITHUB_TOKEN is empty."""
    environments = [
        {}, {"GITHUB_TOKEN": "secret-a"}, {"GITHUB_TOKEN": "secret-b"}, {"GITHUB_API_URL": "https://g.example/api/v3"},
        LLM, LLM | {"LLM_MODEL": "n"}, LLM | {"LLM_BASE_URL": "http://127.0.0.1:8/v1"},
    ]  # fmt: skip
    identities = [local_runtime(NO_CACHE | environment).identity for environment in environments]
    identities.append(local_runtime(NO_CACHE, identity="another catalogue").identity)
    assert len(set(identities)) == len(identities)
    given, other = {"GITHUB_TOKEN": "secret-a"}, {"GH_TOKEN": "secret-b"}
    for tokens in (given, {"GH_TOKEN": "secret-a"}, {"GITHUB_TOKEN": " ", "GH_TOKEN": "secret-a"}, given | other):
        assert local_runtime(NO_CACHE | tokens).identity == identities[1]
    assert not [identity for identity in identities if "secret" in identity]


def test_a_github_of_a_company_has_no_sample() -> None:
    """Its repositories are others, also where they have the names of public ones."""
    with open_runtime(NO_CACHE | {"GITHUB_API_URL": "https://g.example/api/v3"}) as runtime:
        assert "catalogue" not in runtime.dependencies.sources


def test_a_runtime_closes_what_it_made(tmp_path: Path) -> None:
    """Afterwards no file is open, and a call fails instead of opening a connection."""
    with local_runtime({"GOLDPAN_CACHE": str(tmp_path / "c.sqlite"), **LLM}) as runtime:
        dependencies = runtime.dependencies
        dependencies.cache.write({"source:a": b"{}"}, timedelta(hours=1))
    assert list(tmp_path.iterdir()) == [tmp_path / "c.sqlite"]  # an open file has two more beside it
    deadline = Deadline.after(5, runtime.clock)
    with pytest.raises(Unavailable, match="closed"):
        dependencies.sources["github"].search([RepositorySearch(words=("motion",))], deadline)
    with pytest.raises(LanguageModelFailed, match="closed"):
        dependencies.llm.complete(Prompt("Score.", "{}"), deadline)


def test_without_a_file_nothing_is_kept() -> None:
    """Without a file there is no cache and no lock, and each process counts for itself."""
    one, other = (open_connections(NO_CACHE, {"source": (Limit(60, 1),)}, FakeClock()) for _ in range(2))
    assert (one.cache, one.locks) == (None, None)
    assert [one.rate_limiter.acquire("source").granted for _ in range(2)] == [True, False]
    assert other.rate_limiter.acquire("source").granted
