"""Expansion: other words for what a question wants, each searched for in place of the subjects of the question.

Candidates are the names of the categories that the question may mean, and the synonyms of its subjects. They are
compared with the question by the word table, and the closest come first, short ones before long ones: a search finds
what has all of its words. What has only words of the keywords is left out, since the searches for these find the same.
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
MIN_CLOSENESS = 0.3
"""How close in meaning an expanded keyword is."""
MAX_CATEGORIES = 4
"""Categories whose names are candidates."""
MAX_WORDS, WORD_FACTOR = 3, 0.5
"""The most words of an expanded keyword, and what each of them is worth: hardly any repository has four of them."""
SUBSTITUTES = frozenset({"alternative", "better", "own", "replacement"})
"""Words of a category's name that names a product or a wish: "Trello alternative", "better cat", "your own JVM"."""


def expand(params: SearchParams, mode: Mode, given: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the expanded keywords: those that are `given`, such as by a model, and if they are too few, the closest.

    Where the question is only the full name of a repository, its facts say what is wanted, and no word of its name.
    """
    least, most = EXPANSIONS[mode]
    if params.likes and not params.meaning and all(map(is_full_name, params.likes)):
        return tuple(given)[:most]
    chosen = _different(given, params.keywords)[:most]
    if len(chosen) < max(least, 1):
        chosen = _different((*chosen, *_closest(params)), params.keywords)[:most]
    return tuple(chosen)


def _closest(params: SearchParams) -> list[str]:
    """Return the names of fitting categories and the synonyms of the subjects, the closest in meaning first.

    To the closeness of a name is added how surely its category is meant. The synonyms of an only subject are at
    least as close as the vocabulary says.
    """
    categories = fitting_categories(params)[:MAX_CATEGORIES]
    pairs = [(each, name) for each in categories for name in (each.name, *each.other_names)]
    names = {" ".join(subject_words(name)): each.share for each, name in reversed(pairs)}
    concepts = vocabulary().concepts_of(params.keywords)
    subjects = [dict(vocabulary().nearest(concept.phrase)) for concept in concepts if concept.part == "subject"]
    texts = dict.fromkeys((*names, *(synonym for synonyms in subjects for synonym in synonyms)))
    short = [text for text in texts if 0 < len(words(text)) <= MAX_WORDS and SUBSTITUTES.isdisjoint(words(text))]
    reference = params.meaning or next(reversed(names), "")
    values = dict(zip(short, shipped_table().compare(reference).closeness(short), strict=True)) if short else {}
    known = subjects[0] if len(subjects) == 1 else {}
    values |= {text: max(value, known.get(text, 0.0)) for text, value in values.items()}
    close = [text for text, value in values.items() if value >= MIN_CLOSENESS]
    return sorted(close, key=lambda text: -(values[text] + names.get(text, 0.0)) * WORD_FACTOR ** len(words(text)))


def _different(texts: Iterable[str], keywords: Sequence[str]) -> list[str]:
    """Return the texts that have more than words of the keywords, and are no part of another one, nor that and more."""
    asked = frozenset(terms(" ".join(keywords)))
    kept: dict[str, frozenset[str]] = {}
    for text in texts:
        found = frozenset(terms(text))
        if not found <= asked and not any(found <= one or one <= found for one in kept.values()):
            kept[text] = found
    return [*kept]
