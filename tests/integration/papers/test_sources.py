"""Sources of papers over real sockets: requests, look-ups, and each failure by its name."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from goldpan.errors import CredentialRejected, RateLimited, TimedOut, Unavailable
from goldpan.kinds.papers.models import PaperQuery

from tests.integration.papers.exchanges import Caller
from tests.support.paper_sources import SOURCES, LoopbackPapers, PaperFault

NAMES = ("openalex", "crossref", "semantic_scholar")
CATS = PaperQuery(concepts=(("cats",),))
pytestmark = pytest.mark.enable_socket
Call = Callable[..., Caller]


@pytest.mark.parametrize("name", NAMES)
def test_papers_are_found_with_their_facts(call: Call, name: str) -> None:
    """Every source gives the same paper with the same facts, as far as it has them."""
    found = call(name).search(CATS)
    (listed,) = found.lists
    cats = next(paper for paper in listed if paper.year == 2021)
    assert (cats.source, cats.title, cats.authors) == (name, "Cats & graphs: a survey", ("Ada Cat", "Bo Katze"))
    assert (cats.venue, cats.abstract, cats.citations) == ("Journal of Cats", "All about cats < dogs.", 7)
    assert (cats.ids.doi, cats.type) == ("10.1000/cats.1", "article")
    assert (found.available, found.unread, found.failures) == (2, 0, ())


@pytest.mark.parametrize("name", NAMES)
def test_nothing_found_is_empty(call: Call, name: str) -> None:
    """It is no failure."""
    found = call(name).search(PaperQuery(concepts=(("zebrafish",),)))
    assert (found.lists, found.available, found.failures) == (((),), 0, ())


@pytest.mark.parametrize("name", NAMES)
def test_dois_are_looked_up(call: Call, papers: LoopbackPapers, name: str) -> None:
    """Unknown ones are left out; OpenAlex is asked one by one, which is free, the others once."""
    found = call(name).look_up("10.1000/cats.1", "10.1000/(unknown)#1?", "10.1000/cats.2")
    assert {paper.ids.doi for paper in found.lists[0]} == {"10.1000/cats.1", "10.1000/cats.2"}
    assert (found.failures, found.incomplete) == ((), False)
    assert len(papers.requests) == (3 if name == "openalex" else 1)


@pytest.mark.parametrize("name", NAMES)
def test_dois_of_which_none_is_known_are_no_failure(call: Call, name: str) -> None:
    """OpenAlex answers 404, and Semantic Scholar 400."""
    found = call(name).look_up("10.1000/unknown", "10.1000/unknown.2")
    assert (found.lists, found.failures, found.incomplete) == (((),), (), False)


def test_sources_that_hang_are_cut_at_their_deadlines(call: Call, papers: LoopbackPapers) -> None:
    """The callers get their time back."""
    papers.inject(PaperFault.hang(times=None))

    def search(name: str) -> None:
        with pytest.raises(TimedOut):
            call(name).search(CATS, seconds=1.5)

    started = time.monotonic()
    with ThreadPoolExecutor(len(SOURCES)) as pool:
        list(pool.map(search, SOURCES))
    assert time.monotonic() - started < 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fault", [PaperFault.not_json, PaperFault.wrong_content_type, PaperFault.nested])
def test_a_response_in_another_form_is_a_failure(
    call: Call, papers: LoopbackPapers, name: str, fault: Callable[..., PaperFault]
) -> None:
    """It never looks empty."""
    papers.inject(fault(times=2))
    with pytest.raises(Unavailable):
        call(name).search(CATS)


@pytest.mark.parametrize(
    ("name", "variable"), [("openalex", "OPENALEX_API_KEY"), ("semantic_scholar", "SEMANTIC_SCHOLAR_API_KEY")]
)
def test_a_rejected_key_is_named_and_not_repeated(call: Call, name: str, variable: str) -> None:
    """The server quotes the key."""
    with pytest.raises(CredentialRejected, match=f"^{variable}: .* rejected it") as rejected:
        call(name, key="wrong-key-4711").search(CATS)
    assert "4711" not in str(rejected.value)


def test_without_keys_semantic_scholar_answers_and_openalex_names_its_key(call: Call) -> None:
    """The scout skips a source that lacks its key."""
    assert call("semantic_scholar", key=None).search(CATS).lists[0]
    assert call("openalex", key=None).source.plan.missing_key == "OPENALEX_API_KEY"


def test_keys_and_addresses_are_sent_where_they_belong(call: Call, papers: LoopbackPapers) -> None:
    """OpenAlex's key is a parameter, Semantic Scholar's a header; Crossref gets an email address."""
    for name in NAMES:
        call(name, CROSSREF_MAILTO="me@example.org").search(CATS)
    openalex, crossref, semantic_scholar = papers.requests
    assert (openalex.params["api_key"], semantic_scholar.headers["x-api-key"]) == ("good-paper-key", "good-paper-key")
    assert crossref.params["mailto"] == "me@example.org"
    assert crossref.headers["user-agent"] == "goldpan (mailto:me@example.org)"
    assert "good-paper-key" not in crossref.text


def test_openalex_is_not_searched_when_other_programs_spent_its_day(call: Call, papers: LoopbackPapers) -> None:
    """Its responses say what remains; works by their DOI stay free."""
    caller = call("openalex")
    papers.credits = 15
    assert caller.search(CATS).lists[0]
    with pytest.raises(RateLimited, match="the rate limit of openalex is reached"):
        caller.search(CATS)
    assert len(papers.requests) == 1
    assert caller.look_up("10.1000/cats.1").lists[0]
