"""`goldpan doctor` against servers that behave and fail as the services do: keys, limits, and what does not answer."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from goldpan.local.checks import Finding, check_services
from goldpan_local.command import app
from typer.testing import CliRunner

from tests.integration import conftest
from tests.support.loopback import LoopbackFault, LoopbackGitHub, LoopbackLLM
from tests.support.loopback.llm import LoopbackEmbeddings
from tests.support.paper_sources import LoopbackPapers

GITHUB, MODEL, EMBEDDINGS = "GitHub", "language model", "embeddings"
KEYS = {
    GITHUB: "GITHUB_TOKEN", "OpenAlex": "OPENALEX_API_KEY", "Semantic Scholar": "SEMANTIC_SCHOLAR_API_KEY",
    "SerpAPI": "SERPAPI_API_KEY", MODEL: "LLM_API_KEY", EMBEDDINGS: "EMBEDDING_API_KEY",
}  # fmt: skip
WITHOUT_KEY = ("Crossref", "arXiv", "Europe PMC")
Servers = tuple[LoopbackGitHub, LoopbackPapers, LoopbackLLM, LoopbackEmbeddings]


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Serve all services."""
    model = LoopbackLLM(lambda _: '{"ok": true}')
    with LoopbackGitHub() as github, LoopbackPapers() as papers, model, LoopbackEmbeddings() as embeddings:
        yield github, papers, model, embeddings


@pytest.fixture
def environment(servers: Servers) -> dict[str, str]:
    """Configure all services with good keys, and keep nothing."""
    github, papers, model, embeddings = servers
    own = {"EMBEDDING_API_KEY": "good-key", "EMBEDDING_BASE_URL": embeddings.base_url, "EMBEDDING_MODEL": "own-model"}
    others = {"CROSSREF_MAILTO": "me@example.org", "GOLDPAN_CACHE": "off"}
    return conftest.environment(github, model) | papers.environment() | own | others


def check(environment: dict[str, str], seconds: float = 10) -> dict[str, Finding]:
    """Return the findings by their names."""
    return {each.name: each for each in check_services(environment, seconds=seconds)}


def test_each_service_is_asked_once_and_says_what_is_left(servers: Servers, environment: dict[str, str]) -> None:
    """The cheapest call of each: no search is spent."""
    found = check(environment)
    assert {each.state for each in found.values()} == {"ok"}
    assert {name: found[name].detail for name in (GITHUB, "OpenAlex", "SerpAPI", MODEL)} == {
        GITHUB: "5000 of 5000 GraphQL points left",
        "OpenAlex": "9,990 credits of the day left",
        "SerpAPI": "5,958 searches left",
        MODEL: conftest.MODEL,
    }
    github, papers, *_ = servers
    assert [len(server.requests) for server in servers] == [1, 6, 1, 1]
    assert github.searches == 0
    assert not any("search" in request.params for request in papers.requests)


def test_a_wrong_key_is_named_and_never_shown(servers: Servers, environment: dict[str, str]) -> None:
    """401, or 403 at Semantic Scholar, with a message that quotes the key; a model that does not exist is wrong too."""
    found = check(environment | dict.fromkeys(KEYS.values(), "wrong-secret"))
    for name, variable in KEYS.items():
        assert (found[name].state, found[name].is_broken) == ("wrong", True)
        assert found[name].detail.startswith(f"{variable}: ")
    assert {found[name].state for name in WITHOUT_KEY} == {"ok"}
    assert "wrong-secret" not in repr(found)
    servers[2].inject(LoopbackFault.status(404))
    assert check(environment)[MODEL].state == "wrong"


def test_what_is_not_configured_names_the_setting(environment: dict[str, str]) -> None:
    """What answers without a key does so, with less; half of an endpoint, or what is no address, is wrong."""
    found = check({name: value for name, value in environment.items() if name.endswith("_URL")} | {"LLM_BASE_URL": ""})
    assert {name: found[name].state for name in KEYS if name != EMBEDDINGS} == dict.fromkeys(
        [name for name in KEYS if name != EMBEDDINGS], "not configured"
    )
    assert found[GITHUB].detail.startswith(
        "Answers without it (10 of 10 searches, 60 of 60 other calls left). A token "
    )
    assert found["OpenAlex"].detail.endswith("OPENALEX_API_KEY configures it.")
    assert (found[EMBEDDINGS].state, "EMBEDDING_API_KEY is not set" in found[EMBEDDINGS].detail) == ("wrong", True)
    broken = check(environment | {"CROSSREF_MAILTO": "me"})
    assert broken["settings of papers"].detail.startswith("CROSSREF_MAILTO: must be an email address such as")
    assert broken[GITHUB].state == "ok"


def test_a_limit_says_when_it_ends_and_is_not_broken(servers: Servers, environment: dict[str, str]) -> None:
    """429 with Retry-After; GitHub says in its answer that nothing is left."""
    for server in servers[1:]:
        server.inject(LoopbackFault.status(429, {"retry-after": "600"}, times=None))
    spent = {"resources": {"graphql": {"limit": 5000, "remaining": 0, "reset": int(time.time()) + 600}}}
    servers[0].inject(LoopbackFault.status(200, body=spent, contains="/rate_limit"))
    found = check(environment)
    assert {name: each.state for name, each in found.items()} == dict.fromkeys([*KEYS, *WITHOUT_KEY], "limited")
    assert all(each.retry_at and "try again at " in each.detail for each in found.values())
    assert not any(each.is_broken for each in found.values())


def test_the_checks_end_at_their_deadline_whatever_hangs(servers: Servers, environment: dict[str, str]) -> None:
    """All side by side; a service that needs no key and is down is not what the user configured."""
    for server in servers:
        server.inject(LoopbackFault.hang(times=None))
    began = time.monotonic()
    found = check(environment, seconds=1.5)
    assert time.monotonic() - began < 4
    assert {each.state for each in found.values()} == {"unreachable"}
    assert {name for name, each in found.items() if not each.is_broken} == {"arXiv", "Europe PMC"}


def test_the_command_says_what_to_do(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit code is that of what is configured; a file that cannot be read is named."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name, value in (environment | {"SERPAPI_API_KEY": "wrong-secret"}).items():
        monkeypatch.setenv(name, value)
    broken = CliRunner().invoke(app, ["doctor"], prog_name="goldpan")
    assert broken.exit_code == 1
    assert "wrong  SerpAPI           SERPAPI_API_KEY: SerpAPI rejected it (" in broken.stdout
    assert broken.stdout.endswith("Does not work: SerpAPI.\n")
    assert "wrong-secret" not in broken.output
    monkeypatch.setenv("SERPAPI_API_KEY", "")
    fine = CliRunner().invoke(app, ["doctor", "--format", "json"], prog_name="goldpan")
    states = {row["name"]: row["state"] for row in json.loads(fine.stdout)}
    assert (fine.exit_code, states["SerpAPI"], states["data package"]) == (0, "not configured", "ok")
    (tmp_path / "goldpan").mkdir()
    for count, said in (1, "config.toml"), (0, "must be at least 1"):
        (tmp_path / "goldpan" / "config.toml").write_text(f"max-results = {count}\n")
        shown = CliRunner().invoke(app, ["doctor"], env={"COLUMNS": "200"})
        assert (said in shown.stdout, shown.exit_code) == (True, 1 - count)
