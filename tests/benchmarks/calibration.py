"""Measures whether the rules-only relevance is a probability, on the graded public questions, and draws it.

    python -m tests.benchmarks.calibration [--draw]

The error is the mean distance between the relevance and the share of apt results, in ten bins weighted by the results,
over the odd questions. They are not unseen: the last choice of the constants knew all of them. Needs ../shared.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import fmean
from typing import NamedTuple

from tests.benchmarks.data import ROOT
from tests.benchmarks.figures import Limit, report, table
from tests.benchmarks.quality_runs import judged_answers

PICTURE = ROOT / "docs" / "calibration.svg"
BINS = 10
MAX_ERROR = 0.06
SIDE, MARGIN = 360, 44


class Graded(NamedTuple):
    """The relevance of a result, and whether its grade says that it is apt."""

    relevance: float
    is_apt: bool


class Bin(NamedTuple):
    """The results of a tenth of the range: how many, their mean relevance and the share of apt ones."""

    results: int
    relevance: float
    apt: float


def main() -> int:
    """Measure; returns 1 if the error is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true", help="write docs/calibration.svg")
    options = parser.parse_args()
    bins = into_bins([*graded_results()])
    error = sum(one.results * abs(one.relevance - one.apt) for one in bins) / sum(one.results for one in bins)
    if options.draw:
        PICTURE.write_text(draw(bins), "utf-8")
    rows = [[one.results, round(one.relevance, 3), round(one.apt, 3)] for one in bins]
    text = table(("results", "mean relevance", "share of apt ones"), rows)
    return report(text, {"calibration error": round(error, 4)}, [Limit("calibration error", error, MAX_ERROR)])


def graded_results() -> Iterator[Graded]:
    """Yield the graded results of the odd questions, above and below the line."""
    for question, section in islice(judged_answers(max_results=25), 1, None, 2):
        for result in (*section.results, *section.weaker):
            if result.repo in question["grades"]:
                yield Graded(result.relevance, question["grades"][result.repo] == "2")


def into_bins(results: Sequence[Graded]) -> list[Bin]:
    """Divide the results by relevance; bins without any are left out."""
    parts = [[one for one in results if int(min(one.relevance, 0.999) * BINS) == place] for place in range(BINS)]
    return [
        Bin(len(part), fmean(one.relevance for one in part), fmean(one.is_apt for one in part))
        for part in parts
        if part
    ]


def draw(bins: Sequence[Bin]) -> str:
    """Draw the reliability diagram: on the diagonal, a relevance is the share of apt results."""
    size, most = SIDE + 2 * MARGIN, max(one.results for one in bins)
    dots = "".join(
        f'<circle cx="{MARGIN + SIDE * one.relevance:.0f}" cy="{MARGIN + SIDE * (1 - one.apt):.0f}" '
        f'r="{4 + 10 * (one.results / most) ** 0.5:.1f}" fill="#2f6f9f" fill-opacity="0.75">'
        f"<title>{one.results} results: relevance {one.relevance:.2f}, apt {one.apt:.2f}</title></circle>"
        for one in bins
    )
    marks = "".join(
        f'<text x="{MARGIN + SIDE * at / 4:.0f}" y="{MARGIN + SIDE + 18}" text-anchor="middle">{at / 4:g}</text>'
        f'<text x="{MARGIN - 8}" y="{MARGIN + SIDE * (1 - at / 4) + 4:.0f}" text-anchor="end">{at / 4:g}</text>'
        for at in range(5)
    )
    middle, end = MARGIN + SIDE / 2, MARGIN + SIDE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" font-family="sans-serif" '
        f'font-size="12" fill="#444"><rect width="{size}" height="{size}" fill="#fff"/>'
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#bbb"/>'
        f'<path d="M{MARGIN} {end}L{end} {MARGIN}" stroke="#bbb" stroke-dasharray="4"/>{dots}{marks}'
        f'<text x="{middle}" y="{end + 36}" text-anchor="middle">relevance</text>'
        f'<text transform="translate(12 {middle}) rotate(-90)" text-anchor="middle">share of apt results</text></svg>\n'
    )


if __name__ == "__main__":
    sys.exit(main())
