"""Compute how well papers fit a question, by rules alone.

    relevance = (1 - C) x words + C x closeness

- words: the weighted mean of how strongly the paper has each word, or each concept in one of its synonyms (see
  `paper_text`); a word weighs its rarity among the given papers times how often the question names it;
- neighbours: two words that are neighbours in the question add to it where they are neighbours in the paper too;
- closeness: the cosine of the vectors of the question and of the paper, from 0; without an encoder, and for a text that
  it does not know, the words count alone.

Citations, the year and the place in a source's list play no part. A paper without an abstract has its title alone. The
constants were chosen on halves of public questions; docs/benchmarks.md has the figures.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from goldpan.engine.stage_values import Match
from goldpan.identities import normalise_arxiv
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.papers.models import MergedPaper, Paper, PaperIds, ParsedIntent
from goldpan.kinds.papers.paper_text import GAP, FieldText, PaperIndex, content_terms, marked_terms, meaning_text
from goldpan.kinds.papers.question.concepts import concepts_of
from goldpan.kinds.papers.question.people_and_papers import IDS
from goldpan.kinds.papers.vocabulary import vocabulary
from goldpan.text import Phrase, phrase, words

MAX_MENTIONS = 4
"""How often a question may name a concept so that it counts more."""
MIN_CLOSENESS = 0.3
"""What is called close in meaning in a reason."""
ARXIV, DOI = IDS
MAX_CONCEPTS = 10
"""As many as a question has, of it and of the papers that it likes."""


@dataclass(frozen=True)
class Concept:
    """A concept of the question: the terms of its wordings, the asked one first."""

    text: str
    wordings: tuple[Phrase, ...]
    mentions: int = 1


def read_concepts(intent: ParsedIntent) -> list[Concept]:
    """Return the concepts of an intent with their synonyms; one that consists of stop words counts all the same."""
    asked = f" {' '.join(term for term, _ in marked_terms(intent.meaning or intent.topic))} "
    concepts: dict[Phrase, Concept] = {}
    for text in intent.concepts:
        wordings = tuple(filter(None, map(concept_phrase, (text, *intent.synonyms.get(text, ())))))
        if wordings:
            mentions = asked.count(f" {' '.join(wordings[0])} ")
            concepts.setdefault(wordings[0], Concept(text, wordings, min(MAX_MENTIONS, max(1, mentions))))
    return list(concepts.values())


def counted_concepts(intent: ParsedIntent) -> list[Concept]:
    """Return what the words of a paper are counted by: every content word of the question is a concept of its own.

    A known phrase, and a concept that was quoted, that has synonyms, or that the question does not name stays one.
    """
    named = dict.fromkeys(word for _, word in content_terms(intent.meaning or intent.topic))
    asked = {term for word in named for term in phrase(word)}
    known = {one for one in intent.concepts if " " in one and vocabulary().find(one) is not None}
    firm = known.union(intent.exact, (one for one, synonyms in intent.synonyms.items() if synonyms))
    whole = [one for one in intent.concepts if one in firm or asked.isdisjoint(phrase(one))]
    held = {term for one in whole for term in phrase(one)}
    alone = (word for word in named if held.isdisjoint(phrase(word)))
    return read_concepts(intent.model_copy(update={"concepts": (*whole, *alone)}))


def single_terms(wording: Phrase) -> list[str]:
    """Return the terms of a wording without gaps, each once."""
    return [term for term in dict.fromkeys(wording) if term != GAP]


def concept_phrase(text: str) -> Phrase:
    """Return the terms of a concept, with gaps within it; one that consists of stop words keeps them."""
    marked = " ".join(term for term, _ in marked_terms(text)).strip(f"{GAP} ")
    return tuple(marked.split()) or phrase(text)


def _credits(concept: Concept, text: Sequence[FieldText]) -> list[str]:
    """Name the first wording that the paper has, or else the single words of the concept as it was asked."""
    for place, wording in enumerate(concept.wordings):
        if credit := _credit(wording, text, f" (for “{concept.text}”)" if place else ""):
            return [credit]
    single = (_credit((term,), text) for term in single_terms(concept.wordings[0]))
    return [credit for credit in single if credit]


def _credit(wording: Phrase, text: Sequence[FieldText], stands_for: str = "") -> str | None:
    """Name the words of the paper for a wording, and the first field that has them."""
    held = ((field.surface(wording), field.name) for field in text)
    return next((f"“{surface}”{stands_for} in the {name}" for surface, name in held if surface), None)


CLOSENESS_SHARE, SUMMED_SHARE = 0.3, 0.1
"""The share of the closeness: of a sentence encoder, and of a table whose vector of a text is a sum over its words."""
NEIGHBOURS_SHARE = 0.1
LEAST_WEIGHT = 0.5
"""Added to the logarithm of a rarity, so that a concept counts that all of the papers have, as those of a search do."""


def rank_by_rules(intent: ParsedIntent, papers: Sequence[Paper], encoder: Encoder | None) -> list[Match]:
    """Compute the relevance of each paper, in the order given; rarity is counted among the given papers."""
    intent, index = with_liked(intent, papers) if intent.likes else intent, PaperIndex(papers)
    comparison = encoder.compare(intent.meaning) if encoder and intent.meaning else None
    closeness = comparison.closeness([meaning_text(paper) for paper in papers]) if comparison else [0.0] * len(papers)
    values = relevances(intent, index, closeness, closeness_share(encoder))
    concepts = read_concepts(intent)
    found = [dict.fromkeys(credit for each in concepts for credit in _credits(each, text)) for text in index.texts]
    near = (f"close in meaning to “{intent.topic}”",)
    return [
        Match(relevance=value, evidence=tuple(evidence) or (near if close >= MIN_CLOSENESS else ()))
        for value, evidence, close in zip(values, found, closeness, strict=True)
    ]


def closeness_share(encoder: Encoder | None) -> float:
    """Return the share of the closeness: less for an encoder whose vectors are sums over the words."""
    return SUMMED_SHARE if encoder and encoder.sums_words else CLOSENESS_SHARE


def relevances(intent: ParsedIntent, index: PaperIndex, closeness: Sequence[float], share: float) -> list[float]:
    """Compute the relevance of each paper of an index from its words and its closeness in meaning, 0 if unknown."""
    named = _mean(index, [(_strengths(concept, index), concept.mentions) for concept in counted_concepts(intent)])
    asked = [term for term, _ in marked_terms(intent.meaning or intent.topic)]
    pairs = [index.strengths(pair) for pair in dict.fromkeys(pairwise(asked)) if GAP not in pair]
    neighbours = _mean(index, [(strengths, 1) for strengths in pairs if strengths])
    joined = zip(named, neighbours, strict=True)
    by_words = [(one + NEIGHBOURS_SHARE * other) / (1 + NEIGHBOURS_SHARE) for one, other in joined]
    return [
        round((1 - share) * word + share * close if close > 0 else word, 4)
        for word, close in zip(by_words, closeness, strict=True)
    ]


def _mean(index: PaperIndex, found: Sequence[tuple[Mapping[int, float], int]]) -> list[float]:
    """Return the mean of the strengths for each paper, weighted by their rarity, each as often as it counts."""
    weighted = [(strengths, count * (index.rarity(len(strengths)) + LEAST_WEIGHT)) for strengths, count in found]
    total = sum(weight for _, weight in weighted) or 1.0
    sums = [0.0] * len(index)
    for strengths, weight in weighted:
        for place, strength in strengths.items():
            sums[place] += weight * strength
    return [value / total for value in sums]


def _strengths(concept: Concept, index: PaperIndex) -> dict[int, float]:
    """Return the strength of the best wording of a concept, the mean of those of its words, by the place of a paper."""
    best: dict[int, float] = {}
    for wording in concept.wordings:
        found = [index.strengths((term,)) for term in single_terms(wording)]
        means = _mean(index, [(strengths, 1) for strengths in found])
        for place in set().union(*found):
            best[place] = max(best.get(place, 0.0), means[place])
    return best


def is_liked(paper: Paper, like: str, ids: Sequence[PaperIds] = ()) -> bool:
    """Report whether a paper is the liked one, by its id, or by its title or what stands before the colon in it."""
    known = (paper.ids, *ids)
    if like.startswith(ARXIV):
        return any(one.arxiv and one.arxiv == normalise_arxiv(like) for one in known)
    if like.startswith(DOI):
        return any(one.doi == like for one in known)
    wanted = words(like)
    return bool(wanted) and wanted in (words(paper.title), words(paper.title.partition(":")[0]))


def with_liked(intent: ParsedIntent, papers: Sequence[Paper]) -> ParsedIntent:
    """Make a subject of the titles and abstracts of the liked papers that were found, beside what was asked for."""
    liked = [paper for like in intent.likes for paper in papers if is_liked(paper, like)][: len(intent.likes)]
    if not liked:
        return intent
    named = (one for paper in liked for one in concepts_of(paper.title))
    concepts = (*intent.concepts, *(one.text for one in named if not one.is_weak))
    meaning = " ".join([intent.meaning, *map(meaning_text, liked)]).strip()
    return intent.model_copy(
        update={"concepts": tuple(dict.fromkeys(concepts))[:MAX_CONCEPTS], "meaning": meaning, "topic": liked[0].title}
    )


def liked_ids(papers: Iterable[MergedPaper], intent: ParsedIntent) -> dict[str, str]:
    """Return the ids of the liked papers among the given ones, each with how the question names it."""
    references = [like for like in intent.likes if like not in intent.wanted]
    return {one.id: like for one in papers for like in references if is_liked(one.paper, like, one.ids)}
