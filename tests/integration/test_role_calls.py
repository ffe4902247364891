"""The deployed functions over a simulated AWS: a role allows each call of its function, and nothing else."""

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import pytest
from goldpan.aws import bootstrap, settings
from goldpan.aws.refresh import refresh_files
from goldpan.aws.release import release
from goldpan.engine.deadlines import Clock
from goldpan.infra.s3_libraries import PREFIX, S3Libraries, open_bucket
from goldpan.kinds.papers.models import PaperQuery, ScoutTask
from goldpan_local.command import app
from typer.testing import CliRunner

from tests.contract.openapi.gateway import started
from tests.contract.stack.documents import template
from tests.contract.stack.grants import ACCOUNT, REGION, check
from tests.integration.conftest import KEY, MODEL, TOKEN, environment
from tests.integration.test_deployed_catalogue import catalogue
from tests.support.dynamodb_service import TABLES
from tests.support.handler_search import Call, deployed_search
from tests.support.handlers import Context, load_function
from tests.support.loopback import LLMFault, LoopbackGitHub, LoopbackLLM
from tests.support.loopback.llm import LoopbackEmbeddings, hashed_words
from tests.support.paper_search_fakes import QUESTION, papers
from tests.support.paper_sources import GOOD_KEY, LoopbackPapers
from tests.support.recorded_calls import RecordedCalls

