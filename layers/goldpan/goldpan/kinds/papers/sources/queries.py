"""Writes queries for the sources of papers, as words or in the Boolean syntax of a source.

The words of a question are never read as operators, filters or quotes: they are lower-case letters and digits
(`wording`), while sources write their operators in capitals and their fields with a colon. A query that is longer than
its source allows loses its weakest words, and the result says which.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote_plus

from goldpan.counts import first_named
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.person_names import divide
from goldpan.kinds.papers.sources.settings import title_of
from goldpan.known_words import forms, known_words
from goldpan.text import STOP_WORDS, words

Concepts = tuple[tuple[str, ...], ...]
"""The wordings of each concept, the best first; the most important concept first."""


@dataclass(frozen=True)
class Asked:
    """One query as it is sent: its text, its parameters, and what was left out of it."""

    text: str
    params: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    body: object = None
    """Of a request that has one."""


NOTHING_TO_ASK = Asked("", notes=("a query without a word was not sent",))


def wording(text: str) -> str:
    """Return the words of a text in lower case, without anything that a source reads as syntax."""
    return " ".join(words(text))


def subject_of(query: PaperQuery, constraints: Constraints) -> Concepts:
    """Return the concepts of a query as plain words, none if all are names of authors, which a source filters by.

    What was quoted comes first, and then the rarest. Unquoted words without another wording are
    concepts of their own. Repeats, and concepts that have no word, are left out.
    """
    authors = {wording(author) for author in constraints.authors}
    plain = (tuple(dict.fromkeys(filter(None, map(wording, wordings)))) for wordings in query.concepts)
    concepts = tuple(dict.fromkeys(filter(None, plain)))
    if all(not authors.isdisjoint(wordings) for wordings in concepts):
        return ()
    exact = quoted(query)
    whole = {wordings for wordings in concepts if len(wordings) > 1 or wordings[0] in exact}
    apart = ([one] if one in whole else [(word,) for word in one[0].split()] for one in concepts)
    found = dict.fromkeys(one for several in apart for one in several)
    found = {one: None for one in found if one[0] not in STOP_WORDS} or found
    return tuple(sorted(found, key=lambda wordings: (wordings[0] not in exact, commonness(wordings[0]))))


def quoted(query: PaperQuery) -> frozenset[str]:
    """Return the wordings that were quoted, as plain words."""
    return frozenset(map(wording, query.exact))


def commonness(text: str) -> int:
    """Return in how many texts the rarest word of a wording is known to occur, in any of its forms."""
    known = known_words()
    return min((max(known.get(form, 0) for form in forms(word)) for word in text.split()), default=0)


def bag_of_words(concepts: Concepts, sentence: str) -> str:
    """Write a sentence and all wordings in a row, the best one of each concept first, for a source without operators.

    Stop words, each word that was written before, and what a shorter query has no room for are left out.
    """
    most = max(map(len, concepts), default=0)
    in_turn = (wordings[turn] for turn in range(most) for wordings in concepts if turn < len(wordings))
    asked = dict.fromkeys(word for word in words(sentence) if word not in STOP_WORDS) if concepts else {}
    return " ".join(asked | dict.fromkeys(word for text in in_turn for word in text.split()))


def fit(
    concepts: Concepts,
    render: Callable[[Concepts], str],
    longest: int,
    title: str,
    *,
    length: Callable[[str], int] = len,
) -> Asked:
    """Write concepts as a query that is at most `longest`, by default in characters.

    While it is too long, the last further wording is dropped, then the last concept.
    """
    dropped: list[str] = []
    while concepts and length(render(concepts)) > longest:
        # the last concept that has a further wording, else the last one
        place = max(range(len(concepts)), key=lambda at: (len(concepts[at]) > 1, at))
        *kept, weakest = concepts[place]
        concepts = (*concepts[:place], *([tuple(kept)] if kept else []), *concepts[place + 1 :])
        dropped.append(weakest)
    note = f"too long for {title}, searched without: {first_named(dropped)}"
    return Asked(render(concepts), notes=(note,) if dropped else ())


OR = " OR "
_NO_NAME = re.compile(r"(?<!\w)[-.']|[^\w\s,.'\u2010\u2019-]")
"""Signs that stand in no name."""


def write_query(  # noqa: PLR0913, PLR0917 - what differs between the sources
    query: PaperQuery,
    constraints: Constraints,
    source: str,
    longest: int,
    write: Callable[[str], str] | None = None,
    filters: Iterable[str] = (),
    all_of: str = " AND ",
    length: Callable[[str], int] = len,
) -> Asked:
    """Write a query of at most `longest` characters with its filters, which may take half of its length.

    `write` writes a lower-case word, or a phrase that was quoted, its words between single spaces; without it the words
    stand in a row. The most important filter comes first. Authors are a question on their own; other filters alone
    would find everything.
    """
    kept, dropped, room = list[str](), list[str](), longest // 2
    for text in filters:
        room -= len(text) + len(all_of)
        (kept if room >= 0 else dropped).append(text)
    notes = [f"too long for {title_of(source)}, searched without: {', '.join(dropped)}"] if dropped else []
    room, exact = longest - sum(len(text) + len(all_of) for text in kept), quoted(query)

    def render(found: Concepts) -> str:
        return ladder(found, exact, write, all_of) if write else bag_of_words(found, query.sentence)

    asked = fit(subject_of(query, constraints), render, room, title_of(source), length=length)
    if not asked.text and not constraints.authors:
        return NOTHING_TO_ASK
    return Asked(all_of.join(filter(None, [asked.text, *kept])), notes=(*notes, *asked.notes))


def with_params(asked: Asked, text: str, params: Mapping[str, str | None]) -> Asked:
    """Send a query as a parameter beside others, of which those without a value are left out."""
    known = {name: value for name, value in {text: asked.text or None, **params}.items() if value is not None}
    shown = (value if name == text else f"{name}:{value}" if value else name for name, value in known.items())
    return Asked(" ".join(shown), known, asked.notes) if asked != NOTHING_TO_ASK else asked


def encoded_length(text: str) -> int:
    """Return how many characters a text takes in an address."""
    return len(quote_plus(text))


def any_of(texts: Sequence[str]) -> list[str]:
    """Write alternatives as one filter, in a list; no filter without any."""
    found = list(dict.fromkeys(filter(None, texts)))
    return [f"({OR.join(found)})" if len(found) > 1 else found[0]] if found else []


def ladder(concepts: Concepts, exact: Collection[str], write: Callable[[str], str], all_of: str) -> str:
    """Write one query from narrow to wide: what was quoted, one of the rarer half, and one of the commoner half.

    A source ranks what has most of it first. `write` writes a word, or a phrase that was quoted.
    """

    def written(text: str) -> str:
        parts = [text] if text in exact else text.split()
        found = list(filter(None, map(write, parts)))
        return f"({all_of.join(found)})" if len(found) > 1 else "".join(found)

    firm = [group for group in concepts if group[0] in exact]
    loose = [any_of(list(map(written, group))) for group in concepts if group[0] not in exact]
    each = [text for group in loose for text in group]
    half = (len(each) + 1) // 2
    parts = (*(part for group in firm for part in any_of(list(map(written, group)))), *any_of(each[:half]))
    return all_of.join([*parts, *any_of(each[half:])])


def in_field(name: str, text: str) -> str:
    """Write that a field has a word, or several as a phrase; empty if the text has none."""
    plain = wording(text)
    return f'{name}:"{plain}"' if " " in plain else f"{name}:{plain}" if plain else ""


def name_and_initial(author: str) -> tuple[str, str]:
    """Split a name into the family name and the first initial: `Guido van Rossum`, `van Rossum, Guido`, `Rossum G`."""
    family, given = map(wording, divide(_NO_NAME.sub(" ", author)))
    return family, given[:1]
