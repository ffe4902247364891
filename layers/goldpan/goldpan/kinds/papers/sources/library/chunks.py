"""Splits the text of a paper into passages with exact offsets, in any script, and writes the citation of a paper."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from goldpan.kinds.papers.person_names import split_name
from goldpan.kinds.papers.sources.library.models import LibraryPaper

MAX_WORDS = 200
"""Words of a passage: some 260 word pieces, about as many as small sentence encoders read."""
OVERLAP = 40
"""Words of the end of a passage with which the next one may begin, so that no argument is cut in two."""
TAIL = 50
"""Number of words at the end that belong to the last passage, because they say too little alone."""
SHORTEST = 100
"""Words after which a passage may end at a sentence; where no sentence ends, it has `MAX_WORDS`."""
PAGE_BREAK = "\f"
"""Between the pages of a text that has some."""
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]{{1,2}}|[^\s{_UNSPACED}]{{1,30}}")
"""In scripts without spaces two characters are taken for a word; longer strings than any word count as several."""
_SENTENCE_END = re.compile(
    r"[.!?\u2026\u061f\u06d4\u0589\u1362]+[\"'\u2019\u201d\u00bb)\]]*\s+"
    r"|[\u3002\uff01\uff1f\uff0e\u0964\u0965\u17d4\u104b]+[\u300d\u300f\u2019\u201d\uff09]*\s*"
    r"|\n\s*\n"
)


class Passage(NamedTuple):
    """A part of a text: `text[start:end]`, without spaces at either end."""

    start: int
    end: int


def text_of(paper: LibraryPaper) -> str:
    """Return the text of a paper: its title, abstract and summary as far as it has them, an empty line between."""
    return "\n\n".join(part for part in (paper.title, paper.abstract, paper.summary) if part.strip())


def split(text: str) -> Iterator[Passage]:
    """Yield the passages of a text, which together hold all of its words; a text without words has none."""
    words = [match.span() for match in _WORD.finditer(text)]
    firsts = [start for start, _ in words]
    sentences = sorted({bisect_left(firsts, match.end()) for match in _SENTENCE_END.finditer(text)} - {len(words)})
    first = 0
    while len(words) - first > MAX_WORDS + TAIL:
        ends = _within(sentences, first + SHORTEST, first + MAX_WORDS + 1)
        end = ends[-1] if ends else first + MAX_WORDS
        yield Passage(words[first][0], words[end - 1][1])
        starts = _within(sentences, end - OVERLAP, end)
        first = starts[0] if starts else end
    if words:
        yield Passage(words[first][0], words[-1][1])


def pages_of(text: str, start: int, end: int) -> str:
    """Name the pages that a part of a text is on, such as " P. 3." or " Pp. 3-4."; "" for a text without pages."""
    if PAGE_BREAK not in text:
        return ""
    first, more = text.count(PAGE_BREAK, 0, start) + 1, text.count(PAGE_BREAK, start, end)
    return f" Pp. {first}-{first + more}." if more else f" P. {first}."


def _within(sentences: list[int], first: int, before: int) -> list[int]:
    """Return the beginnings of sentences from `first` on that are less than `before`."""
    return sentences[bisect_left(sentences, first) : bisect_left(sentences, before)]


def citation(paper: LibraryPaper) -> str:
    """Cite a paper by its authors, year, title, venue and the best identifier; a note by its title and its id."""
    names = [split_name(author).sorting for author in paper.authors]
    shown = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)  # noqa: PLR2004 - two are both named
    who = " ".join(part for part in (shown, f"({paper.year})" if paper.year else "") if part)
    ids = paper.ids
    named = (("doi", ids.doi), ("arXiv", ids.arxiv), ("PMID", ids.pmid))
    found = next((f"{name}:{value}" for name, value in named if value), paper.url or "")
    if not who and not paper.venue and not found:
        return f"{_ended(paper.title)} [{paper.id}]"
    parts = [who, paper.title, paper.venue or ""]
    return " ".join([*(_ended(part) for part in parts if part.strip()), *([found] if found else [])])


def _ended(sentence: str) -> str:
    line = " ".join(sentence.split())
    return line if line.endswith((".", "!", "?", "\u3002")) else f"{line}."
