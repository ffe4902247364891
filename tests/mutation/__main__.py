"""Runs the mutation test by the rules of targets.toml, in temporary copies of the tree: `python -m tests.mutation`."""

import argparse
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from compileall import compile_dir
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

import pytest

from tests.mutation.covering import Recording
from tests.mutation.mutants import Mutant, fixed_mutants, load, random_mutants

ROOT = Path(__file__).resolve().parents[2]
WORKERS = 2
# No cache and a fixed seed: the failures of one mutant must not change the run of the next.
OPTIONS = ("-q", "-p", "no:cacheprovider", "--hypothesis-seed=8", "--hypothesis-profile=mutants")
NOT_COPIED = (".git", ".venv*", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis", ".aws-sam")


def main() -> int:
    """Run the mutation test; the exit code is 0 if enough mutants of each seed were killed, else 1."""
    parser, targets = argparse.ArgumentParser(prog="python -m tests.mutation"), load(ROOT)
    parser.add_argument("--sample", type=int, default=targets["sample"], help="number of mutants to draw")
    parser.add_argument("--seed", type=int, nargs="+", default=[targets["seed"]], help="draw others with each seed")
    parser.add_argument("--only", default="", help="run those with this text in file:line and name")
    parser.add_argument("--list", action="store_true", help="list the mutants, run nothing")
    options = parser.parse_args()
    fixed, suffices = list(fixed_mutants(targets, ROOT)), True
    drawn = {seed: [*fixed, *islice(random_mutants(targets, ROOT, seed), options.sample)] for seed in options.seed}
    mutants = [mutant for mutant in dict.fromkeys(chain(*drawn.values())) if options.only in str(mutant)]
    survivors = [] if options.list else _survivors(mutants, targets)
    print(*(f"\n{mutant}\n{mutant.diff}" for mutant in (mutants if options.list else survivors)), sep="\n")
    for seed in [] if options.list else options.seed:
        run = {*drawn[seed]}.intersection(mutants)
        killed, needed = len(run.difference(survivors)), math.ceil(targets["min_killed"] * len(run))
        suffices = suffices and killed >= needed
        print(f"\nseed {seed}: {killed} of {len(run)} mutants killed, at least {needed} must be")
    return int(not suffices)


def _survivors(mutants: list[Mutant], targets: dict[str, Any]) -> list[Mutant]:
    """Run the mutants, a share in each of the copies of the tree."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(WORKERS) as pool:
        copies = [Path(folder).resolve() / str(number) for number in range(WORKERS)]
        for copy in copies:
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
            for package in targets["packages"]:  # valid for the same source alone, however quickly that changes
                compile_dir(copy / package, quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        recording = _record(targets["tests"], targets["packages"], copies[0])
        shares = [mutants[number::WORKERS] for number in range(WORKERS)]
        return list(chain(*pool.map(partial(_run, targets["tests"], recording), copies, shares)))


def _pytest(copy: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run pytest so that all its processes import the copy: no installed package is."""
    settings = tomllib.loads((copy / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
    path = os.pathsep.join(str(copy / folder) for folder in settings["pythonpath"])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-m", "pytest", *OPTIONS, *arguments]
    return subprocess.run(command, cwd=copy, env=environment, text=True, check=False, **options)


def _record(suite: dict[str, Any], packages: list[str], copy: Path) -> Recording:
    """Run all tests once, unchanged, and record which lines each runs. Raises SystemExit if that breaks off."""
    print("recording which tests run which lines ...", flush=True)
    options = [*(f"--ignore={path}" for path in suite["ignored"]), *(f"--cov={path}" for path in packages)]
    options += ["--cov-context=test", "--cov-report=", f"--cov-config={os.devnull}", f"--numprocesses={WORKERS}"]
    run = _pytest(copy, *suite["folders"], *options, "--junit-xml=junit.xml", "-ojunit_family=xunit1")
    if run.returncode not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        raise SystemExit("the tests could not be recorded")
    recording = Recording(copy)
    for test in sorted(recording.failing):
        print(f"not used, it fails on the unchanged tree: {test}", flush=True)
    return recording


def _run(suite: dict[str, Any], recording: Recording, copy: Path, mutants: list[Mutant]) -> list[Mutant]:
    """Run the tests of each mutant in a copy, print a line for each, and return those that survive."""
    survivors = []

    def limit(tests: list[str]) -> float:
        return float(
            suite["timeout_factor"] * sum(recording.seconds[test] for test in tests) + suite["timeout_seconds"]
        )

    for mutant in mutants:
        tests = recording.tests(mutant, suite["max_test_seconds"])
        first = recording.within(tests, suite["first_test_seconds"])
        parts = filter(None, (first, tests[len(first) :]))
        (copy / mutant.file).write_text(mutant.mutated, "utf-8")
        killer = next(filter(None, (_killer(copy, part, limit(part)) for part in parts)), "")
        (copy / mutant.file).write_text(mutant.source, "utf-8")
        print(f"{mutant}: {f'killed by {killer}' if killer else f'SURVIVED {len(tests)} test functions'}", flush=True)
        survivors += [] if killer else [mutant]
    return survivors


def _killer(copy: Path, tests: list[str], limit: float) -> str:
    """Name what fails, or return an empty text. Raises RuntimeError if pytest finds no test to run."""
    with (copy / "output.txt").open("w+", encoding="utf-8", errors="replace") as output:  # a child may hold a pipe open
        try:
            run = _pytest(copy, "-x", "--no-cov", *tests, timeout=limit, stdout=output, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired:
            return f"the time limit of {limit:.0f} s"
        output.seek(0)
        text = output.read()
    if run.returncode == 0:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR|ImportError while) (.+?)(?: - .*)?$", text, re.MULTILINE)
    if not failed and run.returncode in {pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED}:
        raise RuntimeError(f"pytest ended with {run.returncode}:\n{text}")
    return failed[1] if failed else f"exit code {run.returncode}"


if __name__ == "__main__":
    sys.exit(main())
