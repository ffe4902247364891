"""Secrets: their names are in the environment, their values in a simulated SSM."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from aws_lambda_powertools.utilities.parameters.constants import DEFAULT_PROVIDERS
from botocore.client import BaseClient
from botocore.exceptions import ClientError
from goldpan.aws import settings
from goldpan.aws.bootstrap import scout_dependencies, screener_dependencies
from goldpan.aws.release import check_settings
from goldpan.aws.settings import Environment
from goldpan.errors import Misconfigured, Overloaded
from goldpan.kinds.papers.sources.settings import PaperSettings
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from moto import mock_aws

from tests.support.handlers import FUNCTIONS, load_function
from tests.unit.aws.conftest import ENVIRONMENT, REGION

TOKEN, KEY = "hush-token", "hush-key"
TOKEN_NAME, KEY_NAME, VECTORS_NAME = "/goldpan/github-token", "/goldpan/llm-api-key", "/goldpan/embedding-api-key"
MODEL = {"LLM_BASE_URL": "https://llm.example.org/v1", "LLM_MODEL": "own-model"}
EMBEDDINGS = {"EMBEDDING_BASE_URL": "https://vectors.example.org/v1", "EMBEDDING_MODEL": "own-model"}
EMBEDDINGS |= {"LIBRARY_BUCKET": "libraries"}


def secrets(*names: str) -> dict[str, str]:
    """Return the environment of a function with the tables and these secrets."""
    return ENVIRONMENT | {"SECRETS": ",".join(names), "SECRETS_PREFIX": "/goldpan"}


GITHUB = secrets("github-token")
EVERY = secrets("github-token", "llm-api-key", "embedding-api-key") | MODEL | EMBEDDINGS


@dataclass
class Ssm:
    """The parameter store: what was read, and how many of the next reads fail with an error of that name."""

    client: Any
    reads: list[dict[str, Any]] = field(default_factory=list)
    failing: int = 0
    error: str = "ThrottlingException"

    def put(self, name: str, value: str) -> None:
        """Store or renew a secret."""
        self.client.put_parameter(Name=name, Value=value, Type="SecureString", Overwrite=True)

    def names(self) -> list[str]:
        """Return the names of the parameters that were read."""
        return sorted(read["Name"] for read in self.reads)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Simulate SSM for all tests of this file: a client takes 0.1 s."""
    with mock_aws():
        yield boto3.client("ssm", region_name=REGION, aws_access_key_id="testing", aws_secret_access_key="testing")


