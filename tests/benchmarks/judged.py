"""Measures the answers to the judged questions of tests/data/judged over the embedded sample, by rules alone.

Needs no other data and takes about fifteen seconds. `--failures` lists the questions without an apt result among the
first three. `--write-figures` stores the figures that tests/integration/test_ranking_quality.py compares exactly.
"""

from tests.benchmarks.frame import floors, report, run_main
from tests.support.judged import APT, FLOORS, FOLDER, load_questions, mean, measure

FIGURES = FOLDER / "figures.toml"
EVERY = 10
"""The exact figures are those of every tenth question, so that their test is quick."""
HEAD = """\
# For every tenth question: nDCG@10 and the mean relevance of the results.
# Written by `python -m tests.benchmarks.judged --write-figures`.
"""
FIRST = 3


def main(*, failures: bool = False, write_figures: bool = False) -> int:
    """Measure all questions; returns 1 if a mean is below its floor."""
    measured = measure(load_questions())
    if write_figures:
        lines = ((one.question.qid, one.ndcg, one.relevance) for one in measured[::EVERY])
        text = "".join(f"{qid} = {{ ndcg = {ndcg:.4f}, relevance = {mean:.4f} }}\n" for qid, ndcg, mean in lines)
        FIGURES.write_text(HEAD + text, "utf-8")
    if failures:
        failing = [one for one in measured if one.question.is_answerable and APT not in one.gains[:FIRST]]
        print("\n".join(f"{one.question.qid} {one.question.query}: {one.gains}" for one in failing))
    figures = {figure: mean(measured, figure) for figure in FLOORS}
    return report("Means of the questions that have an apt answer:", floors(figures, FLOORS))


if __name__ == "__main__":
    run_main(main)
