"""Measures the answers to the public questions, by rules alone, against both baselines in the same run.

    python tests/benchmarks/quality.py [--floors] [--every N]

Needs the data folder beside the project (../shared), whose evaluate.py scores each run; the lists that the judgements
come from are not read.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from goldpan.contracts import parse_request
from goldpan.engine import pipeline
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan.kinds.repositories.state import final_state

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # a script sees only its own folder

from tests.benchmarks.figures import Limit, report, table  # noqa: E402
from tests.support.factories import StillClock  # noqa: E402

SHARED = ROOT.parent / "shared"
WORK = ROOT / "build" / "benchmarks"
RULES = ("min_stars", "pushed_within_months", "require_readme", "exclude_archived", "exclude_trivial_forks")
OBSERVED = datetime(2026, 8, 22, tzinfo=UTC)
"""The day of the data, from which ages count."""
BASELINES = {"BM25": ["bm25"], "stars": ["stars"]}
BASELINES |= {f"{name}, own text": [*arguments, "--own-text-only"] for name, arguments in BASELINES.items()}


@dataclass(frozen=True)
class Setting:
    """One way to answer all questions."""

    own_text_only: bool
    rules: bool

    @property
    def title(self) -> str:
        """The name of the setting in the tables."""
        return f"{'own text' if self.own_text_only else 'with list_description'}, rules {'on' if self.rules else 'off'}"

    @property
    def catalogue(self) -> Path:
        """The catalogue of the setting."""
        return WORK / f"{'own' if self.own_text_only else 'all'}.sqlite"


def _build_catalogue(setting: Setting) -> None:
    """Build the catalogue of the data, with or without the curators' texts."""
    records = records_from_lines(SHARED / "data" / "repos.jsonl.gz")
    if setting.own_text_only:
        records = (record.model_copy(update={"list_description": None}) for record in records)
    build_catalogue(records, setting.catalogue, "the benchmark's catalogue")


def _answer(questions: list[dict[str, Any]], setting: Setting) -> Iterator[dict[str, Any]]:
    """Answer the questions, and return what the stages found."""
    catalogue = Catalogue.open(setting.catalogue)
    dependencies = Dependencies(clock=StillClock(OBSERVED), sources={"catalogue": catalogue})
    config = {} if setting.rules else {"coarse_filter": dict.fromkeys(RULES)}
    for question in questions:
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
    """Answer all questions in one setting, and score the run."""
    with gzip.open(SHARED / "data" / "repo_queries.public.jsonl.gz", "rt", encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines][::every]
    start = time.perf_counter()
    answers = list(_answer(questions, setting))
    seconds = time.perf_counter() - start
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


def _recall(answers: list[dict[str, Any]], judged: Mapping[str, set[str]], found: str) -> float:
    relevant = ((judged[row["qid"]], set(row[found])) for row in answers)
    return round(fmean(len(names & in_stage) / len(names) for names, in_stage in relevant), 4)


def _score(run: Path) -> dict[str, Any]:
    figures = json.loads(_evaluate("score", str(run)))
    scores = {name: figures["all"][name] for name in ("nDCG@10", "recall@25")}
    return scores | {"named nDCG@10": figures.get("named", {}).get("nDCG@10")}


def _baseline(name: str) -> dict[str, Any]:
    run, (kind, *options) = WORK / f"baseline-{name.replace(', ', '-')}.jsonl", BASELINES[name]
    _evaluate("baseline", kind, str(run), *options)
    return _score(run)


def _evaluate(*arguments: str) -> str:
    command = [sys.executable, str(SHARED / "evaluate.py"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _limits(figures: Mapping[str, Mapping[str, Any]]) -> list[Limit]:
    ndcg = {name: row["nDCG@10"] for name, row in figures.items()}
    every, own = ndcg["with list_description, rules off"], ndcg["own text, rules off"]
    return [
        Limit("nDCG@10 with list_description, relative to BM25", every / ndcg["BM25"], 1.0, is_minimum=True),
        Limit("nDCG@10 with list_description, relative to stars", every / ndcg["stars"], 1.2, is_minimum=True),
        Limit("nDCG@10 of own text, relative to stars", own / ndcg["stars, own text"], 1.15, is_minimum=True),
        Limit("searches of a question", max(row.get("most searches", 0) for row in figures.values()), 15),
    ]


def main() -> int:
    """Measure, print, and check the floors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every N-th question, without floors")
    parser.add_argument("--floors", action="store_true", help="measure only what has a floor")
    options = parser.parse_args()
    if not SHARED.is_dir():
        print(f"skipped: the data folder {SHARED.name} is not beside the project")
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    settings = [
        Setting(own, rules) for own in (False, True) for rules in ((False,) if options.floors else (False, True))
    ]
    with ProcessPoolExecutor() as pool:
        names = [name for name in BASELINES if not options.floors or name != "BM25, own text"]
        runs = {name: pool.submit(_baseline, name) for name in names}
        list(pool.map(_build_catalogue, [setting for setting in settings if not setting.rules]))
        runs |= {setting.title: pool.submit(_run, setting, options.every) for setting in settings}
        figures = {name: run.result() for name, run in runs.items()}
    head = list(dict.fromkeys(name for row in figures.values() for name in row))
    rows = [[title, *(str(row.get(name, "")) for name in head)] for title, row in figures.items()]
    return report(table(["run", *head], rows), figures, _limits(figures) if options.every == 1 else [])


if __name__ == "__main__":
    sys.exit(main())
