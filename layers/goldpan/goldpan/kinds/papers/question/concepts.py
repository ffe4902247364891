"""Split what is left of a question into concepts: quoted texts, known and guessed phrases, words, other wordings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from goldpan.kinds.papers.question import Concept, PaperSpan, cue
from goldpan.kinds.papers.question.lexicon import LEXICON
from goldpan.kinds.papers.vocabulary import MAX_PHRASE_WORDS, MIN_ACRONYM, Entry, vocabulary
from goldpan.known_words import known_words
from goldpan.question.question_text import JOINER, QUOTE, QuestionText
from goldpan.text import MARKS, words

TOKEN = re.compile(rf"{QUOTE}+|[^\W_](?:[\w.+#'{MARKS}{JOINER}-]*[\w+#{MARKS}])?")
MAX_GUESSED = 3
"""Words of a phrase that nothing knows; a longer run is read as single words."""


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    typed: str

    @property
    def is_quoted(self) -> bool:
        return self.text[0] == QUOTE

    @property
    def is_vague(self) -> bool:
        return self.text.lower() in LEXICON.words["vague"]

    @property
    def is_subject(self) -> bool:
        single = len(self.text) == 1 and self.text.isascii() and self.text not in "CR"
        return LEXICON.is_content(self.text.lower()) and not single


def concepts_of(title: str) -> list[Concept]:
    """Return the concepts of a title."""
    return [one.term for one in find_concepts(title, QuestionText.of(title)) if one.term]


def find_concepts(text: str, source: QuestionText, *, guess: bool = True) -> list[PaperSpan]:
    """Split a text into concepts; `source` has the quoted texts and the words as typed.

    Without `guess` only known phrases are phrases, as in a text that was put together from a table of words.
    """
    text = cue("concepts", "also").sub(lambda match: " or".ljust(len(match[0])), LEXICON.without_requests(text))
    tokens = [
        _Token(*one.span(), one[0], source.typed(*one.span()) if one[0][0] == QUOTE or JOINER in one[0] else one[0])
        for one in TOKEN.finditer(text)
    ]
    linked: list[PaperSpan] = []  # with the wordings that "or", a slash, "also called" or brackets join
    for one in _concepts(text, tokens, guess=guess):
        if (term := one.term) is None:
            continue
        if cue("concepts", "using").search(text[: one.start]):
            term = replace(term, is_method=True)
        before = linked[-1].term if linked else None
        if before and _is_other_wording(text, linked[-1], one):
            lead = before.alternative_to or before.text
            term = replace(term, alternative_to=lead, is_weak=before.is_weak)
        linked.append(replace(one, term=term))
    return linked


def _concepts(text: str, tokens: Sequence[_Token], *, guess: bool) -> Iterator[PaperSpan]:
    """Yield the known phrases, and the runs of other words between them."""
    run: list[_Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        one, length = _whole_at(text, tokens, place)
        goes_on = bool(run) and guess and _adjoin(text, [run[-1], token])
        is_part = one is None and token.is_subject
        if not (goes_on and is_part):
            yield from _of_run(run)
            run = []
        if one:
            yield one
        elif is_part:
            run.append(token)
        place += length
    yield from _of_run(run)


def _whole_at(text: str, tokens: Sequence[_Token], place: int) -> tuple[PaperSpan | None, int]:
    """Return what is one concept: a known phrase, one with its acronym in brackets, a quoted text, an acronym."""
    for length in range(min(MAX_PHRASE_WORDS, len(tokens) - place), 0, -1):
        several = tokens[place : place + length]
        if any(one.is_quoted for one in several) or not _adjoin(text, several):
            continue
        phrase, end = text[several[0].start : several[-1].end], several[-1].end
        if (length > 1 or several[0].is_subject) and (entry := vocabulary().find(phrase)):
            return _known(several, entry), length
        acronym = cue("concepts", "in_brackets").match(text, end) if length > 1 else None
        if acronym and _initials(phrase) == acronym["acronym"].lower():
            return _other(several), length
    token = tokens[place]
    is_acronym = token.is_subject and cue("concepts", "acronym").fullmatch(token.text)
    return (_other([token]) if token.is_quoted or is_acronym else None), 1


def _adjoin(text: str, tokens: Sequence[_Token]) -> bool:
    return all(text[one.end : other.start] in (" ", "-") for one, other in pairwise(tokens))


def _of_run(run: Sequence[_Token]) -> Iterator[PaperSpan]:
    """Yield the guessed phrase of a short run, or its words; vague words at its ends stand alone."""
    strong = [place for place, token in enumerate(run) if not token.is_vague]
    first, last = (strong[0], strong[-1] + 1) if strong else (0, 0)
    if last - first == 1 and len(run) > last and run[last].text.lower() in LEXICON.words["heads"]:
        last += 1
    core = run[first:last]
    yield from (_other([token], is_weak=True) for token in run[:first])
    if len(core) > MAX_GUESSED:
        yield from (_other([token], is_weak=token.is_vague) for token in core if not token.text.isdecimal())
    elif not all(token.text.isdecimal() for token in core):
        yield _other(core)
    yield from (_other([token], is_weak=True) for token in run[last:])


def _known(tokens: Sequence[_Token], entry: Entry) -> PaperSpan:
    typed = " ".join(one.typed for one in tokens)
    names = [form for one in entry.equivalents for form in (words(one), words(f"{one}s"))]
    lead = entry.name if words(typed) in names and words(entry.name) != words(typed) else _cased(tokens)
    searched = (text for text in entry.equivalents if len(text) >= MIN_ACRONYM or not text.isupper())
    wordings = (one for one in dict.fromkeys((typed, *searched)) if one.casefold() != lead.casefold())
    domain = None if entry.domain == "general" else entry.domain
    return _span(tokens, Concept(lead, tuple(wordings), domain, is_method=entry.is_method))


def _other(tokens: Sequence[_Token], *, is_weak: bool = False) -> PaperSpan:
    quoted = tokens[0].is_quoted
    text = " ".join(tokens[0].typed.strip("\"'`").split()) if quoted else _cased(tokens)
    return _span(tokens, Concept(text, is_weak=is_weak, is_exact=quoted))


def _span(tokens: Sequence[_Token], concept: Concept) -> PaperSpan:
    return PaperSpan(tokens[0].start, tokens[-1].end, "term", concept.text, term=concept)


def _cased(tokens: Sequence[_Token]) -> str:
    """Return the words as typed, but for a capital that only begins the question."""
    first, *others = (token.typed for token in tokens)
    is_name = bool(others) and others[0][0].isupper()
    plain = tokens[0].start == 0 and first.istitle() and first.lower() in known_words() and not is_name
    return " ".join((first.lower() if plain else first, *others))


def _is_other_wording(text: str, one: PaperSpan, other: PaperSpan) -> bool:
    between = text[one.end : other.start]
    if cue("concepts", "comma").fullmatch(between):  # "teenagers, adolescents or youth": an "or" ends the list
        return cue("concepts", "closed").match(text, other.end) is not None
    if cue("concepts", "opening").fullmatch(between) and text.startswith(")", other.end):
        pairs = (one.value, other.value), (other.value, one.value)
        return any(" " not in short and _initials(long).endswith(short.rstrip("s").casefold()) for short, long in pairs)
    return cue("concepts", "or").fullmatch(between) is not None


def _initials(text: str) -> str:
    return "".join(word[0] for word in words(text))
