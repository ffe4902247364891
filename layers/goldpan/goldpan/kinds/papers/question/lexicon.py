"""What questions for papers name: types, venues, authors, known concepts (wording.toml)."""

import re
from functools import cache
from pathlib import Path

from goldpan.kinds.papers.question import PaperSpan, cue
from goldpan.kinds.papers.question.limits import type_at
from goldpan.kinds.papers.venues import is_venue, venue_names, venues
from goldpan.kinds.papers.vocabulary import MAX_PHRASE_WORDS, vocabulary
from goldpan.known_words import KnownWords, consonants, known_words, words_near
from goldpan.question.lexicon import Lexicon, Named
from goldpan.question.question_text import apart
from goldpan.question.things import phrase_ends

MIN_VOWEL, MIN_LONG = 6, 8
"""Letters of a word in which a wrong vowel, or a letter too many or too few, is surely a mistake."""


class PaperLexicon(Lexicon):
    """The words of the tables."""

    def named_at(self, text: str, start: int) -> Named | None:
        """Return the type, the venue, the author or the known concept that the text names at a place."""
        if named := type_at(text, start) or venue_at(text, start):
            return named
        if cue("authors", "after_by").search(text[:start]) and (name := cue("authors", "refused").match(text, start)):
            return Named(name.end(), name[0], {"excluded_authors": (name[0],)})
        ends = phrase_ends(text, start, MAX_PHRASE_WORDS)
        end = next((end for end in ends if vocabulary().find(text[start:end])), 0)
        return Named(end, text[start:end], {"excluded_terms": (text[start:end],)}) if end else None

    def is_surely_misspelled(self, typed: str, word: str) -> bool:
        """Report whether a word is surely misspelled: science has many words that no table knows.

        Sure are exchanged letters, a wrong vowel or double letter, and in a long word a letter too many or too few;
        never a difference at the end, since that is rather another form.
        """
        if typed[-1] != word[-1] or not words_near(typed, (word,), 1):
            return False
        if sorted(typed) == sorted(word):
            return True
        long, vowel = len(typed) >= MIN_LONG and len(typed) != len(word), consonants(typed) == consonants(word)
        return typed[0] == word[0] and (long or (vowel and len(typed) >= MIN_VOWEL))


LEXICON = PaperLexicon(Path(__file__).with_name("wording.toml"), lambda word: vocabulary().find(word) is not None)


@cache
def paper_words() -> KnownWords:
    """Return the words of these tables, to which a typo is corrected, and plain English ones, to which none is."""
    plain = known_words().keys()
    listed = [word for word in vocabulary().words | LEXICON.words["vague"] if word.isalpha()]
    plurals = (f"{word}s" for word in listed if len(word) >= MIN_VOWEL and word[-1] not in "sxyz")
    own = frozenset((*listed, *plurals))
    return KnownWords(
        {}, LEXICON.words["asking"].union(plain, (f"{word}s" for word in plain)), built_in=own, targets=own
    )


@cache
def _named() -> re.Pattern[str]:
    listed = sorted(venues().tables, key=len, reverse=True)
    return cue("venues", "known", "|".join(re.escape(text).replace(r"\ ", " ") for text in listed))


def venue_at(text: str, start: int) -> Named | None:
    """Return the venue that is named at a place; a short name that means other things too only after "in"."""
    match = _named().match(text, start)
    if match is None:
        return None
    name = " ".join(match["name"].split())
    is_sure = name.casefold() in venues().sure or venues().tables.get(name) == "ordinary"
    if not is_sure and not cue("venues", "placed").search(text[:start]):
        return None
    venue = venue_names(name)[0]
    return Named(match.end(), venue, {"excluded_venues": (venue,)})


def find_venues(text: str, original: str) -> list[PaperSpan]:
    """Find the venues that papers must be published in; `original` has the years that were taken out."""
    found: list[PaperSpan] = []
    for match in cue("venues", "described").finditer(text):
        name = re.sub(r"\s+(?:of|on|the|and|for|in|&)$", "", match["name"])
        if " " in name:
            found.append(_found(match.start(), match.start("name") + len(name), name))
    for match in cue("venues", "abbreviated").finditer(text):
        name = " ".join(match["name"].split())
        full = next((full for full in venues().by_name if " " in full and is_venue(name, full)), name)
        found.append(_found(match.start("name"), match.end(), full))
    end = len(text)
    for match in _named().finditer(text):
        is_next = match["name"][0].isupper() and cue("venues", "next").fullmatch(text, end, match.start())
        if is_next or _counts(match, text, original):
            found.append(_found(*match.span(), match["name"]))
            end = match.end()
    return apart(found)


def _counts(match: re.Match[str], text: str, original: str) -> bool:
    """Report whether the name of a venue means the venue there."""
    name, lead = " ".join(match["name"].split()), (match["lead"] or "").lower()
    table = venues().tables.get(name)
    if name.casefold() in venues().sure:
        return table is not None or bool(lead) or " " not in name
    if table is None or lead.startswith(("published", "appear")):
        return table is not None
    dated = cue("venues", "dated").match(original, match.end())
    is_placed = match["after"] or dated or (lead and not cue("venues", "followed").match(text, match.end()))
    return table == "ordinary" and bool(is_placed)


def _found(start: int, end: int, name: str) -> PaperSpan:
    venue = venue_names(" ".join(name.split()))[0]
    return PaperSpan(start, end, "constraint", f"in {venue}", {"venues": (venue,)})
