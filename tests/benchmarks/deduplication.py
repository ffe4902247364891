"""Measures which records are found to be one paper, on labelled pairs and at scale, by rules alone.

Needs the data folder beside the project (../shared). All records of the pairs of a data set are one file, as people
have them, and a pair is found if both of its records are in one group; an undecided pair counts as two papers. With
--one-word, titles that differ in one word stay apart.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from goldpan.kinds.papers.deduplication.grouping import Record, deduplicate
from goldpan.kinds.papers.deduplication.titles import SMALL_WORDS
from goldpan.kinds.papers.models import Paper
from rapidfuzz import process
from rapidfuzz.distance import OSA

from tests.benchmarks.frame import DATA, PAPERS, Limit, read_rows, report, run_main, table

WAYS = ("replaced", "alike", "inserted", "removed")
MIN_WORDS, MIN_CHARS, MIN_TITLES = 4, 4, 3
"""Of a title that is changed; of a word that is exchanged; and titles of the collection that have it."""


def change_titles(papers: Sequence[Paper], number: int) -> Iterator[tuple[str, Paper, Paper]]:
    """Yield a number of pairs for each way, with its name."""
    chance = random.Random(28)
    counts = Counter(word for paper in papers for word in set(paper.title.lower().split()))
    content = {word for word in counts.keys() - SMALL_WORDS if word.isalpha() and len(word) >= MIN_CHARS}
    known = sorted(word for word in content if counts[word] >= MIN_TITLES)
    apt = [paper for paper in papers if len(paper.title.split()) >= MIN_WORDS and paper.authors and paper.year]
    for way in WAYS:
        for paper in chance.sample([each for each in apt if _places(each, known)], number):
            words, at = paper.title.split(), chance.choice(_places(paper, known))
            new = _like(words[at].lower(), known) if way == "alike" else chance.choice(known)
            words[at : at + (way != "inserted")] = [] if way == "removed" else [new]
            year = (paper.year or 0) + chance.randrange(2)
            yield way, paper, paper.model_copy(update={"title": " ".join(words), "year": year})


def _places(paper: Paper, known: Sequence[str]) -> list[int]:
    """Return the places of the words of a title that may be changed."""
    words = set(known)
    return [at for at, word in enumerate(paper.title.lower().split()) if word in words]


def _like(word: str, known: Sequence[str]) -> str:
    """Return the word that is spelled most like another one, and is no inflection of it."""
    others = [each for each in known if each[:MIN_CHARS] != word[:MIN_CHARS]]
    return str(process.extractOne(word, others, scorer=OSA.distance)[0])


MAX_MERGED, ONE_WORD = 4, 100
"""Of the titles that differ in one word, and how many are made in each of four ways."""
FLOORS = {"dblp-acm": (0.98, 0.97), "dblp-googlescholar": (0.88, 0.883)}
"""Of F1 on the validation pairs, and on these with the training pairs."""
TRAINING = {
    "dblp-acm": "structured_dblp-acm.train",
    "dblp-googlescholar": "structured_dblp-googlescholar.train_balanced",
}
SIZES = (300, 10_000, 100_000)
MAX_SECONDS, MAX_GROWTH, MAX_SEARCH_SECONDS = 60, 12, 0.3
COLLECTIONS = ("library/papers", "scifact/docs", "csfcube/docs", "cacm/docs", "cranfield/docs", "cisi/docs")
COPIES = 5
Pair = tuple[Paper, Paper, bool]


def read_pairs(name: str) -> list[Pair]:
    """Read the labelled pairs of a file."""
    rows = read_rows(DATA / "duplicates" / f"{name}.jsonl.gz")
    return [(_paper(row["left"]), _paper(row["right"]), bool(row["label"])) for row in rows]


def _paper(raw: dict[str, Any]) -> Paper:
    authors = tuple(name.strip() for name in (raw["authors"] or "").split(" , ") if name.strip())
    try:
        year = int(float(raw["year"])) if raw["year"] else None
    except ValueError:
        year = None
    return Paper(source="pairs", title=raw["title"] or "", authors=authors, year=year, venue=raw["venue"])


def scores(decided: list[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of pairs of a label and a decision."""
    counts = Counter(decided)
    hits, wrong, missed = counts[True, True], counts[False, True], counts[True, False]
    precision, recall = hits / max(1, hits + wrong), hits / max(1, hits + missed)
    return precision, recall, 2 * hits / max(1, 2 * hits + wrong + missed)


