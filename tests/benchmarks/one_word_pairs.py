"""Pairs of titles that differ in one word, made from the titles of a collection: two papers, by the same authors.

A word is replaced by any other one of the collection, replaced by one that is spelled alike, inserted or removed. The
changed record has the same year or the next one, and the same venue.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from goldpan.kinds.papers.deduplication.titles import SMALL_WORDS
from goldpan.kinds.papers.models import Paper
from rapidfuzz import process
from rapidfuzz.distance import OSA

WAYS = ("replaced", "alike", "inserted", "removed")
MIN_WORDS, MIN_CHARS, MIN_TITLES = 4, 4, 3
"""Of a title that is changed; of a word that is exchanged; and titles of the collection that have it."""


def change_titles(papers: Sequence[Paper], number: int, seed: int = 28) -> Iterator[tuple[str, Paper, Paper]]:
    """Yield a number of pairs for each way, with its name."""
    chance = random.Random(seed)
    counts = Counter(word for paper in papers for word in set(paper.title.lower().split()))
    known = sorted(word for word, count in counts.items() if count >= MIN_TITLES and _is_content(word))
    apt = [paper for paper in papers if len(paper.title.split()) >= MIN_WORDS and paper.authors and paper.year]
    for way in WAYS:
        for paper in chance.sample([each for each in apt if _places(each, known)], number):
            words, at = paper.title.split(), chance.choice(_places(paper, known))
            new = _like(words[at].lower(), known) if way == "alike" else chance.choice(known)
            words[at : at + (way != "inserted")] = [] if way == "removed" else [new]
            year = (paper.year or 0) + chance.randrange(2)
            yield way, paper, paper.model_copy(update={"title": " ".join(words), "year": year})


def _is_content(word: str) -> bool:
    return word.isalpha() and len(word) >= MIN_CHARS and word not in SMALL_WORDS


def _places(paper: Paper, known: Sequence[str]) -> list[int]:
    """Return the places of the words of a title that may be changed."""
    words = set(known)
    return [at for at, word in enumerate(paper.title.lower().split()) if word in words]


def _like(word: str, known: Sequence[str]) -> str:
    """Return the word that is spelled most like another one, and is no inflection of it."""
    others = [each for each in known if each[:MIN_CHARS] != word[:MIN_CHARS]]
    return str(process.extractOne(word, others, scorer=OSA.distance)[0])
