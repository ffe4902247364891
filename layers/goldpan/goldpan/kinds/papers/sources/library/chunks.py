"""Splits the texts of papers into passages with exact offsets, in any script, ranks them, and writes citations."""

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from goldpan.engine.presentation import name_people
from goldpan.kinds.papers.models import Paper, ParsedIntent
from goldpan.kinds.papers.paper_text import PaperIndex, content_terms
from goldpan.kinds.papers.person_names import split_name
from goldpan.kinds.papers.relevance import relevances
from goldpan.kinds.papers.sources.library.models import Chunk, LibraryPaper

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


def text_of(paper: LibraryPaper) -> str:
    """Return the text of a paper: its title, abstract and summary as far as it has them, an empty line between."""
    return "\n\n".join(part for part in (paper.title, paper.abstract, paper.summary) if part.strip())


def split(text: str) -> Iterator[tuple[int, int]]:
    """Yield the passages of a text, start and end without spaces at either, which together hold all of its words."""
    words = [match.span() for match in _WORD.finditer(text)]
    firsts = [start for start, _ in words]
    sentences = sorted({bisect_left(firsts, match.end()) for match in _SENTENCE_END.finditer(text)} - {len(words)})
    first = 0
    while len(words) - first > MAX_WORDS + TAIL:
        ends = _within(sentences, first + SHORTEST, first + MAX_WORDS + 1)
        end = ends[-1] if ends else first + MAX_WORDS
        yield words[first][0], words[end - 1][1]
        starts = _within(sentences, end - OVERLAP, end)
        first = starts[0] if starts else end
    if words:
        yield words[first][0], words[-1][1]


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
    shown = name_people([split_name(author, paper.organisations).sorting for author in paper.authors])
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


Item = TypeVar("Item", bound=Hashable)
RANK_CONSTANT = 60
Place = tuple[str, int, int]
"""The id of a paper, and the offsets of one of its passages."""
PAPER_WEIGHT, PASSAGE_WEIGHT = 0.5, 0.5
"""The votes of the words: that of the paper, whose rarity is counted in the whole library, and that of the passage."""
MAX_PASSAGES = 20
"""Passages of one paper that are compared: the first ones, and those that the vectors found."""


def fuse(rankings: Sequence[tuple[Sequence[Item], float]]) -> list[Item]:
    """Return all items of some rankings, each with its weight, best first; equal ones in the order of the rankings.

    An item's score is the sum of weight / (60 + rank) over the rankings that have it: Cormack, Clarke and Büttcher,
    "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods", SIGIR 2009, with their 60.
    """
    scores: dict[Item, float] = {}
    for ranking, weight in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), 1):
            scores[item] = scores.get(item, 0.0) + weight / (RANK_CONSTANT + rank)
    return sorted(scores, key=lambda item: -scores[item])


def calibrate_scores(order: Sequence[Item], evidence: Mapping[Item, float]) -> list[tuple[Item, float]]:
    """Give the items of a fused order values between 0 and 1 that fall with it: the n-th has the n-th largest evidence.

    The sums of reciprocal ranks say nothing about how good a result is: the first one of nonsense has the same as the
    first one of a title that was typed word by word.
    """
    values = sorted((min(1.0, max(0.0, evidence.get(item, 0.0))) for item in order), reverse=True)
    return list(zip(order, (round(value, 4) for value in values), strict=True))


def rank_passages(  # noqa: PLR0913 - the rankings that are fused
    query: str,
    *,
    project: str,
    papers: Sequence[LibraryPaper],
    by_words: Sequence[str],
    close: Mapping[Place, float],
    weight: float,
) -> list[Chunk]:
    """Return the passages of some papers, best first, no text twice.

    `by_words` has the papers that the words found, best first; `close` the similarities of the
    passages that the vectors found, nearest first, whose vote has the given weight.
    """
    texts = {paper.id: text_of(paper) for paper in papers}
    numbered = ((at, (name, *passage)) for name, text in texts.items() for at, passage in enumerate(split(text)))
    places = [place for at, place in numbered if at < MAX_PASSAGES or place in close]
    fits = _fits(query, [texts[name][start:end] for name, start, end in places])
    words = dict(zip(places, fits, strict=True))
    by_passage = sorted((place for place in places if words[place] > 0), key=lambda place: -words[place])
    best = {place[0]: place for place in reversed(by_passage)}
    by_paper = [best[name] for name in by_words if name in best]
    order = fuse([(by_paper, PAPER_WEIGHT), (by_passage, PASSAGE_WEIGHT), (list(close), weight)])
    evidence = {place: max(words.get(place, 0.0), close.get(place, 0.0)) for place in order}
    citations = {paper.id: citation(paper) for paper in papers}
    chunks: dict[str, Chunk] = {}
    for (name, start, end), value in calibrate_scores(order, evidence):
        if name in texts:
            passage = {"document": name, "start": start, "end": end, "text": texts[name][start:end]}
            cited = citations[name] + pages_of(texts[name], start, end)
            chunk = Chunk.model_validate({"project": project, **passage, "score": value, "citation": cited})
            chunks.setdefault(" ".join(chunk.text.split()), chunk)
    return list(chunks.values())


def _fits(query: str, passages: Sequence[str]) -> list[float]:
    """Return how well the words of each passage fit the query, 0 to 1, by the rules for papers."""
    # Not validated, because that would cut a passage to what an abstract may carry between stages.
    index = PaperIndex([Paper.model_construct(source="library", title="", abstract=passage) for passage in passages])
    concepts = tuple(dict.fromkeys(word for _, word in content_terms(query)))
    intent = ParsedIntent(topic=query, concepts=concepts, meaning=query)
    return relevances(intent, index, [0.0] * len(passages), 0.0)
