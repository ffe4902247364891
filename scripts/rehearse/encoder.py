"""Deploys the layer with the sentence encoder, and shows that scout uses it."""

import subprocess
from pathlib import Path

import boto3
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

from scripts.rehearse.report import StepError, expect, patiently, require
from scripts.rehearse.stack import FUNCTIONS, NAME, RehearsedStack
from scripts.rehearse.world import ROOT
from scripts.smoke.stack import Stack
from tests.support.paper_fakes import own_paper


def deploy_layer(architecture: str) -> str:
    """Run `make deploy-encoder` without anyone's answers; return the ARN that it prints. Raises StepError."""
    command = ["make", "--silent", "deploy-encoder", f"ARCHITECTURE={architecture}", "ANSWERS="]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    arn = Stack("goldpan-encoder").output("EncoderLayerArn") if not done.returncode else ""
    if not arn or arn not in done.stdout:
        raise StepError(f"make deploy-encoder failed: {done.stdout[-300:]}{done.stderr[-300:]}")
    return arn


def show_encoder(stack: RehearsedStack, arn: str, folder: Path) -> str:
    """Find the layer at scout alone, and search a library whose vectors are the table's: the answer names both."""
    client = boto3.client("lambda")
    made = {name: client.get_function_configuration(FunctionName=stack.physical_id(name)) for name in FUNCTIONS}
    attached = [name for name, each in made.items() if arn in [layer["Arn"] for layer in each["Layers"]]]
    expect(attached, ["ScoutFunction"], "the functions with the layer")
    file = folder / "thesis.sqlite"
    with LibraryWriter.open(file) as writer:
        writer.replace_origin("papers.json", "1", [own_paper("a", "Training of neural networks")])
        encode_library(writer, shipped_table())
    bucket = Stack(NAME).output("LibraryBucketName")
    boto3.client("s3").put_object(Bucket=bucket, Key="libraries/thesis.sqlite", Body=file.read_bytes())
    note = patiently(lambda: _note(stack))
    return f"the layer is attached to scout alone, which says: {note}"


def _note(stack: RehearsedStack) -> str:
    answer = stack.post("/library/search", {"query": "neural networks", "project_id": "thesis"}).json()
    [note] = answer.get("notes") or [answer]
    require("none of all-minilm-l6-v2" in note, f"the encoder of the layer ({note})")
    return str(note)
