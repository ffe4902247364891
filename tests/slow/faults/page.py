"""Writes docs/reliability.md from the campaign, if every case ends as expected: `python -m tests.slow.faults.page`."""

import tempfile
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path

from tests.slow.faults import dynamodb_cases, github_cases, model_cases, sqlite_cases
from tests.slow.faults.case import Case, world_of
from tests.slow.faults.judge import judge

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reliability.md"
OUTSIDE = "## Inputs that grow"
"""The heading from which on the page is written by hand: faults that other tests hold."""
INTRODUCTION = """# Reliability

What goldpan does when something outside fails. Each row is one test: a whole search through the library, with GitHub,
the language model and DynamoDB as servers on loopback ports that fail as the row describes, for which 5 to 15 seconds
are allowed. The status is that of the HTTP API; the last column quotes the answer, the problem or the log, without the
warnings of every answer without a key or a token.

Each test also checks that the search ended, that the upstream received no more requests than it should, and that
neither a key nor a token nor a stack trace is in the answer or in the log.

`make reliability` runs the campaign and writes this page; a test fails if it sees something else than its row.
"""
_ALL = [*github_cases.CASES, *model_cases.CASES, *sqlite_cases.CASES, *dynamodb_cases.CASES]
_UPSTREAMS = list(dict.fromkeys(case.upstream for case in _ALL))
CASES: tuple[Case, ...] = tuple(sorted(_ALL, key=lambda case: _UPSTREAMS.index(case.upstream)))
"""All cases, in the order of the page."""
HEAD = "| fault | result | status | rows, warnings, errors |\n|---|---|---|---|"


def row_of(number: int) -> str:
    """Run the case of this number, and return its row; a process can be given no case, since some hold functions."""
    case = CASES[number]
    with tempfile.TemporaryDirectory() as folder, world_of(case, Path(folder)) as world:
        seen = world.search()
        status, quotes = judge(case, seen)
        if case.after is not None:
            case.after(world, seen)
    cells = (" ".join(text.split()) for text in (case.fault, case.result, status, quotes))
    return "| " + " | ".join(text.replace("|", "\\|").replace("<", "&lt;") for text in cells) + " |"


def rows_of_page() -> dict[str, str]:
    """Read the rows of the page, by the titles of their cases."""
    rows, upstream = {}, ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            upstream = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith("| fault |") and upstream in _UPSTREAMS:
            rows[f"{upstream}: {line.removeprefix('| ').partition(' | ')[0]}"] = line
    return rows


def main() -> None:
    """Run the campaign, and write its part of the page."""
    parts = [INTRODUCTION]
    with ProcessPoolExecutor(2) as pool:
        rows = pool.map(row_of, range(len(CASES)))
        for upstream, cases in groupby(CASES, key=lambda case: case.upstream):
            parts.append("\n".join([f"## {upstream}", "", HEAD, *(next(rows) for _ in cases), ""]))
    by_hand = PAGE.read_text("utf-8").partition(OUTSIDE)[2]
    PAGE.write_text("\n".join([*parts, f"{OUTSIDE}{by_hand}"]), "utf-8")


if __name__ == "__main__":
    main()
