"""Measures the answers to the public questions, by rules alone, against two baselines: `quality.py [--floors]`.

Needs the data folder beside the project (../shared), whose evaluate.py scores each run; the lists that the judgements
come from are not read. Exits with 1 if a floor is missed.
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
sys.path[:0] = [str(ROOT / folder) for folder in ("layers/goldpan", "local", ".")]  # a script sees only its own folder

from goldpan.contracts import parse_request  # noqa: E402
from goldpan.engine import pipeline  # noqa: E402
from goldpan.engine.dependencies import Dependencies  # noqa: E402
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue, records_from_lines  # noqa: E402
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue  # noqa: E402
from goldpan.kinds.repositories.state import final_state  # noqa: E402

from tests.benchmarks.figures import Floor, report, table  # noqa: E402
from tests.support.factories import StillClock  # noqa: E402

SHARED, WORK = ROOT.parent / "shared", ROOT / "build" / "benchmarks"
RULES = ("min_stars", "pushed_within_months", "require_readme", "exclude_archived", "exclude_trivial_forks")
OBSERVED = datetime(2026, 8, 22, tzinfo=UTC)
"""The day of the data, from which ages count."""


@dataclass(frozen=True)
class Setting:
    """One way to answer all questions: with or without the curators' texts, and the coarse rules."""

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
    records = records_from_lines(SHARED / "data" / "repos.jsonl.gz")
    if setting.own_text_only:
        records = (record.model_copy(update={"list_description": None}) for record in records)
    build_catalogue(records, setting.catalogue, "the benchmark's catalogue")


def _answers(questions: list[dict[str, Any]], setting: Setting) -> Iterator[dict[str, Any]]:
    """Answer the questions; yield what was found by the stages."""
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


def _measure(setting: Setting) -> dict[str, Any]:
    """Answer all questions in one setting and score the answers."""
    with gzip.open(SHARED / "data" / "repo_queries.public.jsonl.gz", "rt", encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines]
    start = time.perf_counter()
    answers = list(_answers(questions, setting))
    seconds = time.perf_counter() - start
    run = WORK / f"run-{setting.title.replace(' ', '-').replace(',', '')}.jsonl"
    run.write_text("".join(json.dumps({k: row[k] for k in ("qid", "results")}) + "\n" for row in answers), "utf-8")
    relevant = {question["qid"]: set(question["relevant"]) for question in questions}
    recall = {
        f"recall of {name}": sum(
            len(relevant[row["qid"]] & set(row[name])) / len(relevant[row["qid"]]) for row in answers
        )
        / len(answers)
        for name in ("candidates", "shortlist")
    }
    searches = max(row["searches"] for row in answers)
    return {**_score(run), **recall, "most searches": searches, "ms a question": 1000 * seconds / len(answers)}


def _score(run: Path) -> dict[str, Any]:
    figures = json.loads(_evaluate("score", str(run)))
    named = figures.get("named", {}).get("nDCG@10")
    return {**{name: figures["all"][name] for name in ("nDCG@10", "recall@25")}, "named nDCG@10": named}


def _baseline(kind: str, *options: str) -> dict[str, Any]:
    run = WORK / f"baseline-{kind}{''.join(options)}.jsonl"
    _evaluate("baseline", kind, str(run), *options)
    return _score(run)


def _evaluate(*arguments: str) -> str:
    command = [sys.executable, str(SHARED / "evaluate.py"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _floors(figures: dict[str, dict[str, Any]]) -> list[Floor]:
    ndcg = {name: row["nDCG@10"] for name, row in figures.items()}
    every, own = ndcg["with list_description, rules off"], ndcg["own text, rules off"]
    return [
        Floor("with list_description, to BM25", every / ndcg["BM25"], 1.0, at_least=True),
        Floor("with list_description, to the stars baseline", every / ndcg["stars"], 1.2, at_least=True),
        Floor("own text, to the stars baseline", own / ndcg["stars, own text"], 1.15, at_least=True),
        Floor("searches a question", max(row.get("most searches", 0) for row in figures.values()), 15),
    ]


def main() -> int:
    """Measure the settings, print, and check the floors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--floors", action="store_true", help="measure only what has a floor")
    options = parser.parse_args()
    if not SHARED.is_dir():
        print(f"skipped: the data folder {SHARED.name} is not beside the project")
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    without_rules = [Setting(own_text_only=own, rules=False) for own in (False, True)]
    with_rules = [Setting(own_text_only=own, rules=True) for own in (False, True)]
    own_text = ("--own-text-only",)
    baselines: dict[str, tuple[str, ...]] = {
        "BM25": ("bm25",),
        "stars": ("stars",),
        "stars, own text": ("stars", *own_text),
    }
    if not options.floors:
        baselines["BM25, own text"] = ("bm25", *own_text)
    with ProcessPoolExecutor() as pool:
        runs = {name: pool.submit(_baseline, *baseline) for name, baseline in baselines.items()}
        list(pool.map(_build_catalogue, without_rules))
        settings = without_rules if options.floors else [*without_rules, *with_rules]
        runs |= {setting.title: pool.submit(_measure, setting) for setting in settings}
        figures = {name: run.result() for name, run in runs.items()}
    names = list(dict.fromkeys(name for row in figures.values() for name in row))
    text = table(["run", *names], [[title, *(row.get(name) for name in names)] for title, row in figures.items()])
    return report(text, figures, _floors(figures))


if __name__ == "__main__":
    sys.exit(main())
