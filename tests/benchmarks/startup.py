"""Measures how a built function starts: its import relative to boto3's, then its first and second response.

Each is a new process on the Python of the functions, with compiled files but for "as built" and "restored", which is
after a snapshot; the best of all rounds counts. Then scout searches catalogues: the embedded one, and a file of a
bucket, which its first response downloads.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.models import CATALOGUE
from goldpan.kinds.repositories.sources.catalogue.build import write_catalogue
from goldpan.kinds.repositories.sources.catalogue.reader import open_sample

from tests.benchmarks.catalogue import SEED, searches_of, varied
from tests.benchmarks.frame import WORK, Limit, report, run_main, table
from tests.slow.artefact.world import PATIENT, Functions, event_of, running_world
from tests.support.loopback.aws import LoopbackBucket
from tests.support.loopback.lambda_process import LambdaProcess
from tests.support.loopback.lambda_template import (
    BUILT,
    CLIENT,
    SDK,
    BuiltFunction,
    NotBuiltError,
    RuntimeMissingError,
    built_functions,
    installed,
    newer_python,
)

COMPILED = WORK / "startup"
TIMES_BOTO3 = 1.3
STAGES = {"query_translator": "translate", "scout": "scout", "screener": "score"}
IMPORT = """
import sys, time
start = time.perf_counter()
import {names}
milliseconds = 1000 * (time.perf_counter() - start)
import pathlib
status = pathlib.Path("/proc/self/status")
rows = status.read_text().splitlines() if status.exists() else []
print(milliseconds, next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM:")), 0))
"""
READ_ONLY = {"PYTHONPYCACHEPREFIX": "", "PYTHONDONTWRITEBYTECODE": "1"}
"""Compiled files are read beside the sources, and none are written."""
OK = {"status": "ok"}
"""The status of a source, which scout alone reports."""
QUESTION, KEY, MEGABYTE = "Rust web framework", "files/catalogue.sqlite", 1e6
Rows = dict[str, list[list[float]]]


def compiled_functions() -> Functions:
    """Copy the built functions, and compile the copy; files that are no valid Python are not imported either."""
    shutil.rmtree(COMPILED, ignore_errors=True)
    shutil.copytree(BUILT, COMPILED)
    command = [newer_python(), "-m", "compileall", "-q", "-j", "0", str(COMPILED)]
    subprocess.run(command, check=False, capture_output=True, timeout=300)
    return built_functions(COMPILED)


def measure_import(function: BuiltFunction | None, names: str) -> list[float]:
    """Import in a new process, with the path of a function or of boto3; returns milliseconds and megabytes."""
    path = [installed(CLIENT), function.folder, *function.layers] if function else []
    aws = {**function.environment, "AWS_REGION": "eu-central-1"} if function else {}
    env = {"PATH": os.defpath, **aws, "PYTHONPATH": os.pathsep.join(map(str, [*path, installed(SDK)])), **READ_ONLY}
    command = [newer_python(), "-S", "-s", "-c", IMPORT.format(names=names)]
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=120)
    return [float(figure) for figure in done.stdout.split()]


def measure_responses(
    function: BuiltFunction, environment: dict[str, str], event: dict[str, Any], *, snap_start: bool
) -> list[float]:
    """Start a function, and invoke it twice; returns milliseconds, those of the processor, and the megabytes."""
    with LambdaProcess(function, environment | READ_ONLY, snap_start=snap_start) as process:
        seconds = [process.restore_seconds if snap_start else process.start_seconds]
        used = [0.0, process.processor_seconds()]
        for _ in range(2):
            answer = process.invoke(event, PATIENT)
            if answer.error or answer.result.get("status", OK)["status"] != "ok":
                raise RuntimeError(f"{function.name} failed: {answer}")
            seconds.append(answer.seconds)
            used.append(process.processor_seconds())
        spent = [after - before for before, after in pairwise(used)]
        return [*(1000 * each for each in (*seconds, *spent)), process.peak_megabytes() or 0.0]


def measure_with_secrets(function: BuiltFunction, *, snap_start: bool = False) -> list[float]:
    """Measure the responses of a function to the event of its stage."""
    with running_world() as world:
        environment, event = world.with_secrets(snap_start=snap_start), event_of(STAGES[function.name])
        return measure_responses(function, environment, event, snap_start=snap_start)


def measure(rounds: int) -> tuple[Rows, Rows]:
    """Measure all in turn, so that noise of the machine affects all; returns the figures of imports and responses."""
    built, compiled = built_functions(), compiled_functions()
    imports: Rows = {}
    responses: Rows = {}
    for _ in range(rounds):
        imports.setdefault("boto3", []).append(measure_import(None, "boto3"))
        for name in STAGES:
            imports.setdefault(name, []).append(measure_import(compiled[name], "app"))
            responses.setdefault(name, []).append(measure_with_secrets(compiled[name]))
            responses.setdefault(f"{name}, as built", []).append(measure_with_secrets(built[name]))
            responses.setdefault(f"{name}, restored", []).append(measure_with_secrets(built[name], snap_start=True))
    return imports, responses


def measure_catalogues(rounds: int, count: int) -> tuple[Rows, float]:
    """Search the catalogues in turn; returns the figures of each, and the megabytes of the file."""
    function, event, measured = built_functions()["scout"], event_of("scout"), Rows()
    with closing(open_sample(shipped_table())) as catalogue:
        searches = [each.model_dump(mode="json") for each in searches_of(QUESTION, catalogue)]
    event["task"] |= {"strategy": "known", "source": CATALOGUE, "searches": searches}
    with tempfile.TemporaryDirectory() as folder, running_world() as world:
        file = Path(folder, "large.sqlite")
        write_catalogue(varied(count, random.Random(SEED)), file, "a large catalogue", shipped_table())
        with LoopbackBucket({KEY: file.read_bytes()}) as bucket:
            settings = {"AWS_ENDPOINT_URL_S3": bucket.url, "CATALOGUE_UPDATE_HOURS": "24"}
            for snap_start in (False, True) * rounds:
                for name, added in (("embedded", {}), ("bucket", settings)):
                    environment = world.without_secrets(snap_start=snap_start) | added
                    environment["TMPDIR"] = tempfile.mkdtemp(dir=folder)
                    row = measure_responses(function, environment, event, snap_start=snap_start)
                    measured.setdefault(f"{name}, restored" if snap_start else name, []).append(row)
            if len(bucket.requests) != 2 * rounds:
                raise RuntimeError("the file of the bucket was not read in time")
        return measured, file.stat().st_size / MEGABYTE


def main(rounds: int = 7, repositories: int = 50_000) -> int:
    """Measure, print, and check the limit."""
    try:
        measured = measure(rounds)
        searched, megabytes = measure_catalogues(rounds, repositories)
    except (NotBuiltError, RuntimeMissingError) as missing:
        print(missing, file=sys.stderr)
        return 2
    imports, responses, catalogues = (
        {name: [min(c) for c in zip(*r, strict=True)] for name, r in each.items()} for each in (*measured, searched)
    )
    ratios = {name: best[0] / imports["boto3"][0] for name, best in imports.items()}
    rows = [[name, *best, ratios[name]] for name, best in imports.items()]
    columns = ("start ms", "first", "second", "start, processor ms", "first", "second", "MB")
    tables = (
        table(["import, best", "ms", "MB", "relative to boto3"], rows),
        table(["response, best", *columns], [[name, *best] for name, best in responses.items()]),
        table([f"{megabytes:.1f} MB in the bucket, best", *columns], [[n, *best] for n, best in catalogues.items()]),
    )
    limits = [Limit(f"import of {name}, relative to boto3", ratios[name], TIMES_BOTO3) for name in STAGES]
    return report("\n\n".join(tables), limits)


if __name__ == "__main__":
    run_main(main)
