"""Imports and searches of a library in processes of their own, which may be killed."""

import random
from collections.abc import Iterator
from pathlib import Path

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
