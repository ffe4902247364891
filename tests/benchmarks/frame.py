"""What benchmarks share: the data beside the project (../shared), the command line, processes, tables and limits."""

import gzip
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import IO, Any, Self, cast

import typer
from goldpan.infra.rate_limits.limits import Limit as RateLimit

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
PAPERS = DATA / "papers"
WORK = ROOT / "build" / "benchmarks"
CUT = 10
"""The results that count in nDCG@10."""
NO_LIMIT = (RateLimit(3600, 10_000_000), RateLimit(60, 10_000_000))
"""The limits of a real source would end a run early; these are counted in the same way and never reached."""
PLAIN_MALLOC = "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=2"
"""The C library keeps freed memory for each thread and each processor. With hundreds of threads that grows for
thousands of searches, in bare calls too, and would hide whether anything else grows."""


def lift(limits: Mapping[str, object], *names: str) -> None:
    """Lift these rate limits, or all."""
    cast("dict[str, object]", limits).update(dict.fromkeys(names or limits, NO_LIMIT))


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read the objects of a compressed file, one a line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_collection(name: str, every: int = 1) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Read the documents of a judged collection of papers, and every N-th of its questions."""
    folder = PAPERS / name
    return read_rows(folder / "docs.jsonl.gz"), read_rows(folder / "queries.public.jsonl.gz")[::every]


@dataclass(frozen=True)
class Limit:
    """The most that a figure may be, or the least."""

    name: str
    figure: float
    most: float = math.inf
    least: float = -math.inf

    @property
    def holds(self) -> bool:
        """Whether the figure is within its bounds."""
        return self.least <= self.figure <= self.most

    def __str__(self) -> str:
        bound = f"at most {self.most:g}" if self.most < math.inf else f"at least {self.least:g}"
        return f"{'holds' if self.holds else 'BROKEN'}: {self.name}: {self.figure:.4g}, {bound}"


def ndcg(ids: Sequence[str], judged: Mapping[str, int]) -> float:
    """Return nDCG@10: linear gain, discounted by log2 of the place plus 1, as a share of the ideal order's."""
    ideal = sum(grade / math.log2(at + 2) for at, grade in enumerate(sorted(judged.values(), reverse=True)[:CUT]))
    return sum(judged.get(name, 0) / math.log2(at + 2) for at, name in enumerate(ids[:CUT])) / ideal


def run_main(main: Callable[..., int]) -> None:
    """Run a benchmark by the options of the command line, the parameters of its `main`; without its data, skip it."""

    @wraps(main)
    def command(**options: object) -> None:
        try:
            raise typer.Exit(main(**options))
        except FileNotFoundError as error:
            if DATA.is_dir() or SHARED not in Path(error.filename).parents:
                raise
            print(f"skipped: the data folder {SHARED.name} is not beside the project")

    command.__doc__ = sys.modules[main.__module__].__doc__
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(command)
    app()


def floors(figures: Mapping[str, float], bounds: Mapping[str, float], prefix: str = "") -> list[Limit]:
    """Bound figures from below."""
    return [Limit(f"{prefix}{name}", figures[name], least=least) for name, least in bounds.items()]


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Format a Markdown table; all columns but the first are aligned to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def report(text: str, limits: Sequence[Limit]) -> int:
    """Print the text and the limits; returns the exit code, 1 if a limit is broken."""
    print("\n".join([text, "", *map(str, limits)]))
    return int(not all(limit.holds for limit in limits))


def report_runs(runs: Mapping[str, Mapping[str, object]], limits: Sequence[Limit]) -> int:
    """Report the named figures of several runs, as a row each."""
    head = list(dict.fromkeys(name for row in runs.values() for name in row))
    rows = [[title, *(row.get(name) for name in head)] for title, row in runs.items()]
    return report(table(["run", *head], rows), limits)


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


class Child:
    """A process that reports a line of JSON for each line of input; `first` is what it printed at its start."""

    def __init__(self, module: str, *arguments: object) -> None:
        command = [sys.executable, "-m", f"tests.benchmarks.{module}", *map(str, arguments)]
        pipe = subprocess.PIPE
        env = os.environ | {"GLIBC_TUNABLES": PLAIN_MALLOC}
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, env=env)
        self._in, self._out = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        self.first = self._out.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._in.close()
        self._out.close()
        self._process.kill()
        self._process.wait()

    def report(self) -> Any:
        """Ask for what the process reports."""
        self._in.write("\n")
        self._in.flush()
        return json.loads(self._out.readline())
