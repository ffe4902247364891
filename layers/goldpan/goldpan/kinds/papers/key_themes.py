"""Key themes: the words and phrases that the titles of several relevant papers share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from goldpan.kinds.papers.paper_text import GAP, content_terms, marked_terms
from goldpan.kinds.papers.results import Facet
from goldpan.text import Phrase, terms

MAX_THEMES = 8
MAX_WORDS = 4
"""Of one theme."""
_MARKS = re.compile(r"[:;,.?!()\[\]/\u2013\u2014]")
MIN_PAPERS = 2
"""A word of one title is no theme."""
PHRASE_SHARE = 0.5
"""Words are a phrase if this share of the titles with the rarer part, without its first or last word, has them."""
_GENERAL = frozenset(
    terms(
        "analysis application approach aware based beyond case comparative comparison driven effect evaluation "
        "framework improved introduction large method model multi new novel overview performance problem results "
        "review scale simple study survey system technique toward towards using via work"
    )
)
"""Words that titles of any field have: alone they are no theme."""


def key_themes(titles: Iterable[str], question: str) -> tuple[Facet, ...]:
    """Return the themes by the number of titles that have them, then by name; none has the question's words alone.

    A word is not listed in addition to a phrase that has it in every title.
    """
    read = [_runs(title) for title in titles]
    asked = {term for term, _ in content_terms(question)}
    single = Counter(term for runs in read for term in {term for run in runs for term, _ in run if term != GAP})
    phrases = _phrases(read, {(term,): count for term, count in single.items()})
    within = Counter[str]()
    for phrase, count in phrases.items():
        for term in set(phrase):
            within[term] = max(within[term], count)
    alone: dict[Phrase, int] = {
        (term,): count
        for term, count in single.items()
        if count >= MIN_PAPERS and count > within[term] and term not in _GENERAL and len(term) > 1
    }
    themes = {theme: count for theme, count in (phrases | alone).items() if not asked.issuperset(theme)}
    ordered = sorted(
        ((_written(theme, read), count) for theme, count in themes.items()), key=lambda one: (-one[1], one[0])
    )
    return tuple(Facet(value=value, count=count) for value, count in ordered[:MAX_THEMES])


def _runs(title: str) -> list[list[tuple[str, str]]]:
    """Return the terms of each part of a title, with their words: no phrase reaches over a colon or another mark."""
    return [marked_terms(part) for part in _MARKS.split(title) if part.strip()]


def _phrases(titles: Sequence[Sequence[Sequence[tuple[str, str]]]], shorter: dict[Phrase, int]) -> dict[Phrase, int]:
    """Return the phrases of two words or more that titles share; one whose titles all have a longer one is left out."""
    found: dict[Phrase, int] = {}
    for size in range(2, MAX_WORDS + 1):
        counts = Counter(phrase for runs in titles for phrase in _side_by_side(runs, size, shorter))
        longer = {
            phrase: count
            for phrase, count in counts.items()
            if count >= MIN_PAPERS and count >= PHRASE_SHARE * min(shorter[phrase[:-1]], shorter[phrase[1:]])
        }
        parts = {(part, count) for phrase, count in longer.items() for part in (phrase[:-1], phrase[1:])}
        found = {phrase: count for phrase, count in found.items() if (phrase, count) not in parts} | longer
        shorter = longer
    return found


def _side_by_side(runs: Iterable[Sequence[tuple[str, str]]], size: int, shorter: Collection[Phrase]) -> set[Phrase]:
    """Return so many different words side by side whose first and last ones are phrases themselves."""
    terms_of = [tuple(term for term, _ in run) for run in runs]
    found = {run[start : start + size] for run in terms_of for start in range(len(run) - size + 1)}
    joined = (one for one in found if one[:-1] in shorter and one[1:] in shorter)
    return {one for one in joined if GAP not in one and len({*one}) == size}


def _written(theme: Phrase, titles: Iterable[Sequence[Sequence[tuple[str, str]]]]) -> str:
    """Return the words by which most titles write a theme."""
    size = len(theme)
    written = Counter(
        " ".join(word for _, word in run[start : start + size])
        for runs in titles
        for run in runs
        for start in range(len(run) - size + 1)
        if tuple(term for term, _ in run[start : start + size]) == theme
    )
    return min(written, key=lambda text: (-written[text], text))
