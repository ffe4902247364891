"""Expansion: other words for what a question wants, each searched for in place of the subjects of the question.

Candidates are the names of the categories that the question may mean, and the synonyms of its subjects. They are
compared with the question by the word table, and the closest come first; the synonyms of an only subject count at least
as much as the vocabulary says. What has only words of the keywords, or all of them and more, is left out: the searches
for the keywords find the same repositories.
"""

from collections.abc import Iterable, Sequence

from goldpan.contracts import Mode
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.categories import fitting_categories, subject_words
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.names import is_full_name
from goldpan.kinds.repositories.vocabulary import vocabulary
from goldpan.text import terms, words

EXPANSIONS: dict[Mode, tuple[int, int]] = {"focused": (0, 0), "balanced": (2, 3), "exploratory": (5, 8)}
"""The minimum and maximum number of expanded keywords by mode; fewer only where no more are known."""
MIN_CLOSENESS, MIN_NEAR_CLOSENESS = 0.45, 0.3
"""How close in meaning an expanded keyword is, and one that is taken because there are too few."""
MIN_SHARE = 0.3
"""How surely a category is meant whose names are taken first."""
MAX_CATEGORIES, MAX_FURTHER_CATEGORIES = 4, 16
"""Categories whose names are candidates, and with those whose names are where the mode wants more."""
MAX_WORDS, WORD_FACTOR = 3, 0.5
"""A search finds what has all of its words: few repositories have two of them, and hardly any has four."""
ENOUGH = 3
"""Keywords after which none is taken that is only near, unless the mode wants more."""
SUBSTITUTES = frozenset({"alternative", "better", "own", "replacement"})
"""Words of a category's name that names a product or a wish: "Trello alternative", "better cat", "your own JVM"."""


def expand(params: SearchParams, mode: Mode, given: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the expanded keywords: those that are `given`, such as by a model, then the closest that are known.

    Where the question is only the full name of a repository, its facts say what is wanted, and no word of its name.
    """
    least, most = EXPANSIONS[mode]
    if params.likes and not params.meaning and all(map(is_full_name, params.likes)):
        return tuple(given)[:most]
    chosen = _different((), given, params.keywords)[:most]
    if len(chosen) >= most or (chosen and len(chosen) >= least):
        return tuple(chosen)
    sure, unsure, further = _candidates(params)
    enough = max(least, ENOUGH)
    for values, minimum, limit, narrower in (
        (sure, MIN_CLOSENESS, most, False),
        (sure, MIN_NEAR_CLOSENESS, enough, False),
        (sure, MIN_NEAR_CLOSENESS, enough, True),
        (unsure, MIN_CLOSENESS, enough, True),
        (unsure, MIN_NEAR_CLOSENESS, enough, True),
        (further, MIN_NEAR_CLOSENESS, least, True),
    ):
        if len(chosen) < limit:
            close = [text for text, value in values.items() if value >= minimum]
            close.sort(key=lambda text: -values[text] * WORD_FACTOR ** len(words(text)))
            chosen = _different(chosen, close, params.keywords, narrower=narrower)[:limit]
    return tuple(chosen)


def _candidates(params: SearchParams) -> tuple[dict[str, float], ...]:
    """Return the closeness of what is surely meant, names of categories and synonyms, and of what is less so, twice."""
    sure, unsure, further = list[str](), list[str](), list[str]()
    for place, category in enumerate(fitting_categories(params)[:MAX_FURTHER_CATEGORIES]):
        names = [" ".join(subject_words(name)) for name in (category.name, *category.other_names)]
        (further if place >= MAX_CATEGORIES else sure if category.share >= MIN_SHARE else unsure).extend(names)
    concepts = [concept for keyword in params.keywords for concept in vocabulary().concepts(keyword)]
    subjects = [vocabulary().nearest(concept.phrase) for concept in concepts if concept.part == "subject"]
    reference = params.meaning or next(iter(sure), "")
    closeness = _closeness([*sure, *(synonym for nearest in subjects for synonym, _ in nearest)], reference)
    if len(subjects) == 1:
        closeness |= {text: max(weight, closeness.get(text, 0.0)) for text, weight in subjects[0]}
    return closeness, _closeness(unsure, reference), _closeness(further, reference)


def _closeness(texts: Iterable[str], reference: str) -> dict[str, float]:
    """Return how close in meaning each text is to the reference, without those that are too long for a search."""
    short = [
        text for text in dict.fromkeys(texts) if len(words(text)) <= MAX_WORDS and SUBSTITUTES.isdisjoint(words(text))
    ]
    return dict(zip(short, shipped_table().compare(reference).closeness(short), strict=True)) if short else {}


def _different(
    chosen: Sequence[str], further: Iterable[str], keywords: Sequence[str], *, narrower: bool = False
) -> list[str]:
    """Add what is no form of the keywords or of another text: a part of it, or that and more unless `narrower` is."""
    asked = " ".join(keywords)
    every, subjects = frozenset(terms(asked)), _terms(asked)
    kept = {text: _terms(text) for text in chosen}
    for text in further:
        found = _terms(text)
        is_form = found <= every or (not narrower and subjects and subjects <= found)
        if not is_form and not any(found <= one or one <= found for one in kept.values()):
            kept[text] = found
    return [*kept]


def _terms(text: str) -> frozenset[str]:
    """Return the terms that say what a text is about: no platform, no generic word, unless it has nothing else."""
    found = vocabulary().concepts(text)
    subjects = [concept.phrase for concept in found if concept.part == "subject"]
    return frozenset(term for one in subjects or [concept.phrase for concept in found] for term in one)
