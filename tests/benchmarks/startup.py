"""Measures how a function of the artefact starts: its import beside boto3's, then its first and second answer.

Everything runs in fresh processes, in turn, on the Python of the functions, with compiled files on both sides: the
real runtime ships boto3 compiled. "As built" is the artefact without compiled files, as it is deployed; "restored" is
the same after a snapshot. The best of all runs counts: whatever else the machine does only ever adds time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("layers/goldpan", ".")]  # a script sees only its own folder

from tests.benchmarks.figures import Floor, table, tell  # noqa: E402
from tests.slow.artefact.stages import asking_event  # noqa: E402
from tests.slow.artefact.world import running_world  # noqa: E402
from tests.support.loopback.lambda_compiled import compiled  # noqa: E402
from tests.support.loopback.lambda_environment import lambda_environment  # noqa: E402
from tests.support.loopback.lambda_process import LambdaProcess  # noqa: E402
from tests.support.loopback.lambda_runtime import CLIENT, SDK, RuntimeMissingError, installed, newer_python  # noqa: E402
from tests.support.loopback.lambda_template import BUILT, BuiltFunction, NotBuiltError, built_functions  # noqa: E402

COMPILED = ROOT / "build" / "benchmarks" / "startup"
TIMES_BOTO3 = 1.3
STAGES = {"query_translator": "translate", "scout": "scout", "screener": "score"}
TELL = """
import sys, time
begin = time.perf_counter()
import {names}
told = {{"ms": 1000 * (time.perf_counter() - begin)}}
import json, pathlib
status = pathlib.Path("/proc/self/status")
rows = status.read_text().splitlines() if status.exists() else []
told |= {{"mb": int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM:")}}
print(json.dumps(told))
"""
LEAVE = {"PYTHONPYCACHEPREFIX": "", "PYTHONDONTWRITEBYTECODE": "1"}
"""Compiled files are read where they lie beside the sources, and none are written."""


@dataclass
class Subject:
    """Something that is imported, and all that was measured of it."""

    names: str
    environment: Mapping[str, str]
    seen: dict[str, list[float]] = field(default_factory=dict)

    def run(self) -> None:
        """Import in a fresh process, and note its milliseconds and megabytes."""
        command = [newer_python(), "-S", "-s", "-c", TELL.format(names=self.names)]
        done = subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True, timeout=120)
        note(self.seen, json.loads(done.stdout))


def note(seen: dict[str, list[float]], told: Mapping[str, float | None]) -> None:
    """Keep what one run told."""
    for name, figure in told.items():
        if figure is not None:
            seen.setdefault(name, []).append(figure)


def importing(function: BuiltFunction) -> dict[str, str]:
    """Make the environment in which a door is imported."""
    path = [function.folder, *function.layers, installed(CLIENT)]
    return lambda_environment(function, "127.0.0.1:9", path, snap_start=False) | LEAVE


def imports(built: Mapping[str, BuiltFunction], fast: Mapping[str, BuiltFunction]) -> dict[str, Subject]:
    """Name what is imported."""
    (layer,) = fast["scout"].layers
    sdk = {"PATH": os.defpath, "PYTHONPATH": str(installed(SDK)), "PYTHONDONTWRITEBYTECODE": "1"}
    both = sdk | {"PYTHONPATH": os.pathsep.join([str(installed(SDK)), str(layer)])}
    subjects = {"boto3": Subject("boto3", sdk), "boto3 and openai": Subject("boto3, openai", both)}
    subjects |= {door: Subject("app", importing(function)) for door, function in fast.items()}
    return subjects | {f"{door}, as built": Subject("app", importing(function)) for door, function in built.items()}


def answer(door: str, function: BuiltFunction, *, snap_start: bool) -> dict[str, float | None]:
    """Start a function with a token and a key, and ask it twice."""
    event = asking_event(STAGES[door])
    with running_world() as world:
        given = world.resolve_secrets(snap_start=snap_start) | LEAVE
        with LambdaProcess(function, given, snap_start=snap_start) as process:
            first, second = process.invoke(event, 60), process.invoke(event, 60)
            if first.error or second.error:
                message = f"{door} failed: {first.error or second.error}"
                raise RuntimeError(message)
            begun = process.restore_seconds if snap_start else process.start_seconds
            told = {"start_ms": begun, "first_ms": first.seconds, "second_ms": second.seconds}
            return {name: 1000 * seconds for name, seconds in told.items()} | {"mb": process.peak_megabytes()}


def measure(rounds: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Take all in turn, so that a noisy moment strikes them all; gives the figures of imports and of answers."""
    built = built_functions()
    fast = compiled(built, BUILT, COMPILED)
    subjects, answers = imports(built, fast), dict[str, dict[str, list[float]]]()
    for subject in subjects.values():
        subject.run()  # reads the files once, so that the page cache is warm for all
        subject.seen.clear()
    for _ in range(rounds):
        for subject in subjects.values():
            subject.run()
        for door in STAGES:
            for name, function in {door: fast[door], f"{door}, as built": built[door]}.items():
                note(answers.setdefault(name, {}), answer(door, function, snap_start=False))
            note(answers.setdefault(f"{door}, restored", {}), answer(door, built[door], snap_start=True))
    return {name: _figures(subject.seen) for name, subject in subjects.items()}, {
        name: _figures(seen) for name, seen in answers.items()
    }


def _figures(seen: Mapping[str, list[float]]) -> dict[str, float]:
    medians = {f"median_{name}": median(values) for name, values in seen.items() if name != "mb"}
    best = {name: max(values) if name == "mb" else min(values) for name, values in seen.items()}
    return {name: round(figure, 2) for name, figure in {**best, **medians}.items()}


def main() -> int:
    """Measure, print, and check the floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="fresh processes of each")
    asked = parser.parse_args()
    try:
        imported, answered = measure(asked.rounds)
    except (NotBuiltError, RuntimeMissingError) as missing:
        print(missing, file=sys.stderr)
        return 2
    boto3 = imported["boto3"]["ms"]
    ratios = {name: figures["ms"] / boto3 for name, figures in imported.items()}
    rows = [[name, each["ms"], each["median_ms"], ratios[name], each.get("mb")] for name, each in imported.items()]
    text = table(["import", "best ms", "median ms", "of boto3", "peak MB"], rows)
    names = ["start_ms", "first_ms", "second_ms", "mb"]
    rows = [[name, *(each.get(figure) for figure in names)] for name, each in answered.items()]
    text += "\n\n" + table(["answer, best", "start ms", "first ms", "second ms", "peak MB"], rows)
    floors = [Floor(f"import of {door}, of boto3", ratios[door], TIMES_BOTO3) for door in STAGES]
    figures: dict[str, Any] = {"import": imported, "answer": answered}
    return tell(text, figures, floors)


if __name__ == "__main__":
    sys.exit(main())
