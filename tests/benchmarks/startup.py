"""Measures how a built function starts: its import beside boto3's, then its first and second answer.

Everything runs in new processes, in turn, on the Python of the functions, with compiled files on both sides: the real
runtime has boto3 compiled. "As built" is without compiled files, as it is deployed; "restored" is the same from a
snapshot. The best of all runs counts, because other work of the machine only adds time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("layers/goldpan", "local", ".")]  # a script sees only its own folder

from tests.benchmarks.figures import Floor, report, table  # noqa: E402
from tests.slow.artefact.world import Functions, event_of, running_world  # noqa: E402
from tests.support.loopback.lambda_environment import lambda_environment  # noqa: E402
from tests.support.loopback.lambda_process import LambdaProcess  # noqa: E402
from tests.support.loopback.lambda_runtime import CLIENT, SDK, RuntimeMissingError, installed, newer_python  # noqa: E402
from tests.support.loopback.lambda_template import BUILT, BuiltFunction, NotBuiltError, built_functions  # noqa: E402

COMPILED = ROOT / "build" / "benchmarks" / "startup"
TIMES_BOTO3 = 1.3
STAGES = {"query_translator": "translate", "scout": "scout", "screener": "score"}
MEASURE_IMPORT = """
import sys, time
start = time.perf_counter()
import {names}
figures = {{"ms": 1000 * (time.perf_counter() - start)}}
import json, pathlib
status = pathlib.Path("/proc/self/status")
rows = status.read_text().splitlines() if status.exists() else []
figures |= {{"mb": int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM:")}}
print(json.dumps(figures))
"""
IN_PLACE = {"PYTHONPYCACHEPREFIX": "", "PYTHONDONTWRITEBYTECODE": "1"}
"""Compiled files are read beside their sources, and none are written."""
Seen = dict[str, list[float]]


@dataclass
class Import:
    """Something that is imported, and its measurements."""

    names: str
    environment: Mapping[str, str]
    seen: Seen = field(default_factory=dict)

    def run(self) -> None:
        """Import in a new process."""
        command = [newer_python(), "-S", "-s", "-c", MEASURE_IMPORT.format(names=self.names)]
        run = subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True)
        note(self.seen, json.loads(run.stdout))


def note(seen: Seen, figures: Mapping[str, float | None]) -> None:
    """Add the figures of one run."""
    for name, figure in figures.items():
        if figure is not None:
            seen.setdefault(name, []).append(figure)


def compiled(functions: Functions) -> Functions:
    """Copy the built functions and compile the copy."""
    shutil.rmtree(COMPILED, ignore_errors=True)
    shutil.copytree(BUILT, COMPILED)
    # A package may contain templates that are not Python; what cannot be compiled is never imported.
    command = [newer_python(), "-m", "compileall", "-q", "-j", "0", str(COMPILED)]
    subprocess.run(command, check=False, capture_output=True)

    def moved(path: Path) -> Path:
        return COMPILED / path.relative_to(BUILT)

    return {
        name: replace(function, folder=moved(function.folder), layers=tuple(map(moved, function.layers)))
        for name, function in functions.items()
    }


def imports(built: Functions, fast: Functions) -> dict[str, Import]:
    """Return what is imported."""
    sdk = {"PATH": os.defpath, "PYTHONPATH": str(installed(SDK)), "PYTHONDONTWRITEBYTECODE": "1"}
    both = sdk | {"PYTHONPATH": os.pathsep.join([str(installed(SDK)), str(fast["scout"].layers[0])])}
    found = {"boto3": Import("boto3", sdk), "boto3 and openai": Import("boto3, openai", both)}
    for suffix, functions in (("", fast), (", as built", built)):
        for name, function in functions.items():
            path = [function.folder, *function.layers, installed(CLIENT)]
            environment = lambda_environment(function, "127.0.0.1:9", path, snap_start=False) | IN_PLACE
            found[f"{name}{suffix}"] = Import("app", environment)
    return found


def answer(stage: str, function: BuiltFunction, *, snap_start: bool) -> dict[str, float | None]:
    """Start a function with a token and a key, and invoke it twice; returns milliseconds and megabytes."""
    event = event_of(stage)
    with running_world() as world:
        environment = world.with_secrets(snap_start=snap_start) | IN_PLACE
        with LambdaProcess(function, environment, snap_start=snap_start) as process:
            first, second = process.invoke(event, 60), process.invoke(event, 60)
            if first.error or second.error:
                message = f"{stage} failed: {first.error or second.error}"
                raise RuntimeError(message)
            started = process.restore_seconds if snap_start else process.start_seconds
            seconds = {"start_ms": started, "first_ms": first.seconds, "second_ms": second.seconds}
            return {name: 1000 * each for name, each in seconds.items()} | {"mb": process.peak_megabytes()}


def measure(rounds: int) -> tuple[dict[str, Seen], dict[str, Seen]]:
    """Measure the imports and the answers in turn, so that a noisy moment affects them all."""
    built = built_functions()
    fast = compiled(built)
    imported, answered = imports(built, fast), dict[str, Seen]()
    for each in imported.values():
        each.run()  # reads the files once, so that the page cache is warm for all
        each.seen.clear()
    for _ in range(rounds):
        for each in imported.values():
            each.run()
        for name, stage in STAGES.items():
            note(answered.setdefault(name, {}), answer(stage, fast[name], snap_start=False))
            note(answered.setdefault(f"{name}, as built", {}), answer(stage, built[name], snap_start=False))
            note(answered.setdefault(f"{name}, restored", {}), answer(stage, built[name], snap_start=True))
    return {name: each.seen for name, each in imported.items()}, answered


def _best(seen: Seen) -> dict[str, float]:
    best = {name: max(values) if name == "mb" else min(values) for name, values in seen.items()}
    medians = {f"median_{name}": median(values) for name, values in seen.items() if name != "mb"}
    return {name: round(figure, 2) for name, figure in {**best, **medians}.items()}


def main() -> int:
    """Measure, print, and check the floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="new processes of each")
    options = parser.parse_args()
    try:
        imported, answered = ({name: _best(seen) for name, seen in part.items()} for part in measure(options.rounds))
    except (NotBuiltError, RuntimeMissingError) as missing:
        print(missing, file=sys.stderr)
        return 2
    ratios = {name: figures["ms"] / imported["boto3"]["ms"] for name, figures in imported.items()}
    rows = [[name, each["ms"], each["median_ms"], ratios[name], each.get("mb")] for name, each in imported.items()]
    text = table(["import", "best ms", "median ms", "of boto3", "peak MB"], rows)
    names = ["start_ms", "first_ms", "second_ms", "mb"]
    rows = [[name, *(each.get(figure) for figure in names)] for name, each in answered.items()]
    text += "\n\n" + table(["answer, best", "start ms", "first ms", "second ms", "peak MB"], rows)
    floors = [Floor(f"import of {name}, of boto3", ratios[name], TIMES_BOTO3) for name in STAGES]
    return report(text, {"import": imported, "answer": answered}, floors)


if __name__ == "__main__":
    sys.exit(main())
