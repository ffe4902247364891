"""The concepts of a question with their weights, and the phrases that stand for each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.vocabulary import Concept, platform_of, product_subject, vocabulary
from goldpan.text import Phrase, phrase, places_of, words

MIN_SYNONYM_SIMILARITY = 0.4
"""Words that are merely related are no synonyms: “form” is none of “typeahead”."""
MIN_PAIR_SIMILARITY = 0.6
"""Of 397 pairs of words that shared much of their meaning with a question, most below were of one field only."""
NEGATING = frozenset({"a", "de", "dis", "non", "un"})
MIN_SHARED_ENDING = 3
SUBJECT_WEIGHT, PLATFORM_WEIGHT, CONTEXT_WEIGHT, GENERIC_WEIGHT = 1.0, 0.25, 0.3, 0.15
"""Weights of a concept in the coverage."""
PARTIAL_PHRASE_WEIGHT = 0.3
"""One word of a longer phrase."""


@dataclass(frozen=True)
class WeightedConcept:
    """A concept of the question, its weight in the coverage, and the phrases that stand for it, heaviest first."""

    concept: Concept
    weight: float
    phrases: tuple[tuple[Phrase, float], ...]
    related: frozenset[Phrase] = frozenset()
    """Those that are related to the concept but do not mean it: they count, and no reason credits them."""


def weighted_keywords(
    concepts: Sequence[Concept], params: SearchParams, encoder: Encoder | None
) -> tuple[WeightedConcept, ...]:
    """Weigh the concepts of the keywords; a language beside a subject is left to the fit of the platforms.

    The words that were typed count as much as those that they were corrected or translated to.
    """
    has_subject = any(concept.part == "subject" for concept in concepts)
    languages = {one.phrase for one in concepts if one.platform is not None and one.platform.compatible_languages}
    weighted = [weigh(one, encoder) for one in concepts if not (has_subject and one.phrase in languages)]
    typed = {phrase(keyword): ((phrase(word), 1.0),) for keyword, word in params.typed.items()}
    return tuple(replace(one, phrases=(*typed.get(one.concept.phrase, ()), *one.phrases)) for one in weighted)


def names_own_kind(params: SearchParams) -> bool:
    """Report whether a question says what it wants, beside what that is to be like: "vim-like file manager".

    What it says stands right after the suffix of the name, or before the words that lead to the name.
    """
    if all(map(product_subject, params.likes)):
        return False
    asked = words(params.question)
    concepts = vocabulary().concepts_of((*params.keywords, *params.typed.values()))
    subjects = {word for concept in concepts if concept.part == "subject" for word in concept.words}
    places = ((place, place + len(name)) for name in liked_words(params) for place in places_of(name, asked))
    return any(subjects & {*asked[: max(0, start - 1)], *asked[end + 1 : end + 2]} for start, end in places)


def liked_words(params: SearchParams) -> list[list[str]]:
    """Return the words of each name that the results are to be like, without the owner's."""
    return [found for like in params.likes if (found := words(like.rpartition("/")[2]))]


def weigh(concept: Concept, encoder: Encoder | None) -> WeightedConcept:
    """Weigh the phrases that stand for a concept: its words, its other names and its synonyms."""
    listed = vocabulary().synonyms.get(concept.phrase, {})
    weights = dict.fromkeys(concept.platform.words if concept.platform else (), 1.0)
    weights |= listed if concept.part == "subject" else {}
    related = set[Phrase]()
    if encoder and listed:
        close = encoder.compare(" ".join(concept.words)).closeness([vocabulary().spelling[key] for key in listed])
        related = {key for key, value in zip(listed, close, strict=True) if value < MIN_SYNONYM_SIMILARITY}
    related -= {concept.phrase, *(key for key, weight in listed.items() if weight == 1)}
    for term in concept.phrase:
        if (term,) not in vocabulary().generic and len(term) > 1:
            weights[(term,)] = max(PARTIAL_PHRASE_WEIGHT, weights.get((term,), 0.0))
            related.discard((term,))
    weights[concept.phrase] = 1.0
    ordered = tuple(sorted(weights.items(), key=lambda item: (-item[1], item[0])))
    weight = {"generic": GENERIC_WEIGHT, "platform": PLATFORM_WEIGHT}.get(concept.part, SUBJECT_WEIGHT)
    return WeightedConcept(concept, weight, ordered, frozenset(related))


def is_close(asked: str, found: str, encoder: Encoder) -> bool:
    """Report whether a word means about what another one does: opposites do not, nor do the names of languages."""
    if _are_opposites(asked, found) or platform_of(asked) or platform_of(found):
        return False
    return encoder.compare(asked).closeness([found])[0] >= MIN_PAIR_SIMILARITY


def _are_opposites(asked: str, found: str) -> bool:
    """Report whether two words differ in their beginnings alone, as encode and decode, frontend and backend, 2D and 3D.

    An encoder takes such words for close in meaning. One of them may be the other with a negation before it.
    """
    one, other = (" ".join(phrase(word)) for word in (asked, found))
    if {one, other} & {" ".join(phrase(negation + word)) for negation in NEGATING for word in (asked, found)}:
        return True
    equal = (a == b for a, b in zip(reversed(one), reversed(other), strict=False))
    shared = sum(takewhile(bool, equal))
    shorter = min(len(one), len(other))
    return min(MIN_SHARED_ENDING, shorter - 1) <= shared < shorter and one[:1] != other[:1]
