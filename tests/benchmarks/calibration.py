"""Fits the rules-only relevance of repositories to graded public questions, and measures whether it is a probability.

The error is the mean distance between the relevance and the share of apt results, in ten bins weighted by the results,
over the odd questions. `--fit` prints the best constants for the even ones, with and without the data package: of those
with an error of at most 0.05, the largest sums of the shares that are apt, found and apt first. Needs ../shared.
"""

import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from statistics import fmean
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from goldpan.engine.stage_values import Match
from goldpan.kinds.repositories import relevance
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.rank import WEAK_SHARE

from tests.benchmarks.frame import ROOT, Limit, report, run_main, table
from tests.benchmarks.quality_runs import JUDGED, Setting, judged_answers

PICTURE = ROOT / "docs" / "calibration.svg"
BINS = 10
MAX_ERROR = 0.06
EVEN, ODD = 0, 1
GRID = np.arange(-4.1, -3.0, 0.2), np.arange(2.2, 6.0, 0.4), np.arange(2.2, 4.8, 0.4)
FITTED_ERROR, SHOWN, PRINTED = 0.05, 10, 5
SIDE, MARGIN = 360, 44


class Graded(NamedTuple):
    """The relevance of a result, the two values that it is computed from, and whether its grade says that it is apt."""

    relevance: float
    is_apt: bool
    text: float = 0.0
    category: float = 0.0


class Bin(NamedTuple):
    """The results of a tenth of the range: how many, their mean relevance and the share of apt ones."""

    results: int
    relevance: float
    apt: float


def main(*, fit: bool = False, draw: bool = False) -> int:
    """Measure; returns 1 if the error is above its limit."""
    if fit:
        runs = [[*graded_results(EVEN, replace(JUDGED, knowledge=known))] for known in ("all", "none")]
        sums = {
            constants: goodness(runs, constants)
            for constants in product(*(np.round(axis, 1).tolist() for axis in GRID))
        }
        best = sorted(sums, key=lambda constants: -sums[constants])[:PRINTED]
        print(table(("intercept, text, category", "sum"), [[constants, sums[constants]] for constants in best]))
    bins = into_bins([one for question in graded_results(ODD) for one in question])
    error = calibration_error(bins)
    if draw:
        PICTURE.write_text(diagram(bins), "utf-8")
    text = table(("results", "mean relevance", "share of apt ones"), bins)
    return report(text, [Limit("calibration error", error, MAX_ERROR)])


def graded_results(half: int, setting: Setting = JUDGED) -> Iterator[list[Graded]]:
    """Yield the graded results of each second question, above and below the line."""
    given, values = threading.local(), dict[str, tuple[float, float]]()
    probability, match = relevance.probability, relevance.Matcher._match

    def noting(text: float, category: float) -> float:
        given.values = text, category
        return probability(text, category)

    def matching(matcher: relevance.Matcher, repository: Repository, *others: Any) -> Match:
        found = match(matcher, repository, *others)
        values[repository.full_name] = given.values
        return found

    matched = mock.patch.object(relevance.Matcher, "_match", matching)
    with setting.knowing(), mock.patch.object(relevance, "probability", noting), matched:
        for question, section in islice(judged_answers(max_results=25, setting=setting), half, None, 2):
            grades, results = question["grades"], (*section.results, *section.weaker)
            graded = [one for one in results if one.repo in grades]
            yield [Graded(one.relevance, grades[one.repo] == "2", *values[one.repo]) for one in graded]


def goodness(runs: Sequence[Sequence[Sequence[Graded]]], constants: Sequence[float]) -> float:
    """Sum, over the runs, the shares of results that are apt, of apt ones that are shown and of apt first results."""
    total = 0.0
    for run in runs:
        again = [[_with_constants(one, *constants) for one in question] for question in run if question]
        if calibration_error(into_bins([one for question in again for one in question])) > FITTED_ERROR:
            return 0.0
        shown = [_shown(question) for question in again]
        apt = [sum(one.is_apt for one in question) for question in shown]
        all_apt = [min(SHOWN, sum(one.is_apt for one in question)) for question in again]
        found = [one / most for one, most in zip(apt, all_apt, strict=True) if most]
        total += sum(apt) / sum(map(len, shown)) + fmean(found) + fmean(one[0].is_apt for one in shown)
    return total


def _with_constants(one: Graded, least: float, of_text: float, of_category: float) -> Graded:
    logit = least + of_text * one.text**relevance.TEXT_EXPONENT + of_category * one.category
    return one._replace(relevance=1 / (1 + math.exp(-logit)))


def _shown(results: Sequence[Graded]) -> list[Graded]:
    """Return the first ten above the line, by relevance alone."""
    ordered = sorted(results, key=lambda one: -one.relevance)
    return [one for one in ordered if one.relevance >= WEAK_SHARE["rules"] * ordered[0].relevance][:SHOWN]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the mean distance between relevance and share of apt results, weighted by the results."""
    return sum(one.results * abs(one.relevance - one.apt) for one in bins) / sum(one.results for one in bins)


def into_bins(results: Sequence[Graded]) -> list[Bin]:
    """Divide the results by relevance; bins without any are left out."""
    parts = [[one for one in results if int(min(one.relevance, 0.999) * BINS) == place] for place in range(BINS)]
    return [
        Bin(len(part), fmean(one.relevance for one in part), fmean(one.is_apt for one in part))
        for part in parts
        if part
    ]


def diagram(bins: Sequence[Bin]) -> str:
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
    run_main(main)