@pytest.fixture
def ssm(client: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ssm]:
    """Return a store with a token and a key, which records every read."""
    monkeypatch.setattr(settings, "RETRY_WAITS", (0, 0.001))
    settings.LAST_READ.clear()
    store, call = Ssm(client), BaseClient._make_api_call
    store.put(TOKEN_NAME, TOKEN)
    store.put(KEY_NAME, KEY)
    store.put(VECTORS_NAME, KEY)

    def recording(own: Any, operation: str, parameters: dict[str, Any]) -> Any:
        if operation == "GetParameter":
            store.reads.append(parameters)
            if len(store.reads) <= store.failing:
                raise ClientError({"Error": {"Code": store.error, "Message": "Rate exceeded"}}, operation)
        return call(own, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", recording)
    yield store
    DEFAULT_PROVIDERS.clear()


def token(environment: dict[str, str]) -> str | None:
    """Read the token of GitHub."""
    secret = Environment(environment).read(GitHubSettings).github_token
    return secret.get_secret_value() if secret else None


def test_a_secure_string_is_decrypted(ssm: Ssm) -> None:
    """Its value is the setting; other settings keep their values."""
    environment = GITHUB | {"GITHUB_API_URL": "https://github.example.org/api/v3"}
    assert token(environment) == TOKEN
    assert Environment(environment).read(GitHubSettings).github_api_url == "https://github.example.org/api/v3"
    assert ssm.reads == [{"Name": TOKEN_NAME, "WithDecryption": True}] * 2
    assert token(secrets()) is None


@pytest.mark.parametrize("value", ["", " ", "hush\nrest"], ids=["missing", "blank", "line break"])
def test_an_unusable_parameter_is_refused_by_name(value: str, ssm: Ssm) -> None:
    """The message names the setting for the operator, and repeats no value."""
    if value:
        ssm.put("/other/github-token", value)
    with pytest.raises(Misconfigured, match=r"^GITHUB_TOKEN") as error:
        token(GITHUB | {"SECRETS_PREFIX": "/other" if value else "/missing"})
    assert "hush" not in str(error.value)


@pytest.mark.parametrize("error", ["ThrottlingException", "InternalServerError"])
def test_a_read_that_may_succeed_later_is_repeated(error: str, ssm: Ssm, monkeypatch: pytest.MonkeyPatch) -> None:
    """Failures of SSM are no mistake of the operator: the secret that was read before serves; others fail at once."""
    ssm.failing, ssm.error = 1, "AccessDeniedException"
    with pytest.raises(Misconfigured, match="AccessDeniedException"):
        token(GITHUB)
    assert len(ssm.reads) == 1
    monkeypatch.setattr(settings, "RETRY_SECONDS", 0.05)
    ssm.failing, ssm.error = 10_000, error
    with pytest.raises(Overloaded, match=r"^GITHUB_TOKEN: /goldpan/github-token could not be read from SSM"):
        token(GITHUB)
    ssm.failing = len(ssm.reads) + 3
    assert (token(GITHUB), len(ssm.reads)) == (TOKEN, ssm.failing + 1)
    ssm.failing = 10_000
    assert token(GITHUB) == TOKEN


def test_secrets_are_read_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """While SSM does not answer, a call waits for one read; three after each other outlast scout."""
    together = threading.Barrier(2, timeout=2)
    monkeypatch.setattr(settings, "_provider", lambda: SimpleNamespace(get=lambda *_, **__: f"hush{together.wait()}"))
    assert Environment(secrets("openalex-api-key", "serpapi-api-key")).read(PaperSettings).serpapi_api_key


@pytest.mark.parametrize("make", [scout_dependencies, screener_dependencies])
def test_a_search_reads_the_secrets_of_its_kind_alone(make: Any, ssm: Ssm) -> None:
    """SSM allows 40 reads a second; and a wrong key of the other kind costs this one nothing."""
    dependencies = make(secrets("github-token", "serpapi-api-key"))
    assert dependencies.sources["github"].searches_a_question == 15
    with pytest.raises(Misconfigured, match=r"^SERPAPI_API_KEY: /goldpan/serpapi-api-key"):
        dependencies.sources["crossref"].search((), None, None)
    ssm.put("/goldpan/openalex-api-key", "hush-openalex")
    dependencies = make(secrets("github-token", "openalex-api-key"))
    ssm.reads.clear()
    for sources in (dependencies.sources, dependencies.warm_up_sources):
        assert [sources[name].plan.missing_key for name in ("openalex", "crossref")] == [None, None]
    assert ssm.names() == ["/goldpan/openalex-api-key"]


def test_a_deployment_reads_every_secret(ssm: Ssm) -> None:
    """One that cannot be read fails the deployment by its setting, not the first search."""
    check_settings(Environment(EVERY))
    assert ssm.names() == [VECTORS_NAME, TOKEN_NAME, KEY_NAME]
    for name in ("github-token", "llm-api-key", "embedding-api-key"):
        ssm.client.delete_parameter(Name=f"/goldpan/{name}")
        with pytest.raises(Misconfigured, match=f"^{name.upper().replace('-', '_')}: /goldpan/{name}"):
            check_settings(Environment(EVERY))
        ssm.put(f"/goldpan/{name}", KEY)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_snapshot_needs_no_secret(function: str, ssm: Ssm, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do the stores: both are made while SSM is throttled, the first with all code; the next call reads secrets."""
    for name, value in EVERY.items():
        monkeypatch.setenv(name, value)
    ssm.failing = 10_000
    container = load_function(function).CONTAINER
    container.prime()
    assert ssm.reads == []
    container.renew()
    monkeypatch.setattr(settings, "RETRY_SECONDS", 0)
    assert container.try_dependencies().locks
    ssm.reads.clear()
    ssm.failing = 0
    ssm.put(TOKEN_NAME, "hush-renewed")
    list(container.dependencies().sources.values())
    assert ssm.names() == {"query_translator": [KEY_NAME], "scout": [TOKEN_NAME]}.get(function, [TOKEN_NAME, KEY_NAME])
    assert not [entry for provider in DEFAULT_PROVIDERS.values() for entry in provider.store.values()]
