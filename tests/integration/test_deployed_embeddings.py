"""A pushed library is searched by the vectors of an endpoint: AWS is simulated, the endpoint on a loopback port."""

import json
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import boto3
import pytest
from goldpan.aws import secrets
from goldpan.aws.bootstrap import scout_dependencies
from goldpan.infra.s3_libraries import RECHECK, open_bucket
from goldpan.kinds.papers.models import PaperQuery, ScoutTask
from goldpan_local.command import app
from moto import mock_aws
from typer.testing import CliRunner

from tests.contract.openapi.gateway import function_event
from tests.support.dynamodb_service import TABLES, create_tables
from tests.support.handlers import handler
from tests.support.loopback.embeddings import LoopbackEmbeddings, hashed_words
from tests.support.simulated_aws import REGION
from tests.support.ssm import Ssm, recorded_ssm

pytestmark = pytest.mark.enable_socket
BUCKET, KEY, KEY_NAME = "libraries-of-a-test", "good-key-of-vectors", "/goldpan/embedding-key"


def by_meaning(texts: Sequence[str]) -> list[list[float]]:
    """Encode texts so that cars and automobiles are near each other."""
    return hashed_words([text.replace("automobiles", "cars") for text in texts])


class Deployment:
    """Scout with a bucket and the endpoint, and one machine that pushes into the bucket."""

    def __init__(self, server: LoopbackEmbeddings, ssm: Ssm, folder: Path) -> None:
        self.server, self.ssm, self.folder, self.waits = server, ssm, folder, list[float]()
        self.machine = {
            "GOLDPAN_LIBRARIES": str(folder), "GOLDPAN_CACHE": "off", "GOLDPAN_LIBRARY_BUCKET": BUCKET,
            "GOLDPAN_CACHE_TABLE": TABLES["CacheTable"], "EMBEDDING_BASE_URL": server.base_url,
            "EMBEDDING_API_KEY": KEY, "EMBEDDING_MODEL": "own-model",
        }  # fmt: skip
        self.environment = {
            "CACHE_TABLE": TABLES["CacheTable"], "BUDGET_TABLE": TABLES["BudgetTable"], "LIBRARY_BUCKET": BUCKET,
            "EMBEDDING_BASE_URL": server.base_url, "EMBEDDING_API_KEY_PARAMETER": KEY_NAME,
            "EMBEDDING_MODEL": "own-model",
        }  # fmt: skip

    def push(self, **more: str) -> None:
        """Import a note about automobiles, and push it."""
        (self.folder / "notes.md").write_text("automobiles need fuel")
        for arguments in (("import", str(self.folder / "notes.md")), ("push",)):
            given = ["library", *arguments, "--project", "thesis"]
            ran = CliRunner().invoke(app, given, env=self.machine | more)
            assert ran.exit_code == 0, ran.stderr

    def call(self, event: Any, **more: str) -> Any:
        """Send an event to the handler of scout, in a new container."""
        return handler("scout", scout_dependencies(self.environment | more))(event)

    def request(self, path: str, **more: str) -> Any:
        """Ask for cars over HTTP."""
        body = {"query": "cars", "project_id": "thesis"}
        response = self.call(function_event(path, json.dumps(body)), **more)
        assert response["statusCode"] == 200, response
        return json.loads(response["body"])

    def scout(self) -> Any:
        """Search for cars as the state machine does."""
        query = PaperQuery(concepts=(("cars",),))
        task = ScoutTask(id="papers:hybrid", strategy="hybrid", source="library", project_id="thesis", queries=(query,))
        request = {"query": "cars", "kinds": ["papers"], "project_id": "thesis"}
        return self.call({"stage": "scout", "kind": "papers", "request": request, "task": task.model_dump(mode="json")})


@pytest.fixture
def deployed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployment]:
    """Simulate AWS with what scout needs of it."""
    opening = partial(open_bucket, folder=tmp_path / "container")
    monkeypatch.setattr("goldpan.infra.s3_libraries.open_bucket", opening)
    monkeypatch.setattr(secrets, "_provider", cache(secrets._provider.__wrapped__))  # the client is of this AWS
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with mock_aws(), LoopbackEmbeddings(key=KEY, encode=by_meaning) as server:
        boto3.client("s3", region_name=REGION).create_bucket(Bucket=BUCKET)
        create_tables(boto3.client("dynamodb", region_name=REGION))
        with recorded_ssm(boto3.client("ssm", region_name=REGION)) as ssm:
            ssm.put(KEY_NAME, KEY)
            made = Deployment(server, ssm, tmp_path)
            monkeypatch.setattr("goldpan_local.library_commands.push_command.sleep", made.waits.append)
            yield made


def test_a_pushed_library_is_searched_by_the_vectors_of_its_model(deployed: Deployment) -> None:
    """What has none of the words is found by every way to search, and the answer names the model.

    The version is written when no container reads the file before any more.
    """
    deployed.push()
    assert [wait > RECHECK.total_seconds() for wait in deployed.waits] == [True]
    encoded = len(deployed.server.inputs)
    found = deployed.request("/library/search")
    assert [row["title"] for row in found["results"]] == ["notes"]
    assert (found["encoder"], found["notes"]) == ("own-model", [])
    passages = deployed.request("/library/chunks")
    assert (len(passages["chunks"]), passages["notes"]) == (1, [])
    batch = deployed.scout()
    assert [paper["title"] for paper in batch["papers"]] == ["notes"]
    assert deployed.server.inputs[encoded:] == [["cars"]] * 3
    assert deployed.ssm.names() == [KEY_NAME] * 3
