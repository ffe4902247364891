"""The page that the campaign writes, docs/reliability.md, and how it is read again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path

from tests.slow.faults.case import Case

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reliability.md"
RECORDS = "GOLDPAN_FAULT_RECORDS"
"""The folder in which each case leaves what was seen, where the page is being written."""
INTRODUCTION = """# Reliability

What goldpan does when something outside fails. Each row is one test: a whole search through the library, with GitHub,
the language model and DynamoDB as servers on loopback ports that fail as the row says, and 5 to 15 seconds allowed. The
status is the one that the HTTP API gives; the last column quotes the answer, the problem or the log of that test. What
every answer without a key or a token says of that is left out.

Beside what a row says, each test holds that the answer came within its seconds and a second more, that the upstream saw
no more calls than it should, and that neither a key, a token nor a stack trace is in the answer or the log.

`make reliability` runs the campaign and writes this page; a test that sees something else than its row fails.
"""
HEAD = "| fault | what is done | what the asker gets | status | rows, warnings, errors |\n|---|---|---|---|---|"


def rendered(cases: Iterable[Case], seen: Mapping[str, Mapping[str, str]]) -> str:
    """Write the page."""
    parts = [INTRODUCTION]
    for upstream, group in groupby(cases, key=lambda case: case.upstream):
        rows = [row_of(case, seen[case.title]) for case in group]
        parts.append("\n".join([f"## {upstream}", "", HEAD, *rows, ""]))
    return "\n".join(parts)


def row_of(case: Case, seen: Mapping[str, str]) -> str:
    """Write the row of a case."""
    cells = (case.name, case.done, case.gets, seen["status"], seen["said"])
    return "| " + " | ".join(_cell(text) for text in cells) + " |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def rows_of_page() -> dict[str, str]:
    """Read the rows of the page that stands, by the title of the case."""
    rows, upstream = {}, ""
    for line in PAGE.read_text("utf-8").splitlines() if PAGE.exists() else ():
        if line.startswith("## "):
            upstream = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith("| fault |"):
            name = re.split(r"(?<!\\) \| ", line.removeprefix("| "))[0]
            rows[f"{upstream}: {name}"] = line
    return rows


def record(folder: Path, case: Case, seen: Mapping[str, str]) -> None:
    """Leave what was seen: a file a case, so that several processes can run the campaign."""
    name = re.sub(r"\W+", "-", case.title.lower()).strip("-")
    (folder / f"{name}.json").write_text(json.dumps({"title": case.title, "seen": seen}), "utf-8")


def recorded(folder: Path) -> dict[str, dict[str, str]]:
    """Read what was seen."""
    told = [json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")]
    return {one["title"]: one["seen"] for one in told}
