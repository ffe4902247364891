"""Writes queries for the sources of papers, and runs the queries of a search.

The words of a question are never read as operators, filters or quotes (`wording`); a query that is longer than its
source allows loses its weakest words, and the result says which.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote_plus

from goldpan.counts import first_named
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, TimedOut
from goldpan.infra.threads import run_parallel
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import SearchResult
from goldpan.kinds.papers.sources.settings import TITLES
from goldpan.known_words import forms, known_words
from goldpan.text import STOP_WORDS, words

PAGE, SHARED_PAGE = 40, 20
"""Records that one query asks for, alone and together with others: some 40 of a source are kept, the best of each query
first, and those that are read beyond cost every search time."""
AT_ONCE = 4
"""Queries of a search that are sent at the same time."""
Concepts = tuple[tuple[str, ...], ...]
"""The wordings of each concept, the best first; the most important concept first."""


@dataclass(frozen=True)
class Asked:
    """One query as it is sent: its text, its parameters, and what was left out of it."""

    text: str
    params: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    path: str | None = None
    """Of the request, where a source has several."""
    body: object = None


LATE = "no answer before the deadline"
NOTHING_TO_ASK = Asked("", notes=("a query without a word was not sent",))
NOTHING_FOUND = SearchResult(((),), 0)


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


def bag_of_words(concepts: Concepts, sentence: str = "") -> str:
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

    While it is too long, the last further wording is dropped, then the last concept, then the last word.
    """
    dropped: list[str] = []
    while concepts and length(render(concepts)) > longest:
        concepts, weakest = _without_weakest(concepts)
        dropped.append(weakest)
    note = f"too long for {title}, searched without: {first_named(dropped)}"
    return Asked(render(concepts), notes=(note,) if dropped else ())


def _without_weakest(concepts: Concepts) -> tuple[Concepts, str]:
    for place in reversed(range(len(concepts))):
        if len(concepts[place]) > 1:
            return (*concepts[:place], concepts[place][:-1], *concepts[place + 1 :]), concepts[place][-1]
    (last,) = concepts[-1]
    if len(concepts) > 1 or " " not in last:
        return concepts[:-1], last
    kept, _, word = last.rpartition(" ")
    return ((kept,),), word


def write_text(
    query: PaperQuery, constraints: Constraints, source: str, longest: int, render: Callable[[Concepts], str]
) -> Asked:
    """Write the text of a query that is a parameter of an address of limited length."""
    return fit(
        subject_of(query, constraints), render, longest, TITLES[source], length=lambda text: len(quote_plus(text))
    )


def run_queries(asked: Sequence[Asked], fetch: Callable[[Asked], SearchResult], deadline: Deadline) -> SearchResult:
    """Run the queries of a search, and join their first pages.

    `available` is that of the query that has most. Raises the first `CallFailed` of the source, not of our own
    limit, if no query found a paper, and `CredentialRejected`.
    """

    def attempt(query: Asked) -> SearchResult | CallFailed:
        try:
            return fetch(query) if query.text else NOTHING_FOUND
        except CallFailed as failure:
            return failure

    outcomes = [outcome or TimedOut(LATE) for outcome in run_parallel(asked, attempt, AT_ONCE, deadline)]
    pages = [outcome if isinstance(outcome, SearchResult) else NOTHING_FOUND for outcome in outcomes]
    failures = [outcome for outcome in outcomes if isinstance(outcome, CallFailed)]
    if failures and not any(page.lists[0] for page in pages):
        raise next((failure for failure in failures if failure.sent), failures[0])
    return SearchResult(
        lists=tuple(page.lists[0] for page in pages),
        available=max((page.available for page in pages), default=0),
        queries=tuple(query.text for query in asked),
        notes=tuple(dict.fromkeys(note for query in asked for note in query.notes)),
        failures=tuple(f"a query failed: {failure}" for failure in failures),
        unread=sum(page.unread for page in pages),
    )
