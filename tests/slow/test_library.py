"""A library stays consistent when its import is killed, and for those who read it during an import."""

import multiprocessing
import os
import random
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.writer import Counts, LibraryWriter

ORIGINS, PAPERS, PATIENCE = 6, 300, 300
WORDS = [f"{a}{b}{c}" for a in "bdkmt" for b in "aeiou" for c in "lnrsx"]


def papers(origin: int, generation: int) -> Iterator[LibraryPaper]:
    """Generate the papers of an origin; a third of them changes with the generation, and one is of that alone."""
    for number in range(PAPERS):
        version = generation if number % 3 == 0 else 0
        draw = random.Random(f"{origin} {number} {version}")
        text = " ".join(draw.choices(WORDS, k=100))
        yield LibraryPaper(id=f"{origin}-{number}", title=f"common generation{version}", abstract=text)
    yield LibraryPaper(id=f"{origin}-of-{generation}", title=f"common only{generation}")


def import_all(path: Path, generation: int) -> Counts:
    """Import all origins of a generation that are not in the file."""
    counts = Counts()
    with LibraryWriter.open(path) as writer:
        known = writer.origins()
        for origin in range(ORIGINS):
            if known.get(str(origin)) != str(generation):
                counts += writer.replace_origin(str(origin), str(generation), papers(origin, generation))
    return counts


PROCESSES = multiprocessing.get_context("forkserver")


def all_papers(path: Path) -> list[LibraryPaper]:
    """Return the papers of a library by their ids."""
    with LibraryIndex.open(path) as index:
        ids = [name for (name,) in index.connection.execute("SELECT id FROM papers ORDER BY id")]
        return index.papers(ids)


def content(path: Path) -> list[LibraryPaper]:
    """Return the papers of a library, after SQLite has checked the file and its full-text index."""
    found = all_papers(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO texts (texts) VALUES ('integrity-check')")
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return found


def expected(generations: list[int]) -> list[LibraryPaper]:
    """Return the papers of all origins, each in its generation."""
    found = [paper for origin, generation in enumerate(generations) for paper in papers(origin, generation)]
    return sorted(found, key=lambda paper: paper.id)


@pytest.mark.parametrize("kills", [pytest.param(3, marks=pytest.mark.short), 30])
def test_a_killed_import_loses_and_doubles_nothing(tmp_path: Path, kills: int) -> None:
    """After each kill every origin is as before or after its import, and the next import completes it."""
    path, draw = tmp_path / "mine.sqlite", random.Random(kills)
    start = time.monotonic()
    import_all(path, 0)
    took, killed = time.monotonic() - start, 0
    for generation in range(1, kills + 1):
        process = PROCESSES.Process(target=import_all, args=(path, generation))
        process.start()
        process.join(draw.uniform(0.0, took))
        if process.exitcode is None:
            os.kill(process.pid or 0, signal.SIGKILL)
            killed += 1
        process.join(PATIENCE)
        found = all_papers(path)
        with LibraryIndex.open(path) as index:
            assert index.search("common", limit=1).count == len(found)
        generations = [int(next(p.id for p in found if p.id.startswith(f"{n}-of-"))[5:]) for n in range(ORIGINS)]
        assert set(generations) <= {generation - 1, generation}
        assert found == expected(generations)
        import_all(path, generation)
        assert content(path) == expected([generation] * ORIGINS)
        assert [each.name for each in tmp_path.iterdir()] == ["mine.sqlite"]
    assert killed > kills // 3