BUCKET, CATALOGUE, VECTOR_KEY = "libraries-of-a-test", "files/catalogue.sqlite", "good-key-of-vectors"
LAMBDA = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function"
SECONDS = 2
"""Of an update, in which it looks up what it can of the embedded catalogue."""
MACHINE = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:SearchMachine-a1b2c3"
STACK = f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/goldpan/1"
ROLES = {"query_translator": "QueryTranslatorRole", "scout": "ScoutRole", "screener": "ScreenerRole"}
VALUES = {
    **{f"{table}.Arn": f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{name}" for table, name in TABLES.items()},
    **{f"{role.removesuffix('Role')}Function.Arn": f"{LAMBDA}:{name}" for name, role in ROLES.items()},
    "LibraryBucket.Arn": f"arn:aws:s3:::{BUCKET}", "SearchMachine": MACHINE, "AWS::StackId": STACK,
}  # fmt: skip
"""What the template refers to, as the calls of this test name it."""
SECRETS = dict.fromkeys(template()["Parameters"]["Secrets"]["AllowedValues"][1:], GOOD_KEY) | {
    "github-token": TOKEN, "llm-api-key": KEY, "embedding-api-key": VECTOR_KEY,
}  # fmt: skip


class Deployment:
    """The deployed functions, each under its role, with all secrets, a bucket, and servers for what they call."""

    def __init__(self, search: Call, recorded: RecordedCalls, vectors: LoopbackEmbeddings, folder: Path) -> None:
        self.search, self.recorded, self.vectors, self.folder = search, recorded, vectors, folder
        self.s3 = boto3.client("s3")
        self.s3.create_bucket(Bucket=BUCKET)
        for name, value in SECRETS.items():
            boto3.client("ssm").put_parameter(Name=f"/goldpan/{name}", Value=value, Type="SecureString")

    def push(self) -> None:
        """Import a note about automobiles, and push it, as the command of one machine does."""
        self.recorded.role = ""
        (self.folder / "notes.md").write_text("automobiles need fuel")
        environment = {
            "GOLDPAN_LIBRARIES": str(self.folder), "GOLDPAN_CACHE": "off", "GOLDPAN_LIBRARY_BUCKET": BUCKET,
            "GOLDPAN_CACHE_TABLE": TABLES["CacheTable"], "EMBEDDING_API_KEY": VECTOR_KEY,
        }  # fmt: skip
        for arguments in (("import", str(self.folder / "notes.md")), ("push",)):
            ran = CliRunner().invoke(app, ["library", *arguments, "--project", "thesis"], env=environment)
            assert ran.exit_code == 0, ran.stderr

    def call(self, function: str, event: dict[str, Any]) -> Any:
        """Send an event to a function, in a new container."""
        self.recorded.role = ROLES[function]
        return load_function(function).handler(event, Context())

    def library(self, path: str, status: int = 200, **fields: str) -> Any:
        """Ask a library for cars over HTTP."""
        response = self.call("scout", started(path, json.dumps({"query": "cars", **fields})))
        assert response["statusCode"] == status, response
        return json.loads(response["body"])

    def check(self, *roles: str) -> None:
        """Compare roles with the calls that were made under them."""
        for role in roles:
            check(role, self.recorded.calls[role], VALUES)


@pytest.fixture
def deployment(
    github: LoopbackGitHub, llm: LoopbackLLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Deployment]:
    """Deploy the functions as the template does, with the servers of the test as their sources."""
    recorded = RecordedCalls()

    def open_copies(bucket: str, size: int, clock: Clock, _: object = None, prefix: str = PREFIX) -> S3Libraries:
        return open_bucket(bucket, size, clock, tmp_path / "copies", prefix)

    monkeypatch.setattr(bootstrap, "open_bucket", open_copies)
    monkeypatch.setattr(settings, "_provider", cache(settings._provider.__wrapped__))  # the client is of this AWS
    own = environment(github, token="") | {"OSV_URL": github.url, "LLM_BASE_URL": llm.base_url, "LLM_MODEL": MODEL}
    own |= {"SECRETS": ",".join(SECRETS), "SECRETS_PREFIX": "/goldpan", "CROSSREF_MAILTO": "me@example.org"}
    own |= {"LIBRARY_BUCKET": BUCKET, "LIBRARY_STORAGE_MB": "512", "CATALOGUE_UPDATE_HOURS": "24"}
    encode = lambda texts: hashed_words([each.replace("automobiles", "cars") for each in texts])  # noqa: E731
    with LoopbackPapers(papers(12)) as sources, LoopbackEmbeddings(key=VECTOR_KEY, encode=encode) as vectors:
        own |= sources.environment(key=None) | {"EMBEDDING_BASE_URL": vectors.base_url, "EMBEDDING_MODEL": "own-model"}
        enter = lambda name: setattr(recorded, "role", ROLES[name])  # noqa: E731
        with recorded.installed(), deployed_search(None, own, enter) as search:
            made = Deployment(search, recorded, vectors, tmp_path)
            made.s3.put_object(
                Bucket=BUCKET, Key=CATALOGUE, Body=catalogue(tmp_path / "a.sqlite", "example-org/motion-kit")
            )
            made.push()
            yield made


def test_a_role_allows_the_calls_of_its_function_and_no_others(deployment: Deployment, llm: LoopbackLLM) -> None:
    """Searches for both kinds, a second page, a paused language model, an analysis and a library need every action."""
    for offset in (0, 1):
        assert deployment.search("React animation library", offset=offset)["repositories"]["results"]
    answer = deployment.search(QUESTION, kinds=["papers"])
    assert {row["status"] for row in answer["sources"]} == {"ok"}
    deployment.library("/library/search", project_id="thesis")
    assert deployment.library("/library/search", 404, project_id="none")["type"] == "urn:goldpan:problem:not-found"
    deployment.library("/library/search", 400)
    deployment.library("/library/chunks")
    analysis = {
        "stage": "analyze",
        "daily_cost_limit": 5,
        "request": {"repo": "example-org/motion-kit", "query": "animation in React"},
    }
    assert deployment.call("screener", analysis)["statusCode"] == 200
    llm.inject(LLMFault.status(429, {"retry-after": "900"}))
    assert deployment.search("Rust web framework")["warnings"]
    deployment.check(*ROLES.values())


def test_the_role_of_the_schedule_allows_what_it_replaces(deployment: Deployment) -> None:
    """An update of the catalogue, and the first one, which finds none."""
    for _ in range(2):
        deployment.recorded.role = "RefreshRole"
        refresh_files(os.environ, SECONDS)
        deployment.recorded.role = ""
        deployment.s3.delete_object(Bucket=BUCKET, Key=CATALOGUE)
    deployment.check("RefreshRole")


def test_the_role_of_the_release_allows_what_it_checks_and_deletes(deployment: Deployment) -> None:
    """It reads every secret, and deletes old versions of each function and of the machine."""
    versions = [f"{LAMBDA}:{name}:3" for name in ROLES]
    recorded, event = deployment.recorded, {"StackId": STACK, "ResourceProperties": {"Versions": versions}}
    recorded.role, recorded.answers = "ReleaseRole", {
        "GetAlias": {"FunctionVersion": "3"}, "DeleteFunction": {}, "DeleteStateMachineVersion": {},
        "ListVersionsByFunction": {"Versions": [{"Version": version} for version in ("$LATEST", "1", "2", "3")]},
        "DescribeStackResource": {"StackResourceDetail": {"PhysicalResourceId": MACHINE}},
        "ListStateMachineVersions": {
            "stateMachineVersions": [{"stateMachineVersionArn": f"{MACHINE}:{number}"} for number in (3, 2, 1)]
        },
    }  # fmt: skip
    for kind in ("Create", "Delete"):
        assert not release(event | {"RequestType": kind}, os.environ, boto3.client)
    deployment.check("ReleaseRole")


def test_a_pushed_library_is_searched_by_the_vectors_of_its_model(deployment: Deployment) -> None:
    """What has none of the words is found by every way to search, and the answer names the model."""
    encoded = len(deployment.vectors.inputs)
    found = deployment.library("/library/search", project_id="thesis")
    assert [row["title"] for row in found["results"]] == ["notes"]
    assert (found["encoder"], found["notes"]) == ("own-model", [])
    passages = deployment.library("/library/chunks", project_id="thesis")
    assert (len(passages["chunks"]), passages["notes"]) == (1, [])
    query = PaperQuery(concepts=(("cars",),))
    task = ScoutTask(id="papers:hybrid", strategy="hybrid", source="library", project_id="thesis", queries=(query,))
    request = {"query": "cars", "kinds": ["papers"], "project_id": "thesis"}
    event = {
        "stage": "scout",
        "daily_cost_limit": 5,
        "kind": "papers",
        "request": request,
        "task": task.model_dump(mode="json"),
    }
    assert [paper["title"] for paper in deployment.call("scout", event)["papers"]] == ["notes"]
    assert deployment.vectors.inputs[encoded:] == [["cars"]] * 3
