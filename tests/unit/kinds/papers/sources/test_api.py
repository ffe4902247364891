"""What every source does: a second, wider search, look-ups, also of an id that is asked for, and its notes."""

from collections.abc import Callable, Sequence
from typing import Any

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import Unavailable
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.ports import SearchResult
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.queries import Asked
from goldpan.kinds.papers.sources.records import Record, make_paper
from goldpan.kinds.papers.sources.settings import PaperSettings

from tests.support.factories import StillClock
from tests.support.memory_stores import MemoryRateLimiter

NARROW = PaperQuery(concepts=(("graph cut", "cuts"), ("cats",)))
WIDE = "graph cut|cuts|cats"


class AnsweredApi(ApiSource):
    """A source whose responses are those of a function; its queries join concepts with + and wordings with |."""

    name = "crossref"

    def __init__(self, answer: Callable[[str], object]) -> None:
        clock = StillClock()
        super().__init__(PaperSettings(), Connections(HttpClient, MemoryRateLimiter(clock), None, clock))
        self._answer, self.deadline = answer, Deadline.after(5, clock)
        self.asked: list[tuple[str, int]] = []

    @staticmethod
    def write(query: PaperQuery, constraints: Constraints) -> Asked:
        """Write a query; a note says what it is."""
        text = "+".join("|".join(wordings) for wordings in query.concepts)
        return Asked("+".join(filter(None, (text, *constraints.authors))), notes=(f"asked for {text}",))

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Join the DOIs."""
        return Asked(" ".join(dois))

    def fetch(self, asked: Asked, rows: int, _deadline: Deadline) -> tuple[object, object]:
        """Answer a query with titles, of 9 in all, or fail."""
        self.asked.append((asked.text, rows))
        titles: Any = self._answer(asked.text)
        if isinstance(titles, Exception):
            raise titles
        return [{"title": title} for title in titles], 9 if titles else None

    @staticmethod
    def read(record: Record) -> Paper | None:
        """Read a title."""
        return make_paper("crossref", record["title"])

    def find(self, query: PaperQuery = NARROW, *authors: str) -> SearchResult:
        """Search with these constraints."""
        return self.search([query], Constraints(authors=authors), self.deadline)


def titles(found: SearchResult) -> list[list[str]]:
    """Return the titles of each list."""
    return [[each.title for each in papers] for papers in found.lists]


def test_a_search_that_finds_nothing_is_made_once_more_for_any_of_its_words() -> None:
    """Constraints and first notes stay; of a quoted phrase that alone is asked for; one that fails too is a note."""
    source = AnsweredApi(lambda text: ["Cats"] if WIDE in text else [])
    found = source.find(NARROW, "ada")
    assert (titles(found), found.available) == ([["Cats"]], 9)
    assert source.asked == [("graph cut|cuts+cats+ada", 40), (f"{WIDE}+ada", 40)]
    assert found.queries == ("graph cut|cuts+cats+ada", f"{WIDE}+ada")
    assert found.notes == ("asked for graph cut|cuts+cats", source.widened)
    source = AnsweredApi(lambda _: [])
    assert titles(source.find(NARROW.model_copy(update={"exact": ("graph cut",)}))) == [[]]
    assert [text for text, _ in source.asked] == ["graph cut|cuts+cats", "graph cut"]
    found = AnsweredApi(lambda text: Unavailable("down") if text == WIDE else []).find()
    assert (titles(found), found.failures) == ([[]], ("a second, wider query failed: down",))


def test_what_finds_something_or_cannot_be_wider_is_asked_for_once() -> None:
    """A query without a word is not sent."""
    for query, expected, sent in ((NARROW, [["Cats"]], 1), (PaperQuery(concepts=(("cats",),)), [[]], 1)):
        source = AnsweredApi(lambda text: ["Cats"] if "+" in text else [])
        assert (titles(source.find(query)), len(source.asked)) == (expected, sent)
    source = AnsweredApi(lambda _: [])
    found = source.find(PaperQuery(concepts=()))
    assert (titles(found), source.asked, found.notes) == ([[]], [], ("asked for ",))


def test_papers_are_looked_up_in_one_request() -> None:
    """Each once; without any, nothing is asked."""
    source = AnsweredApi(str.split)
    nothing, found = (source.look_up(dois, source.deadline) for dois in ([], [*"abcab"]))
    assert (titles(nothing), titles(found), found.available) == ([[]], [[*"abc"]], 3)
    assert source.asked == [("a b c", 50)]
