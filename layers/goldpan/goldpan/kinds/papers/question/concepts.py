"""Split what the recognizers left of a question into concepts: quoted texts, known and guessed phrases, words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldpan.kinds.papers.question.alternatives import initials, link_alternatives, with_methods
from goldpan.kinds.papers.question.reading import Concept, PaperSpan
from goldpan.kinds.papers.question.wording import wording
from goldpan.kinds.papers.vocabulary import MAX_PHRASE_WORDS, Entry, vocabulary
from goldpan.question.known_words import known_words
from goldpan.question.question_text import QUOTE, QuestionText
from goldpan.question.spans import blanked
from goldpan.text import MARKS, words

TOKEN = re.compile(rf"{QUOTE}+|[^\W_](?:[\w.+#'{MARKS}-]*[\w+#{MARKS}])?")
MAX_GUESSED = 3
"""Words of a phrase that nothing knows; a longer run is read as single words."""
_ALSO = re.compile(
    r"\s*[,(]?\s*(?:\b(?:a\.?k\.?a\.?|also\s+(?:called|known\s+as|referred\s+to\s+as|termed|named)|otherwise\s+known\s+as|or\s+simply)"
    r"|\bi\.e\.)\s*,?\s*[\"']?",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\s*\(([A-Z]{2,8})s?\)")
_HEADS = frozenset(
    [
        "theory",
        "theories",
        "model",
        "models",
        "method",
        "methods",
        "experiment",
        "experiments",
        "algorithm",
        "algorithms",
    ]
)
"""Vague words that make a phrase with the one word before them."""
_ACRONYM = re.compile(r"[A-Z][A-Za-z]?[A-Z0-9](?:[A-Za-z0-9-]*[A-Z0-9])?s?|[A-Z]{2,}s?")
_CAPITALS = frozenset({"IT", "US", "WHO"})
"""Names that are function words in lower case."""
_NAME_BEGINNINGS = frozenset({"New", "Great", "Good"})
"""Words that ask in lower case, and begin names of places and periods."""
_ROMAN = re.compile(r"[IVX]+")


@dataclass(frozen=True)
class _Token:
    start: int
    end: int
    text: str
    typed: str

    @property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def is_quoted(self) -> bool:
        return self.text[0] == QUOTE

    @property
    def is_acronym(self) -> bool:
        return _ACRONYM.fullmatch(self.text) is not None and not _ROMAN.fullmatch(self.text)


def concepts_of(title: str) -> list[Concept]:
    """Return the concepts of a title."""
    return [one.term for one in find_concepts(title, QuestionText(title)) if one.term]


def find_concepts(text: str, source: QuestionText, *, guess: bool = True) -> list[PaperSpan]:
    """Split a text into concepts; `source` has the quoted texts and the words as typed.

    Without `guess` only known phrases are phrases, as in a text that was put together from a table of words.
    """
    for match in wording().request_phrases.finditer(text):
        text = blanked(text, match.start(), match.end())
    for match in _ALSO.finditer(text):  # only separators hold them together
        text = text[: match.start()] + " or" + " " * (match.end() - match.start() - 3) + text[match.end() :]
    tokens = [
        _Token(m.start(), m.end(), m[0], source.typed(m.start(), m.end()) if m[0][0] == QUOTE else m[0])
        for m in TOKEN.finditer(text)
    ]
    found = list(_concepts(text, tokens, guess=guess))
    return link_alternatives(text, with_methods(text, found))


def _concepts(text: str, tokens: Sequence[_Token], *, guess: bool) -> Iterator[PaperSpan]:
    """Yield the known phrases, and the runs of other words between them."""
    run: list[_Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if run and not (guess and _adjacent(text, run[-1], token)):
            yield from _of_run(run)
            run = []
        if length := _spelled_out(text, tokens, place):
            yield from _of_run(run)
            yield _other(tokens[place : place + length])
            run, place = [], place + length
            continue
        entry, length = _known_at(text, tokens, place)
        alone = token.is_quoted or token.is_acronym
        if not entry and not run and _begins_name(text, tokens, place):
            run.append(token)
        elif entry or alone or not _is_subject(token):
            yield from _of_run(run)
            run = []
            if entry:
                yield _known(tokens[place : place + length], entry)
            elif alone and (token.is_quoted or _is_subject(token)):
                yield _other([token])
        else:
            run.append(token)
        place += length
    yield from _of_run(run)


def _known_at(text: str, tokens: Sequence[_Token], place: int) -> tuple[Entry | None, int]:
    for length in range(min(MAX_PHRASE_WORDS, len(tokens) - place), 0, -1):
        several = tokens[place : place + length]
        if any(one.is_quoted or not _adjacent(text, *pair) for one, *pair in _pairs(several)):
            continue
        phrase = text[several[0].start : several[-1].end]
        if (length > 1 or _is_subject(several[0])) and (entry := vocabulary().find(phrase)):
            return entry, length
    return None, 1


def _spelled_out(text: str, tokens: Sequence[_Token], place: int) -> int:
    """Return the words of an unknown phrase whose acronym follows in brackets: "emission trading system (ETS)"."""
    for length in range(2, min(MAX_PHRASE_WORDS, len(tokens) - place) + 1):
        phrase = text[tokens[place].start : tokens[place + length - 1].end]
        acronym = _IN_BRACKETS.match(text, tokens[place + length - 1].end)
        if acronym and initials(phrase) == acronym[1].lower() and vocabulary().find(phrase) is None:
            return length
    return 0


def _pairs(tokens: Sequence[_Token]) -> Iterator[tuple[_Token, _Token, _Token]]:
    for place, token in enumerate(tokens):
        yield token, tokens[max(0, place - 1)], token


def _begins_name(text: str, tokens: Sequence[_Token], place: int) -> bool:
    """Report whether a word such as "new" is the first one of a name: "New York"."""
    if tokens[place].text not in _NAME_BEGINNINGS or place + 1 == len(tokens):
        return False
    is_title = all(token.text[0].isupper() or not _is_subject(token) for token in tokens)
    following = tokens[place + 1]
    return not is_title and following.text.istitle() and _adjacent(text, tokens[place], following)


def _adjacent(text: str, one: _Token, other: _Token) -> bool:
    return one is other or text[one.end : other.start] in (" ", "-")


def _is_subject(token: _Token) -> bool:
    single = len(token.text) == 1 and token.text.isascii()
    if token.text in _CAPITALS:
        return True
    return wording().is_subject(token.lower) and (not single or token.text in "CR")


def _of_run(run: Sequence[_Token]) -> Iterator[PaperSpan]:
    """Yield the guessed phrase of a short run, or its words; vague words at its ends stand alone."""
    vague = wording().vague
    strong = [place for place, token in enumerate(run) if token.lower not in vague]
    first, last = (strong[0], strong[-1] + 1) if strong else (0, 0)
    if last - first == 1 and len(run) > last and run[last].lower in _HEADS:
        last += 1
    core = run[first:last]
    yield from (_other([token], is_weak=True) for token in run[:first])
    if len(core) > MAX_GUESSED:
        plain = (token for token in core if not token.text.isdecimal())
        yield from (_other([token], is_weak=token.lower in vague) for token in plain)
    elif not all(token.text.isdecimal() for token in core):
        yield _other(core)
    yield from (_other([token], is_weak=True) for token in run[last:])


def _known(tokens: Sequence[_Token], entry: Entry) -> PaperSpan:
    typed = " ".join(one.typed for one in tokens)
    lead = entry.name if words(entry.name) != words(typed) and _is_equivalent(typed, entry) else _cased(tokens)
    said = (typed,) if lead.casefold() != typed.casefold() else ()
    wordings = tuple(one for one in dict.fromkeys((*said, *entry.searched)) if one.casefold() != lead.casefold())
    concept = Concept(
        lead, wordings, entry.related, entry.domain if entry.domain != "general" else None, is_method=entry.is_method
    )
    return PaperSpan(tokens[0].start, tokens[-1].end, "term", lead, term=concept)


def _is_equivalent(typed: str, entry: Entry) -> bool:
    """Report whether a wording is one of the equivalents, not a form of the concept's own name."""
    return any(
        words(typed) == words(one) or typed.casefold().rstrip("s") == one.casefold() for one in entry.equivalents
    )


def _other(tokens: Sequence[_Token], *, is_weak: bool = False) -> PaperSpan:
    quoted = tokens[0].is_quoted
    text = " ".join(tokens[0].typed.strip("\"'`").split()) if quoted else _cased(tokens)
    return PaperSpan(
        tokens[0].start, tokens[-1].end, "term", text, term=Concept(text, is_weak=is_weak, is_exact=quoted)
    )


def _cased(tokens: Sequence[_Token]) -> str:
    """Return the words as typed, but for a capital that only begins the question."""
    first = tokens[0]
    is_name = len(tokens) > 1 and tokens[1].typed[0].isupper()
    plain = first.start == 0 and first.typed.istitle() and first.lower in known_words() and not is_name
    lead = first.typed.lower() if plain else first.typed
    return " ".join((lead, *(one.typed for one in tokens[1:])))
