"""The built scout searches a library by words and by meaning, with the NumPy of its second layer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

from tests.slow.artefact.world import PATIENT, Functions, World
from tests.support.library_fakes import own_paper
from tests.support.loopback.bucket import LoopbackBucket
from tests.support.loopback.lambda_process import LambdaProcess

pytestmark = pytest.mark.enable_socket
PAPERS = (
    own_paper("a", "Training of neural networks", abstract="How layers learn from examples."),
    own_paper("b", "Gardens in spring", abstract="Tulips and roses."),
)


@pytest.mark.short
def test_a_library_is_searched_with_its_vectors(functions: Functions, world: World, tmp_path: Path) -> None:
    """The encoder of the answer is the shipped table, passages are ranked, and a second call downloads nothing."""
    file = tmp_path / "thesis.sqlite"
    with LibraryWriter.open(file) as writer:
        writer.replace_origin("papers.json", "1", PAPERS)
        encode_library(writer, shipped_table())
    with LoopbackBucket({"libraries/thesis.sqlite": file.read_bytes()}) as bucket:
        environment = world.without_secrets(snap_start=True)
        environment |= {"AWS_ENDPOINT_URL_S3": bucket.url, "TMPDIR": str(tmp_path)}
        request = {"query": "deep learning", "project_id": "thesis"}
        with LambdaProcess(functions["scout"], environment, snap_start=True) as process:
            for path in ("/library/search", "/library/chunks"):
                event = {"stage": "library", "path": path, "request": request}
                answer = process.invoke(event, PATIENT)
                assert answer.error is None
                assert answer.result["statusCode"] == 200, answer.result
                body = json.loads(answer.result["body"])
                if path == "/library/search":
                    assert body["encoder"] == shipped_table().name
                    assert body["results"][0]["id"] == "a"
                else:
                    assert body["chunks"][0]["document"] == "a"
    assert [request.method for request in bucket.requests].count("GET") == 1
