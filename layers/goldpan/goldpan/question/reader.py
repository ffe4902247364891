"""Read a question step by step, each step from what those before it left; a kind gives its words, steps and terms."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from goldpan.contracts import Interpretation
from goldpan.engine.interpretation import FOREIGN, part, part_id, shown_parts
from goldpan.known_words import KnownWords, american, words_near
from goldpan.question.clauses import without_doubt
from goldpan.question.grammar import cues, in_full, pattern, word_list
from goldpan.question.lexicon import Lexicon
from goldpan.question.negation import Negations, in_doubt, without_subject
from goldpan.question.question_text import BREAK, QuestionText, Span, Term, joined, protected, without
from goldpan.question.word_translation import WordTranslation, read_foreign

MIN_CUE, NAME_CHARS = 5, 6
"""Letters of a word that may be a misspelled cue, and of a word with a capital that may be another misspelled word."""
CORRECTED = "Searched for {} (you typed {})."
UNSPACED, MIN_UNTRANSLATED = "\u3040", 4
"""The first character of the scripts without spaces, and the letters of an unknown word that says enough in others."""
MAX_UNREAD = 5
"""Unread words that a note names."""


@dataclass(frozen=True)
class QuestionReader:
    """A question in English, with its spelling corrected, and the words of the kind that reads it."""

    lexicon: Lexicon
    source: QuestionText
    """The text that is read."""
    foreign: WordTranslation | None
    corrections: Mapping[str, str]
    """The corrected words by what was typed."""
    ignored: frozenset[str]
    """The ids of the parts to leave out."""

    @property
    def negations(self) -> Negations:
        """What finds the things that the question refuses."""
        return Negations(self.lexicon, self.foreign is not None, self.source)

    def read(
        self,
        steps: Iterable[Callable[[str], Sequence[Span[Term]]]],
        find_terms: Callable[[str, Sequence[Span[Term]]], Sequence[Span[Term]]],
        as_term: Callable[[str], Term],
        *,
        asks: bool = True,
    ) -> tuple[list[Span[Term]], str]:
        """Return the spans in their order, and the text that the steps left for the terms.

        A title asks nothing: no words around a thing refuse it. Where nothing but a form ("tool") is left, the subject
        is what no table translates, or else is least certain.
        """
        found: list[Span[Term]] = []
        rest = self.source.text
        for find in steps:
            new = find(rest)
            found += new
            rest = without(rest, new)
        terms = find_terms(rest, found)
        if not terms and not any(one.names for one in found):
            kept = [left for one in found if (left := without_subject(one, self.source.text))]
            if not self.foreign and (terms := find_terms(text := without(self.source.text, kept), kept)):
                found, rest = kept, text
        said = [*found, *terms]
        spans, subject = without_doubt(said, rest, self.source, self.lexicon) if asks else (said, (0, len(rest)))
        if self.foreign:
            spans += self._untranslated(subject, as_term)
        if terms and not any(one.term or one.names for one in spans):  # all is in doubt, refusals too
            places = {(one.start, one.end) for one in terms}
            spans = [in_doubt(one) for one in spans if (one.start, one.end) not in places] + [*terms]
        rest = without(rest, [one for one in spans if one.kind == "unread"])
        return sorted(spans, key=lambda one: one.start), rest

    def _untranslated(self, subject: tuple[int, int], as_term: Callable[[str], Term]) -> list[Span[Term]]:
        """Return the long words of the subject that no table has."""
        found: list[Span[Term]] = []
        for match in re.finditer(BREAK, self.source.text):
            word = self.source.typed(*match.span())
            is_long = len(word) >= (MIN_UNTRANSLATED if word < UNSPACED else 2)
            if subject[0] <= match.start() < subject[1] and is_long:
                found.append(Span(*match.span(), "term", word, term=as_term(word)))
        return found

    def shown(self, spans: Sequence[Span[Term]]) -> tuple[tuple[Interpretation, ...], tuple[str, ...]]:
        """Return the parts that an answer shows, and the sentences for its warnings."""
        searched = " ".join(" ".join(one.names) or self.source.text[one.start : one.end] for one in spans).lower()
        values = {one.value for one in spans}
        foreign = self.foreign.unread if self.foreign else ()
        ids = {word: {part_id("unread", word), part_id("term", word)} for word in foreign if word not in values}
        unread = [word for word in ids if ids[word].isdisjoint(self.ignored)]
        further: list[Span[Term]] = [
            Span(0, 0, "correction", word, note=CORRECTED.format(word, typed), typed=typed)
            for typed, word in self.corrections.items()
            if word in searched and american(typed) != word  # both British and American spellings are searched for
        ]
        further += [Span(0, 0, "unread", word) for word in unread]
        parts = (
            part(one.kind, one.value, one.typed or self.source.typed(one.start, one.end)) for one in (*spans, *further)
        )
        notes = dict.fromkeys(one.note for one in (*spans, *further) if one.note)
        if self.foreign:
            without_words = f" without “{'”, “'.join(foreign[:MAX_UNREAD])}”" if foreign else ""
            notes[FOREIGN.format(self.foreign.language, without_words)] = None
        return shown_parts(parts), (*notes,)


def question_reader(
    text: str, lexicon: Lexicon, known: Callable[[], KnownWords] | None, ignore: Iterable[str], kind: str = ""
) -> QuestionReader:
    """Prepare a text to be read; `known` returns the words by which its spelling is corrected, if it is.

    They are read only if a word may be misspelled. `ignore` has the ids of parts to leave out, also of corrections.
    """
    ignored = frozenset(ignore)
    names = lexicon.patterns.get("names")
    source = lexicon.in_full(in_full(protected(text, names).substitute(cues("names"), joined)))
    corrections: dict[str, str] = {}
    if foreign := read_foreign(source, lexicon, kind):
        source = foreign.source.substitute(names, joined) if names else foreign.source
    elif known:
        listed, maybe = lexicon.never_misspelled, pattern("spelling", "maybe_misspelled")
        typed = [one for one in maybe.finditer(source.text) if one[0].lower() not in listed]
        found = {one[0]: _correction(one, known(), lexicon) for one in typed}
        corrections = {one: word for one, word in found.items() if word and part_id("correction", word) not in ignored}
        wrong = [one for one in typed if one[0] in corrections]
        cased = (corrections[one[0]].capitalize() if one[0][0].isupper() else corrections[one[0]] for one in wrong)
        source = source.replace((*one.span(), word) for one, word in zip(wrong, cased, strict=True))
    return QuestionReader(lexicon, source, foreign, corrections, ignored)


def _correction(match: re.Match[str], known: KnownWords, lexicon: Lexicon) -> str | None:
    """Return the American spelling of a word, a cue such as "without", or the known word that was meant."""
    typed, word = match[0], match[0].lower()
    if known.frequency(american(word)) > known.frequency(word):
        return american(word)
    if word in known or word in word_list("cue_words"):
        return None
    if len(word) >= MIN_CUE and (cue := next(iter(words_near(word, word_list("cue_words"), 1)), None)):
        return cue
    meant = known.nearest(word) if typed.islower() or typed.istitle() else None
    is_name = typed.istitle() and match.start() > 0  # a capital within the question: short, or far from a word
    if meant and is_name and sorted(word) != sorted(meant):
        meant = meant if len(word) >= NAME_CHARS and words_near(word, (meant,), 1) else None
    return meant if meant and lexicon.is_surely_misspelled(word, meant) else None
