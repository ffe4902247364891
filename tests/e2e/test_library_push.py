"""A library is pushed by the command, and searched through the state machine and by the requests of a library."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from goldpan.engine.dependencies import Dependencies
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.s3_libraries import open_bucket
from goldpan.kinds.papers.sources.library.requests import ACCESS
from goldpan_local.command import app
from typer.testing import CliRunner, Result

from tests.contract.openapi.gateway import execution_input, started
from tests.e2e.comparison import CACHE, CachedStack, Searched
from tests.support.handlers import handler
from tests.support.paper_fakes import collect, own_paper
from tests.support.simulated_aws import REGION

BUCKET = "libraries-of-a-test"
QUESTION = "graph neural networks for molecules"
FIRST = own_paper("a", "Graph neural networks for molecules", abstract="They predict toxicity.")
SECOND = own_paper("b", "Molecules as graphs, read by neural networks", authors=("Bo Dog",), abstract="Solubility.")
MINE: dict[str, Any] = {"query": QUESTION, "kinds": ["papers"], "project_id": "thesis", "library_only": True}


class Deployed:
    """The stack with a bucket, and the folder of libraries of one machine."""

    def __init__(self, stack: CachedStack, folder: Path) -> None:
        self.stack, self.folder, sources = stack, folder, dict[str, Any]()
        self.fakes = stack.fakes(sources=sources)
        bucket = open_bucket(BUCKET, 512, self.fakes.clock, folder / "container")
        self.libraries = ACCESS.open(bucket, shipped_table())
        sources["library"] = ACCESS.source(self.libraries)

    def push(self, *papers: Any, project: str = "thesis", **env: str) -> Result:
        """Make these the papers of a project, and push it."""
        if papers:
            collect(self.folder / "local", project, papers)
        names = {"GOLDPAN_LIBRARIES": str(self.folder / "local"), "AWS_DEFAULT_REGION": REGION}
        names |= {"GOLDPAN_LIBRARY_BUCKET": BUCKET, "GOLDPAN_CACHE_TABLE": CACHE, **env}
        return CliRunner().invoke(app, ["library", "push", "--project", project], env=names)

    def search(self, key: str = "unbound1", **fields: Any) -> Searched:
        """Search as the API does for a caller with a key."""
        value = execution_input("/search", json.dumps(MINE | fields), key=key)
        return self.stack.stack.execute(self.fakes, value)

    def execute(self, request: dict[str, Any], projects: str) -> Searched:
        """Search with a key that is bound to projects."""
        return self.stack.stack.execute(self.fakes, {"request": request, "projects": projects})

    def request(self, path: str, key: str = "unbound1", **fields: Any) -> tuple[int, Any]:
        """Send a request of a library as the API does; returns the status and the body."""
        dependencies = Dependencies(self.fakes.clock, libraries=self.libraries)
        response = handler("scout", dependencies)(started(path, json.dumps(fields), key=key))
        return response["statusCode"], json.loads(response["body"])


@pytest.fixture
def deployed(cached_stack: CachedStack, tmp_path: Path) -> Iterator[Deployed]:
    """Deploy a bucket beside the stack."""
    client = boto3.client("s3", region_name=REGION)
    client.create_bucket(Bucket=BUCKET)
    client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    made = Deployed(cached_stack, tmp_path)
    yield made
    for version in client.list_object_versions(Bucket=BUCKET).get("Versions", ()):
        client.delete_object(Bucket=BUCKET, Key=version["Key"], VersionId=version["VersionId"])
    client.delete_bucket(Bucket=BUCKET)


def titles(searched: Searched) -> list[str]:
    """Return the titles of the papers of an answer."""
    return sorted(paper.title for paper in searched.answer.sections["papers"].results)


def test_a_replaced_library_answers_from_the_push_on(deployed: Deployed) -> None:
    """The first search finds the first file, a repeated one is cached, and after another push the new file answers."""
    pushed = deployed.push(FIRST)
    assert (pushed.exit_code, pushed.stderr) == (0, "")
    assert pushed.stdout.startswith("thesis: 1 paper, ")
    first = deployed.search()
    assert titles(first) == [FIRST.title]
    assert deployed.search().answer.cached
    assert deployed.push(FIRST, SECOND).exit_code == 0
    second = deployed.search()
    assert (second.answer.cached, titles(second)) == (False, [FIRST.title, SECOND.title])
    assert second.statuses == {"library": "ok", "hybrid": "skipped"}, "it has no vectors"
    assert deployed.search().answer.cached


def test_a_version_that_cannot_be_read(deployed: Deployed) -> None:
    """The search runs, and its answer is not stored: it might be of an older file."""
    deployed.push(FIRST)
    deployed.search()
    deployed.stack.stack.platform.tables.throttled[CACHE, "GetItem"] = 2
    assert not deployed.search().answer.cached
    assert deployed.search().answer.cached
    assert len(deployed.stack.answers()) == 1


@pytest.mark.parametrize("projects", ["thesis-2,other", "!"])
def test_a_key_that_is_bound_to_other_projects(deployed: Deployed, projects: str) -> None:
    """It is refused before an answer of the project is read from the cache, and no function is called."""
    deployed.push(FIRST)
    deployed.search()
    refused = deployed.execute(MINE, projects)
    assert (refused.response.statusCode, refused.calls) == (403, {})
    assert "thesis" not in refused.response.body
    assert deployed.execute(MINE, "other,thesis").answer.cached
    assert deployed.execute({"query": QUESTION}, projects).response.statusCode != 403, "it names no project"


def test_a_key_that_is_bound_to_projects(deployed: Deployed) -> None:
    """It searches these alone, also for passages of all projects, and learns nothing of the others."""
    deployed.push(FIRST)
    deployed.push(SECOND, project="team")
    for project, status in (("thesis", 403), ("nothing", 403), ("team", 200)):
        assert deployed.request("/library/search", "d4", query="molecules", project_id=project)[0] == status
    passages = deployed.request("/library/chunks", "d4", query="molecules")[1]["chunks"]
    assert {passage["project"] for passage in passages} <= {"team"}


def test_what_is_stored_is_encrypted_and_has_a_checksum(deployed: Deployed) -> None:
    """The object is the whole library, and the version is that of its content."""
    deployed.push(FIRST)
    client = boto3.client("s3", region_name=REGION)
    stored = client.get_object(Bucket=BUCKET, Key="libraries/thesis.sqlite", ChecksumMode="ENABLED")
    assert stored["ServerSideEncryption"] == "AES256"
    assert stored["ChecksumSHA256"]
    assert stored["Body"].read().startswith(b"SQLite format 3\0")
    [item] = deployed.stack.items(CACHE, "library:")
    assert (item["pk"]["S"], item["version"]["S"]) == ("library:thesis", stored["Metadata"]["version"])
    assert "ttl" not in item, "an expired version would let an older answer be served"


def test_a_push_that_cannot_succeed(deployed: Deployed) -> None:
    """Each cause is named, and no version is written."""
    local = deployed.folder / "local"
    assert "No papers collected yet" in deployed.push().stderr
    collect(local, "thesis", [FIRST])
    missing = deployed.push(GOLDPAN_LIBRARY_BUCKET="not-there")
    assert (missing.exit_code, missing.stderr[:20]) == (2, "goldpan: not-there: ")
    assert "bucket does not exist" in missing.stderr
    assert "--stack: goldpan: An error occurred (ValidationError)" in deployed.push(GOLDPAN_LIBRARY_BUCKET="").stderr
    assert not deployed.stack.items(CACHE, "library:")
    unwritten = deployed.push(GOLDPAN_CACHE_TABLE="not-there")
    assert "not found; the file was uploaded" in unwritten.stderr
