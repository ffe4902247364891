"""Imports and searches of a library in processes of their own, which may be killed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path

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


def read_until(stop: Event, start: Barrier, path: Path, report: Path) -> None:
    """Search again and again, each time with a file that was just opened and with one that stays open.

    Writes the number of searches, or what was wrong with one.
    """
    searches = 0
    with LibraryIndex.open(path) as kept:
        start.wait(PATIENCE)
        while not stop.is_set():
            with LibraryIndex.open(path) as fresh:
                for index in (kept, fresh):
                    result = index.search("common", limit=50)
                    found = {hit.paper.id for hit in result.results}
                    if (result.count, len(found)) != (ORIGINS * (PAPERS + 1), 50):
                        report.write_text(f"{result.count} papers, {len(found)} ids")
                        return
                    searches += 1
    report.write_text(str(searches))
