"""How good the answers are: the public questions, by rules alone, beside both baselines in the same run.

    python tests/benchmarks/quality.py [--every N]

Needs the data folder beside the project (../shared). Each run is scored by its evaluate.py; nothing is read of the
lists that the judgements come from. Exits 1 where a floor is missed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
WORK = ROOT / "build" / "benchmarks"
RULES_OFF = {
    "min_stars": None,
    "pushed_within_months": None,
    "require_readme": None,
    "exclude_archived": None,
    "exclude_trivial_forks": None,
}
OBSERVED = datetime(2026, 8, 22, tzinfo=UTC)
"""The day of the data; ages count from it."""


@dataclass(frozen=True)
class Setting:
    """One way to answer all questions."""

    own_text_only: bool
    rules: bool

    @property
    def title(self) -> str:
        """Name the setting as the tables do."""
        return f"{'own text' if self.own_text_only else 'with list_description'}, rules {'on' if self.rules else 'off'}"


class _DayOfTheData:
    """A clock that stands still on the day of the data."""

    def now(self) -> datetime:
        return OBSERVED

    def wait(self, seconds: float) -> None:
        del seconds


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _catalogue(own_text_only: bool) -> Path:  # noqa: FBT001
    """Build the catalogue of the data, with or without the curators' texts."""
    from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue, records_from_lines  # noqa: PLC0415

    path = WORK / f"{'own' if own_text_only else 'all'}.sqlite"
    records = records_from_lines(SHARED / "data" / "repos.jsonl.gz")
    if own_text_only:
        records = (record.model_copy(update={"list_description": None}) for record in records)
    build_catalogue(records, path, "the benchmark's catalogue")
    return path


def _answer(questions: list[dict[str, Any]], path: Path, setting: Setting) -> Iterator[dict[str, Any]]:
    """Answer the questions, and keep what was found on the way."""
    from goldpan.contracts import parse_request  # noqa: PLC0415
    from goldpan.engine import pipeline  # noqa: PLC0415
    from goldpan.engine.dependencies import Dependencies  # noqa: PLC0415
    from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue  # noqa: PLC0415
    from goldpan.kinds.repositories.state import final_state  # noqa: PLC0415

    catalogue = Catalogue.open(path)
    dependencies = Dependencies(clock=_DayOfTheData(), sources={"catalogue": catalogue})
    for question in questions:
        config = {} if setting.rules else {"coarse_filter": RULES_OFF}
        request = parse_request({"query": question["query"], "max_results": 25, "config": config})
        events = list(pipeline.run(request, dependencies, sources=("catalogue",)))
        state, answer = final_state(request, events), events[-1].answer
        yield {
            "qid": question["qid"],
            "results": [repository.repo for repository in state.top_repos],
            "candidates": [repository.full_name for repository in state.candidate_repos],
            "shortlist": [repository.full_name for repository in state.coarse_filtered_repos],
            "searches": sum(len(row.query.split(" | ")) for row in answer.sources) if answer else 0,
        }
    catalogue.close()


def _run(setting: Setting, every: int) -> dict[str, Any]:
    """Answer all questions in one setting and score the run."""
    questions = _rows(SHARED / "data" / "repo_queries.public.jsonl.gz")[::every]
    begun = time.perf_counter()
    answers = list(_answer(questions, WORK / f"{'own' if setting.own_text_only else 'all'}.sqlite", setting))
    seconds = time.perf_counter() - begun
    run = WORK / f"run-{setting.title.replace(' ', '-').replace(',', '')}.jsonl"
    run.write_text("".join(json.dumps({k: row[k] for k in ("qid", "results")}) + "\n" for row in answers), "utf-8")
    judged = {question["qid"]: set(question["relevant"]) for question in questions}
    return {
        **_score(run),
        "recall of candidates": _recall(answers, judged, "candidates"),
        "recall of shortlist": _recall(answers, judged, "shortlist"),
        "most searches": max(row["searches"] for row in answers),
        "ms a question": round(1000 * seconds / len(answers), 1),
    }


def _recall(answers: list[dict[str, Any]], judged: dict[str, set[str]], what: str) -> float:
    shares = [len(judged[row["qid"]] & set(row[what])) / len(judged[row["qid"]]) for row in answers]
    return round(sum(shares) / len(shares), 4)


def _score(run: Path) -> dict[str, Any]:
    figures = json.loads(_evaluate("score", str(run)))
    return {"nDCG@10": figures["all"]["nDCG@10"], "recall@25": figures["all"]["recall@25"],
            "named nDCG@10": figures.get("named", {}).get("nDCG@10")}  # fmt: skip


def _baseline(kind: str, own_text_only: bool) -> dict[str, Any]:  # noqa: FBT001
    run = WORK / f"baseline-{kind}-{own_text_only}.jsonl"
    _evaluate("baseline", kind, str(run), *(["--own-text-only"] if own_text_only else []))
    return _score(run)


def _evaluate(*arguments: str) -> str:
    command = [sys.executable, str(SHARED / "evaluate.py"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _missed(figures: dict[str, dict[str, Any]]) -> list[str]:
    """List the floors that do not hold."""
    every = figures["with list_description, rules off"]["nDCG@10"]
    own = figures["own text, rules off"]["nDCG@10"]
    floors = {
        "with list_description: at least BM25": every >= figures["BM25"]["nDCG@10"],
        "with list_description: 1.2 times the stars baseline": every >= 1.2 * figures["stars"]["nDCG@10"],
        "own text: 1.15 times the stars baseline": own >= 1.15 * figures["stars, own text"]["nDCG@10"],
        "at most 15 searches": all(row.get("most searches", 0) <= 15 for row in figures.values()),
    }
    return [floor for floor, holds in floors.items() if not holds]


def main() -> int:
    """Run all settings and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every N-th question (the baselines take all)")
    given = parser.parse_args()
    if not SHARED.is_dir():
        print(f"skipped: the data folder {SHARED.name} is not beside the project")
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    settings = [Setting(own, rules) for own in (False, True) for rules in (False, True)]
    with ProcessPoolExecutor() as pool:
        list(pool.map(_catalogue, (False, True)))
        runs = [pool.submit(_run, setting, given.every) for setting in settings]
        bases = {"BM25": ("bm25", False), "BM25, own text": ("bm25", True),
                 "stars": ("stars", False), "stars, own text": ("stars", True)}  # fmt: skip
        baselines = {title: pool.submit(_baseline, *how) for title, how in bases.items()}
        figures = {title: future.result() for title, future in baselines.items()}
        figures |= {setting.title: run.result() for setting, run in zip(settings, runs, strict=True)}
    names = list(dict.fromkeys(name for row in figures.values() for name in row))
    print("| run |", " | ".join(names), "|")
    print("|---|" + "---|" * len(names))
    for title, row in figures.items():
        print(f"| {title} |", " | ".join(str(row.get(name, "")) for name in names), "|")
    missed = _missed(figures) if given.every == 1 else []
    print(
        "missed: " + "; ".join(missed) if missed else "all floors hold" if given.every == 1 else "a sample: no floors"
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
