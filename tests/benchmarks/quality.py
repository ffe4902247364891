"""Measures the answers to the public questions, by rules alone, against baselines in the same run.

Titles of lists' sections, typed questions and judged ones, with and without the curators' texts and goldpan's own
notes and categories; the lists of the judgements are not read. Needs ../shared.
"""

from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any, get_args

from tests.benchmarks.frame import WORK, Limit, floors, report_runs, run_main
from tests.benchmarks.quality_runs import (
    JUDGED,
    Knowledge,
    Setting,
    make_catalogue,
    run_baseline,
    run_judged,
    run_setting,
)

FLOORS = {"natural": 0.38, "natural, texts alone": 0.23, "titles": 0.42, "titles, texts alone": 0.375}
"""The least nDCG@10 of each run."""
JUDGED_FLOORS = {"apt": 0.27, "found": 0.62, "first": 0.45}
"""The least figures of the first ten results of the judged questions."""
JUDGED_PREFIX = "judged questions: "
STYLES = ("alternative", "casual", "foreign", "misspelled", "sentence", "stars")
"""The styles with 13 questions or more: none may be below BM25."""
SORTS, BASELINES = ("natural", "titles"), ("bm25", "stars")
MAX_EMPTY = 0.02


def limits(figures: Mapping[str, Mapping[str, Any]]) -> list[Limit]:
    """List the floors of what was measured."""
    bm25, titles = figures["natural, bm25"], figures["titles"]["nDCG@10"]
    ours = {name: figures[name] for name in FLOORS}
    return [
        *floors({name: row["nDCG@10"] for name, row in ours.items()}, FLOORS, "nDCG@10: "),
        *floors(figures["judged questions"], JUDGED_FLOORS, JUDGED_PREFIX),
        *(
            Limit(f"{style}, {name}, relative to BM25", ours[name][style] / bm25[style], 1.0, is_minimum=True)
            for name in ("natural", "natural, texts alone")
            for style in STYLES
        ),
        *(Limit(f"empty answers: {name}", row["share of empty answers"], MAX_EMPTY) for name, row in ours.items()),
        Limit("titles, relative to BM25", titles / figures["titles, bm25"]["nDCG@10"], 1.0, is_minimum=True),
        Limit("titles, relative to stars", titles / figures["titles, stars"]["nDCG@10"], 1.2, is_minimum=True),
        Limit("searches of a question", max(row["most searches"] for row in ours.values()), 15),
    ]


def main(every: int = 1, *, judged: bool = False) -> int:
    """Measure, print, and check the floors."""
    WORK.mkdir(parents=True, exist_ok=True)
    if judged:
        make_catalogue(JUDGED)
        row = run_judged()
        return report_runs({"judged questions": row}, floors(row, JUDGED_FLOORS, JUDGED_PREFIX))
    known: tuple[Knowledge, ...] = ("all", "none")
    measured = [Setting(sort, every, knowledge) for sort in SORTS for knowledge in known]
    with ProcessPoolExecutor() as pool:
        list(pool.map(make_catalogue, {setting.catalogue: setting for setting in measured}.values()))
        runs = {
            f"{sort}, {kind}": pool.submit(run_baseline, kind, sort, every=every)
            for sort in SORTS
            for kind in BASELINES
        }
        runs |= {setting.title: pool.submit(run_setting, setting) for setting in measured}
        runs |= {
            f"judged questions{setting.without}": pool.submit(run_judged, setting=setting)
            for setting in (replace(JUDGED, knowledge=knowledge) for knowledge in get_args(Knowledge))
        }
        figures = {name: run.result() for name, run in runs.items()}
    return report_runs(figures, limits(figures) if every == 1 else [])


if __name__ == "__main__":
    run_main(main, needs_data=True)
