"""The text of a question with its spelling corrected; what was typed stays known."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from goldpan.engine.interpretation import part_id
from goldpan.known_words import KnownWords, american, words_near
from goldpan.question.grammar import word_list
from goldpan.question.lexicon import Lexicon
from goldpan.question.question_text import QuestionText

MAYBE_MISSPELLED = re.compile(
    r"(?<![\w.@#/+'-])[A-Za-z]{4,24}(?![\w@#/+]|[.-]\w|'t\b)|(?<=-)[a-z]{4,24}(?![\w.@#/+])|(?<!\w)[a-z]{4,24}(?=-[a-z])"
)
"""Words that may be misspelled: no acronyms, no parts of names and addresses."""
MIN_CUE, NAME_CHARS = 5, 6
"""Letters of a word that may be a misspelled cue, and of a word with a capital that may be another misspelled word."""


def correct(
    source: QuestionText, known: Callable[[], KnownWords], ignored: Collection[str], lexicon: Lexicon
) -> tuple[QuestionText, dict[str, str]]:
    """Correct what nothing knows; returns the text, and the corrected words by what was typed.

    `ignored` has the ids of corrections to leave out. The known words are read only if a word may be misspelled.
    """
    typed = [one for one in MAYBE_MISSPELLED.finditer(source.text) if one[0].lower() not in lexicon.never_misspelled]
    found = {match[0]: _correction(match, known(), lexicon) for match in typed}
    words = {one: word for one, word in found.items() if word and part_id("correction", word) not in ignored}
    places = [(*match.span(), words[match[0]]) for match in typed if match[0] in words]
    cased = ((start, end, word.capitalize() if source.text[start].isupper() else word) for start, end, word in places)
    return source.replace(cased), words


def _correction(match: re.Match[str], known: KnownWords, lexicon: Lexicon) -> str | None:
    """Return the American spelling of a word, a cue such as "without", or the known word that was meant."""
    typed, word = match[0], match[0].lower()
    if known.frequency(american(word)) > known.frequency(word):
        return american(word)
    if word in known:
        return None
    if len(word) >= MIN_CUE and (cue := next(iter(words_near(word, word_list("cue_words"), 1)), None)):
        return cue
    meant = known.nearest(word) if typed.islower() or typed.istitle() else None
    is_name = typed.istitle() and match.start() > 0  # a capital within the question: short, or far from a word
    if meant and is_name and sorted(word) != sorted(meant):
        meant = meant if len(word) >= NAME_CHARS and words_near(word, (meant,), 1) else None
    return meant if meant and lexicon.is_surely_misspelled(word, meant) else None
