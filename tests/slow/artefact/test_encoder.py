"""The optional layer with the sentence encoder, built for this machine, as scout uses it."""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

from tests.contract.stack.test_functions import ENCODER
from tests.slow.artefact.test_functions import PAPERS, imported
from tests.slow.artefact.world import PATIENT, Functions, World
from tests.support.loopback.bucket import LoopbackBucket
from tests.support.loopback.lambda_process import LambdaProcess, StartError
from tests.support.loopback.lambda_runtime import newer_python
from tests.support.loopback.lambda_template import ENCODER_LAYER, BuiltFunction

pytestmark = [pytest.mark.enable_socket, pytest.mark.short]
MAX_BYTES, MAX_MEGABYTES = 250 * 1024**2, 400
"""Lambda's limit of a function with its layers, unpacked; of the 512 MB of scout, what leaves room for a library."""
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
NAME = "all-minilm-l6-v2-int8/1.0.0"


@pytest.fixture
def scout(functions: Functions) -> BuiltFunction:
    """Return scout with the layer, as the template attaches it."""
    if not ENCODER_LAYER.exists():
        pytest.skip(f"no layer in {ENCODER_LAYER}: run `make encoder-build`")
    built = functions["scout"]
    settings = {**built.environment, "EMBEDDING_MODEL": ENCODER}
    return replace(built, layers=(*built.layers, ENCODER_LAYER), environment=settings)


@pytest.fixture
def bucket(scout: BuiltFunction, tmp_path: Path) -> Iterator[LoopbackBucket]:
    """Serve a library with vectors of the sentence encoder, and one with those of the table."""
    files = {name: tmp_path / f"{name}.sqlite" for name in ("sentences", "words")}
    for file in files.values():
        with LibraryWriter.open(file) as writer:
            writer.replace_origin("papers.json", "1", PAPERS)
            encode_library(writer, shipped_table())
    command = [newer_python(), "-S", "-s", "-c", IMPORT, str(files["sentences"])]
    path = {"PYTHONPATH": os.pathsep.join(map(str, scout.layers))}
    subprocess.run(command, env=path, check=True, capture_output=True)
    with LoopbackBucket({f"libraries/{name}.sqlite": file.read_bytes() for name, file in files.items()}) as serving:
        yield serving


def _asked(process: LambdaProcess, path: str, project: str) -> dict[str, Any]:
    request = {"query": "teaching a machine", "project_id": project}
    answer = process.invoke({"stage": "library", "path": path, "request": request}, PATIENT)
    assert answer.error is None
    assert imported(answer.lines) == set(), "the snapshot has the encoder and its model"
    body: dict[str, Any] = json.loads(answer.result["body"])
    return body


def test_a_library_is_searched_by_the_meaning_of_sentences(
    scout: BuiltFunction, world: World, bucket: LoopbackBucket, tmp_path: Path
) -> None:
    """A paper without any word of the query is found; with vectors of another encoder words decide, and it says so."""
    environment = world.without_secrets(snap_start=True) | {"AWS_ENDPOINT_URL_S3": bucket.url, "TMPDIR": str(tmp_path)}
    environment |= {"PYTHONPROFILEIMPORTTIME": "1"}
    with LambdaProcess(scout, environment, snap_start=True) as process:
        found = _asked(process, "/library/search", "sentences")
        assert found["encoder"] == NAME
        assert (found["results"][0]["id"], found["results"][0]["score"]) == ("a", 0)
        assert _asked(process, "/library/chunks", "sentences")["chunks"][0]["document"] == "a"
        others = _asked(process, "/library/search", "words")
        assert (others["encoder"], others["results"]) == (None, [])
        assert others["notes"] == [f"Words alone decided: its vectors are of {shipped_table().name}, not of {NAME}."]
        peak = process.peak_megabytes()
    assert peak is None or peak < MAX_MEGABYTES


def test_a_layer_of_another_processor_stops_the_deployment(scout: BuiltFunction, world: World, tmp_path: Path) -> None:
    """Or one without the encoder: the version never becomes active, and the error says what it lacks."""
    lacking = replace(scout, layers=(*scout.layers[:-1], tmp_path))
    with (
        pytest.raises(StartError, match="the sentence encoder needs"),
        LambdaProcess(lacking, world.without_secrets(snap_start=True), snap_start=True),
    ):
        pass


def test_scout_with_the_layer_fits_into_lambda(scout: BuiltFunction) -> None:
    """Lambda refuses a function whose layers are larger than 250 MB unpacked."""
    folders = (scout.folder, *scout.layers)
    assert sum(file.stat().st_size for folder in folders for file in folder.rglob("*") if file.is_file()) < MAX_BYTES
