"""Records of papers for the deduplication benchmark: the test collections, and seeded, perturbed copies of them."""

from __future__ import annotations

import gzip
import json
import random
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from goldpan.kinds.papers.deduplication.deduplicator import Record
from goldpan.kinds.papers.models import Paper, PaperIds

COLLECTIONS = ("library/papers", "scifact/docs", "csfcube/docs", "cacm/docs", "cranfield/docs", "cisi/docs")
COPIES = 4
"""Perturbed copies of each paper, beside the paper itself."""
SEED = 20
SOURCES = ("openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi")
MIN_WORDS = 4
"""Words of a title; one with fewer, such as "Editorial", is no paper whose copies must be found by its title."""
Raw = dict[str, Any]


def read_papers(folder: Path) -> list[Raw]:
    """Read the papers of all collections, each title once.

    A paper without authors or year gets seeded ones, since nothing else would tell that its copies are one paper.
    """
    chance = random.Random(SEED)
    seen: set[str] = set()
    papers: list[Raw] = []
    names: list[str] = []
    for name in COLLECTIONS:
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                raw = json.loads(line)
                key = re.sub(r"\W+", "", raw["title"] or "").lower()
                if key in seen or len((raw["title"] or "").split()) < MIN_WORDS:
                    continue
                seen.add(key)
                names.extend(raw["authors"] or ())
                authors = raw["authors"] or chance.sample(names, 3)
                papers.append({**raw, "authors": authors, "year": raw["year"] or chance.randint(1990, 2024)})
    chance.shuffle(papers)
    return papers


def make_records(papers: list[Raw], count: int) -> list[Record]:
    """Return so many records, shuffled; the key begins with the number of the paper: `17/2`."""
    chance = random.Random(SEED)
    records = [
        Record(f"{number}/{copy}", _record(raw, copy, chance))
        for number, raw in zip(range(-(-count // (COPIES + 1))), papers, strict=False)
        for copy in range(COPIES + 1)
    ][:count]
    if len(records) < count:
        message = f"{len(papers)} papers are too few for {count} records"
        raise ValueError(message)
    chance.shuffle(records)
    return records


def _record(raw: Raw, copy: int, chance: random.Random) -> Paper:
    doi = raw["doi"] if copy == 0 or chance.random() < 0.5 else None
    year: int | None = raw["year"]
    title, authors = raw["title"], list(raw["authors"])
    if copy:
        title = chance.choice((_plain, _shout, _punctuated, _misspelled))(title, chance)
        authors = [_written(author, chance.randrange(4)) for author in authors]
        authors = authors[: max(1, len(authors) - chance.randrange(3))]
        year = chance.choice((year, year, year, None))
    return Paper(
        source=SOURCES[copy],
        title=title,
        authors=tuple(authors),
        year=year,
        venue=raw["venue"] if copy == 0 else None,
        abstract=(raw["abstract"] or "")[:500] or None,
        ids=PaperIds(doi=doi.upper() if doi and copy == 1 else doi),
    )


def _plain(title: str, _: random.Random) -> str:
    return title


def _shout(title: str, _: random.Random) -> str:
    return title.upper()


def _punctuated(title: str, chance: random.Random) -> str:
    return title.replace("-", " ").replace(":", " -") + chance.choice((".", "", " ."))


def _misspelled(title: str, chance: random.Random) -> str:
    """Swap two letters within one of the longest words."""
    word = max(re.findall(r"[a-z]{7,}", title) or [""], key=len)
    if not word:
        return title
    place = chance.randrange(1, len(word) - 2)
    return title.replace(word, word[:place] + word[place + 1] + word[place] + word[place + 2 :], 1)


def _written(author: str, style: int) -> str:
    """Write a name as sources do: as it is, without accents, with initials, or the family name first."""
    if style == 1:
        spread = unicodedata.normalize("NFKD", author)
        return "".join(letter for letter in spread if not unicodedata.combining(letter))
    if style and "," not in author and len(author.split()) > 1:
        *given, family = author.split()
        return f"{given[0][0]}. {family}" if style == 2 else f"{family}, {' '.join(given)}"
    return author


def pairs_of(keys: Iterator[str] | tuple[str, ...]) -> tuple[int, int]:
    """Return how many pairs of records a group has, and how many of them are of one paper."""
    numbers = [key.partition("/")[0] for key in keys]
    right = sum(count * (count - 1) // 2 for count in map(numbers.count, set(numbers)))
    return len(numbers) * (len(numbers) - 1) // 2, right
