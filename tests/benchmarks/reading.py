"""Measures how questions with exclusions and constraints are read, without a network or a language model.

`--sealed` also measures the half of tests/data/reading that is not looked at while the reader is written, and whose
questions are never listed; `--failures` lists those of the open half that are not read right. `--titles` reads the
titles of the judged collections of ../shared as questions: none of them asks for a limit or refuses anything.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from goldpan.contracts import MAX_QUERY_CHARS, Interpretation
from goldpan.kinds.papers.intent import IntentParser

from tests.benchmarks.frame import read_collection, run_main, table
from tests.benchmarks.papers_judged import title_of
from tests.support.fakes import START
from tests.support.reading.grades import GRADES, Grade, grade
from tests.support.reading.questions import Half, ReadingQuestion, load_questions, read_questions

COLLECTIONS = ("scifact", "cacm", "cranfield", "cisi", "csfcube")
Graded = tuple[ReadingQuestion, tuple[Interpretation, ...] | None, Grade]


def main(*, sealed: bool = False, failures: bool = False, titles: bool = False) -> int:
    """Measure, and print a table for each half, or for the titles."""
    if titles:
        print(measure_titles())
        return 0
    halves: tuple[Half, ...] = ("open", "sealed") if sealed else ("open",)
    for half in halves:
        graded = measure(half)
        print(f"\n{half} half\n\n{format_totals(graded)}")
        if failures and half == "open":
            print("\n".join(["", *map(format_failure, (row for row in graded if row[2] != "right"))]))
    return 0


def measure_titles() -> str:
    """Count the titles of papers with a constraint, an exclusion, a part that is not used, or in another language."""
    rows = (row for name in COLLECTIONS for row in read_collection(name)[0])
    parser, counts = IntentParser(START.date()), Counter[str]()
    titles = sorted({title_of(row) for row in rows if row["title"]})
    for title in titles:
        reading = parser.parse(title[:MAX_QUERY_CHARS])
        counts.update({part.kind for part in reading.parts} & {"constraint", "exclusion", "unread"})
        counts["foreign"] += any(note.startswith("The question was read as ") for note in reading.notes)
    return table(("titles", *counts), [[len(titles), *counts.values()]])


def measure(half: Half) -> list[Graded]:
    """Read and grade the questions of one half."""
    return [(question, entries, grade(question, entries)) for question, entries in read_questions(load_questions(half))]


def format_totals(graded: Sequence[Graded]) -> str:
    """Format the counts of each grade, by language and kind, and in all."""
    groups: dict[str, Counter[Grade]] = {}
    for question, _, given in graded:
        for group in _groups(question):
            groups.setdefault(group, Counter())[given] += 1
    rows = [[group, counts.total(), *(counts[name] for name in GRADES)] for group, counts in sorted(groups.items())]
    return table(("questions", "count", *GRADES), rows)


def _groups(question: ReadingQuestion) -> Iterable[str]:
    form = "negation" if "negation" in question.id else "constraint"
    yield f"1. {form}s"
    yield f"2. {form}s that only look so" if question.trap else f"2. {form}s proper"
    yield f"3. {question.kind}"
    yield f"4. {question.lang}"
    yield "5. all"


def format_failure(row: Graded) -> str:
    """Format one question, what is expected of it, and what was read."""
    question, entries, given = row
    read = "; ".join(f"{entry.kind} {entry.value}" for entry in entries or ()) or "refused"
    excludes = ", ".join("/".join(names) for names in question.excludes)
    expected = [f"not {excludes}" if excludes else "", *(f"{k}={','.join(v)}" for k, v in question.requires.items())]
    return (
        f"{given:12} {question.id} [{question.kind} {question.lang}] {question.query}\n"
        f"             expected: {'/'.join(question.subject)} {' '.join(filter(None, expected))} ({question.why})\n"
        f"             read: {read}"
    )


if __name__ == "__main__":
    run_main(main)