def decide_whole(pairs: list[Pair]) -> list[tuple[bool, bool]]:
    """Deduplicate all records of the pairs as one file; returns the labels with the decisions."""
    keyed = [(f"left {left.model_dump_json()}", f"right {right.model_dump_json()}") for left, right, _ in pairs]
    papers = {
        key: paper for keys, pair in zip(keyed, pairs, strict=True) for key, paper in zip(keys, pair[:2], strict=True)
    }
    found = deduplicate([Record(key, paper) for key, paper in papers.items()])
    group_of = {key: number for number, group in enumerate(found.groups) for key in group.members}
    return [
        (label, group_of[left] == group_of[right]) for (left, right), (_, _, label) in zip(keyed, pairs, strict=True)
    ]


def measure_whole_files() -> tuple[str, list[Limit]]:
    """Measure the validation pairs of each data set, and these with the training pairs, as whole files."""
    rows, limits = [], []
    for name, training in TRAINING.items():
        pairs = read_pairs(f"structured_{name}.valid")
        parts = {"valid": pairs, "valid and train": pairs + read_pairs(training)}
        for (part, chosen), floor in zip(parts.items(), FLOORS[name], strict=True):
            precision, recall, f1 = scores(decide_whole(chosen))
            rows.append([f"{name}, {part}", len(chosen), precision, recall, f1])
            limits.append(Limit(f"F1, {name}, {part}", f1, least=floor))
    return table(["whole file", "pairs", "precision", "recall", "F1"], rows), limits


def measure_one_word() -> tuple[str, list[Limit]]:
    """Count the titles with one changed word that are merged with the original."""
    library = read_rows(PAPERS / "library/papers.jsonl.gz")
    collections = {
        "dblp-acm": [left for left, _, _ in read_pairs(TRAINING["dblp-acm"])],
        "papers of a library": [_paper_of(row, 0) for row in library if row["title"]],
    }
    rows, limits = [], []
    for name, papers in collections.items():
        merged = Counter(
            way
            for way, paper, changed in change_titles(papers, ONE_WORD)
            if len(deduplicate([Record("one", paper), Record("other", changed)]).groups) == 1
        )
        rows.append([name, *(merged[way] for way in WAYS), merged.total()])
        limits.append(Limit(f"merged titles of {name} with one changed word", merged.total(), MAX_MERGED))
    return table(["one word", *WAYS, "merged"], rows), limits


def make_records(count: int) -> list[Record]:
    """Return a number of records: five of each paper of the collections, every second one in capitals."""
    papers = chain.from_iterable(read_rows(PAPERS / f"{name}.jsonl.gz") for name in COLLECTIONS)
    return [
        Record(f"{number}/{copy}", _paper_of(row, copy))
        for number, row in enumerate(islice(papers, -(-count // COPIES)))
        for copy in range(COPIES)
    ][:count]


def _paper_of(row: dict[str, Any], copy: int) -> Paper:
    title = row["title"] or ""
    return Paper(
        source=f"source {copy}",
        title=title.upper() if copy % 2 else title,
        authors=tuple(row["authors"] or ()),
        year=row["year"],
    )


def measure_scale() -> tuple[str, list[Limit]]:
    """Measure the seconds of one core, which other load does not change, for many records."""
    deduplicate(make_records(SIZES[0]))  # imports and compiles
    rows, seconds = [], dict[int, float]()
    for size in SIZES:
        records = make_records(size)
        start = time.process_time()
        found = deduplicate(records)
        seconds[size] = time.process_time() - start
        rows.append([size, seconds[size], len(found.groups), len(found.undecided)])
    limits = [
        Limit(f"seconds for {SIZES[0]} records, as of a search", seconds[SIZES[0]], MAX_SEARCH_SECONDS),
        Limit(f"seconds for {SIZES[-1]} records", seconds[SIZES[-1]], MAX_SECONDS),
        Limit(f"time of {SIZES[-1]} over {SIZES[-2]} records", seconds[SIZES[-1]] / seconds[SIZES[-2]], MAX_GROWTH),
    ]
    return table(["records", "seconds of one core", "groups", "undecided"], rows), limits


def main(*, whole_file: bool = False, one_word: bool = False, scale: bool = False) -> int:
    """Measure, print, and check the limits: all, or only what an option names."""
    measures = {measure_whole_files: whole_file, measure_one_word: one_word, measure_scale: scale}
    chosen = [measure for measure, is_chosen in measures.items() if is_chosen] or list(measures)
    texts, limits = zip(*(measure() for measure in chosen), strict=True)
    return report("\n\n".join(texts), [*chain(*limits)])


if __name__ == "__main__":
    run_main(main)
