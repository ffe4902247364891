"""Fuses rankings by reciprocal rank, and so ranks the passages of the papers that a search has found.

An item's score is the sum of weight / (60 + rank) over the rankings that have it: Cormack, Clarke and Büttcher,
"Reciprocal rank fusion outperforms Condorcet and individual rank learning methods", SIGIR 2009, with their constant 60.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from goldpan.kinds.papers.models import Paper, ParsedIntent
from goldpan.kinds.papers.paper_text import PaperIndex, content_terms
from goldpan.kinds.papers.relevance import relevances
from goldpan.kinds.papers.sources.library.chunks import citation, pages_of, split, text_of
from goldpan.kinds.papers.sources.library.models import Chunk, LibraryPaper

Item = TypeVar("Item", bound=Hashable)
RANK_CONSTANT = 60
Place = tuple[str, int, int]
"""The id of a paper, and the offsets of one of its passages."""
PAPER_WEIGHT, PASSAGE_WEIGHT = 0.5, 0.5
"""The votes of the words: that of the paper, whose rarity is counted in the whole library, and that of the passage."""
MAX_PASSAGES = 20
"""Passages of one paper that are compared: the first ones, and those that the vectors found."""


def fuse(rankings: Sequence[tuple[Sequence[Item], float]]) -> list[Item]:
    """Return all items of some rankings, each with its weight, best first; equal ones in the order of the rankings."""
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
    places: list[Place] = []
    for name, text in texts.items():
        for at, (start, end) in enumerate(split(text)):
            if at < MAX_PASSAGES or (name, start, end) in close:
                places.append((name, start, end))
    fits = _fits(query, [(texts[name][start:end]) for name, start, end in places])
    words = dict(zip(places, fits, strict=True))
    by_passage = sorted((place for place in places if words[place] > 0), key=lambda place: -words[place])
    best: dict[str, Place] = {}
    for place in by_passage:
        best.setdefault(place[0], place)
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
