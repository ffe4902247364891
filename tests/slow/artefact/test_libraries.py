"""The built scout searches libraries: with the shipped table, and with the optional layer of the sentence encoder."""

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

from tests.contract.stack.test_functions import ENCODER
from tests.slow.artefact.world import PATIENT, Functions, World
from tests.support.loopback.aws import LoopbackBucket
from tests.support.loopback.lambda_process import LambdaProcess, StartError
from tests.support.loopback.lambda_template import ENCODER_LAYER, BuiltFunction, newer_python
from tests.support.paper_fakes import own_paper

pytestmark = pytest.mark.short
PAPERS = (
    own_paper("a", "Training of neural networks", abstract="How layers learn from examples."),
    own_paper("b", "Gardens in spring", abstract="Tulips and roses."),
)
NO_COMMON_WORD, NAME = "teaching a machine", "all-minilm-l6-v2-int8/1.0.0"
MAX_BYTES, MAX_MEGABYTES, MAX_GROWN = 250 * 1024**2, 400, 50
"""Lambda's limit of a function with its layers, unpacked; of the 512 MB of scout, and what a search may add to them."""
IMPORT = """
import sys
from pathlib import Path
from goldpan.infra.encoder.sentence import SentenceEncoder
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
with LibraryWriter.open(Path(sys.argv[1])) as writer:
    encode_library(writer, SentenceEncoder())
"""
"""What an import with GOLDPAN_ENCODER=sentence does; the packages are those of the layer."""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Return the file of a library with vectors of the table."""
    with LibraryWriter.open(tmp_path / "thesis.sqlite") as writer:
        writer.replace_origin("papers.json", "1", PAPERS)
        encode_library(writer, shipped_table())
    return tmp_path / "thesis.sqlite"


@pytest.fixture
def with_layer(functions: Functions) -> BuiltFunction:
    """Return scout with the layer, as the template attaches it."""
    if not ENCODER_LAYER.exists():
        pytest.skip(f"no layer in {ENCODER_LAYER}: run `make encoder-build`")
    scout = functions["scout"]
    settings = {**scout.environment, "EMBEDDING_MODEL": ENCODER}
    return replace(scout, layers=(*scout.layers, ENCODER_LAYER), environment=settings)


def ask(scout: BuiltFunction, world: World, library: Path, query: str) -> list[dict[str, Any]]:
    """Ask for papers, then for passages, after a restore: nothing is imported or loaded, and the file is read once."""
    with LoopbackBucket({"libraries/thesis.sqlite": library.read_bytes()}) as bucket:
        own = {"AWS_ENDPOINT_URL_S3": bucket.url, "TMPDIR": str(library.parent), "PYTHONPROFILEIMPORTTIME": "1"}
        with LambdaProcess(scout, world.without_secrets(snap_start=True) | own, snap_start=True) as process:
            before, request = process.peak_megabytes() or 0, {"query": query, "project_id": "thesis"}
            events = [
                {"stage": "library", "path": f"/library/{path}", "request": request} for path in ("search", "chunks")
            ]
            answers = [process.invoke(event, PATIENT) for event in events]
            peak = process.peak_megabytes() or 0
    assert [(answer.error, answer.lines.imported()) for answer in answers] == [(None, set())] * 2
    assert [request.method for request in bucket.requests].count("GET") == 1
    assert not peak or peak < min(MAX_MEGABYTES, before + MAX_GROWN)
    return [json.loads(answer.result["body"]) for answer in answers]


def test_a_library_is_searched_with_its_vectors(functions: Functions, world: World, library: Path) -> None:
    """The encoder of the answer is the shipped table, passages are ranked, and a second call downloads nothing."""
    found, passages = ask(functions["scout"], world, library, "deep learning")
    assert (found["encoder"], found["results"][0]["id"]) == (shipped_table().name, "a")
    assert passages["chunks"][0]["document"] == "a"


def test_with_the_layer_sentences_are_compared(with_layer: BuiltFunction, world: World, library: Path) -> None:
    """A paper without any word of the query is found; with vectors of another encoder words decide, and it says so."""
    others, _ = ask(with_layer, world, library, NO_COMMON_WORD)
    assert (others["encoder"], others["results"]) == (None, [])
    known = f"vectors of {shipped_table().name}, none of {NAME}"
    assert others["notes"] == [f"Words alone decided: the library has {known}."]
    command, path = [newer_python(), "-S", "-s", "-c", IMPORT, str(library)], map(str, with_layer.layers)
    subprocess.run(command, env={"PYTHONPATH": os.pathsep.join(path)}, check=True, capture_output=True)
    found, passages = ask(with_layer, world, library, NO_COMMON_WORD)
    assert (found["encoder"], found["results"][0]["id"], found["results"][0]["score"]) == (NAME, "a", 0)
    assert passages["chunks"][0]["document"] == "a"
    files = (file for folder in (with_layer.folder, *with_layer.layers) for file in folder.rglob("*") if file.is_file())
    assert sum(file.stat().st_size for file in files) < MAX_BYTES


def test_another_layer_stops_the_deployment(with_layer: BuiltFunction, world: World, tmp_path: Path) -> None:
    """A version whose layer has no encoder, or one for another processor, never becomes active, and says why."""
    lacking = replace(with_layer, layers=(*with_layer.layers[:-1], tmp_path))
    with (
        pytest.raises(StartError, match="the sentence encoder needs"),
        LambdaProcess(lacking, world.without_secrets(snap_start=True), snap_start=True),
    ):
        pass
