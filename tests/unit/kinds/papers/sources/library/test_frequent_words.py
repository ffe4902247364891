"""A query is counted exactly, whether the bits of frequent words hold or FTS5 reads its lists."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from goldpan.kinds.papers.sources.library import frequent_words, word_search
from goldpan.kinds.papers.sources.library.frequent_words import FrequentWords
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

WORDS = ("analysis", "increased", "policy", "running", "naïve", "c++", "zebra", "network", "cell", "深層学習")
"""Their stems are no words, or have another stem themselves."""


@pytest.fixture(autouse=True)
def _many_frequent_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a word for frequent if a seventh of the papers have it."""
    monkeypatch.setattr(frequent_words, "MIN_PAPERS", 3)
    monkeypatch.setattr(frequent_words, "PAPERS_SHARE", 7)


def drawn(draw: random.Random, number: int) -> LibraryPaper:
    """Make a paper of some of the words, the first ones more often."""
    words = [word for at, word in enumerate(WORDS) if draw.random() < 1 / (1 + at)]
    return LibraryPaper(id=str(number), title=f"t{number}", abstract=" ".join(words))


def having(papers: Sequence[LibraryPaper], words: Sequence[str]) -> int:
    """Count the papers with one of the words, by reading them."""
    return sum(not set(words).isdisjoint(paper.abstract.split()) for paper in papers)


def state(path: Path) -> dict[str, int]:
    """Return the frequent words that hold in a file."""
    with closing(sqlite3.connect(path)) as connection:
        return FrequentWords.load(connection).papers


@pytest.mark.parametrize("seed", range(3))
def test_counts_stay_exact_while_papers_come_change_and_go(tmp_path: Path, seed: int) -> None:
    """Also for a reader that stays open, and where the paper with the highest number changes."""
    path, draw = tmp_path / "mine.sqlite", random.Random(seed)
    papers = {number: drawn(draw, number) for number in range(60)}
    with LibraryWriter.open(path) as writer:
        writer.replace_origin("a", "", papers.values())
    with LibraryIndex.open(path) as index:
        for imported in range(8):
            assert {"analysi", "increas", "polici", "run"} <= set(state(path))
            for _ in range(12):
                words = draw.sample(WORDS, draw.randint(1, 5))
                found = index.search(" ".join(words), limit=1).count
                assert found == having(list(papers.values()), words), words
            for number in (*draw.sample(sorted(papers), 3), max(papers)):
                papers[number] = drawn(draw, number)
            del papers[draw.choice(sorted(papers))]
            papers[100 + imported] = drawn(draw, 100 + imported)
            with LibraryWriter.open(path) as writer:
                writer.replace_origin("a", str(imported), papers.values())


def test_bits_of_another_state_are_not_used(tmp_path: Path) -> None:
    """Of a file whose import was killed before its end, or that an older goldpan has changed."""
    path = tmp_path / "mine.sqlite"
    with LibraryWriter.open(path) as writer:
        writer.replace_origin("a", "", [LibraryPaper(id=str(n), title="analysis of cells") for n in range(9)])
    assert state(path) == {"analysi": 9, "cell": 9, "of": 9}
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        LibraryWriter(connection).replace_origin("b", "", [LibraryPaper(id="new", title="cells")])
    assert state(path) == {}
    with LibraryIndex.open(path) as index:
        assert index.search("cell").count == 10
    with LibraryWriter.open(path):
        pass
    assert state(path)["cell"] == 10


def test_of_a_word_that_too_many_papers_have_those_with_it_in_the_title_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other papers are read only where these are too few."""
    monkeypatch.setattr(word_search, "MATCHES_READ", 5)
    papers = [LibraryPaper(id=str(n), title=f"number {n}", abstract="a cell, cell, cell") for n in range(80)]
    titled = [LibraryPaper(id=f"title{n}", title=f"the cell {n}", tags=("even",) * (n % 2 == 0)) for n in range(60)]
    with LibraryWriter.open(tmp_path / "mine.sqlite") as writer:
        writer.replace_origin("a", "", [*papers, *titled])
    with LibraryIndex.open(tmp_path / "mine.sqlite") as index:
        even, others = index.search("cell tag:even"), index.search("cell -tag:even")
        few, all_of_them = index.search("cell", limit=10), index.search("cell", limit=140)
    assert all(hit.paper.id.startswith("title") for hit in few.results)
    assert (few.count, len(all_of_them.results)) == (140, 140)
    assert all(hit.paper.tags for hit in even.results)
    assert not any(hit.paper.tags for hit in others.results)
    assert (even.count, others.count) == (30, 110)
