"""Sources of papers over real sockets: requests, look-ups, and each failure by its name."""

from collections.abc import Callable

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import RateLimited, Refused, Unavailable
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import CheckedSource

from tests.integration.papers.conftest import Caller, calling
from tests.support.loopback.fault import LoopbackFault
from tests.support.loopback.wire import Response
from tests.support.paper_sources import SOURCES, LoopbackPapers

NAMES = ("openalex", "crossref", "semantic_scholar")
CATS = PaperQuery(concepts=(("cats",),))
Call = Callable[..., Caller]


@pytest.mark.parametrize("name", [*NAMES, "europe_pmc"])
def test_dois_are_looked_up(call: Call, papers: LoopbackPapers, name: str) -> None:
    """Unknown ones are left out, of which Semantic Scholar answers 400; every source is asked once."""
    found = call(name).look_up("10.1000/cats.1", "10.1000/(unknown)#1?", "10.1000/a,b|c", "10.1000/cats.2")
    assert {paper.ids.doi for paper in found.lists[0]} == {"10.1000/cats.1", "10.1000/cats.2"}
    assert found.failures == ()
    assert len(papers.requests) == 1
    params = papers.requests[0].params
    either = ' OR DOI:"10.1000/a,b|c" OR '
    assert either in params.get("query", "") or "a,b" not in str(params), "it would be two values of a filter"
    for unknown in (("10.1000/unknown", "10.1000/unknown.2"), ("10.1000/a,b|c",)):
        found = call(name).look_up(*unknown)
        assert (found.lists, found.failures) == (((),), ())
    assert all("10.1000/" in str((request.params, request.body)) for request in papers.requests), "not for all works"


def test_semantic_scholar_is_asked_for_papers_of_arxiv_by_their_ids(call: Call) -> None:
    """Its record has that id, and seldom the DOI that arXiv gave it too."""
    (found,) = call("semantic_scholar").look_up("10.48550/arxiv.2101.00001").lists
    assert [paper.ids.arxiv for paper in found] == ["2101.00001"]


@pytest.mark.parametrize(
    ("name", "said", "gone"),
    [
        ("crossref", "Select updated-by specified but there is no such select. Valid: DOI, title", "updated-by"),
        ("crossref", "Filter from-pub-date specified but there is no such filter for this route", "from-pub-date"),
        ("openalex", "is_retracted is not a valid select field. Valid fields: id, doi", "is_retracted"),
        ("semantic_scholar", "Unrecognized or unsupported fields: [openAccessPdf]", "openAccessPdf"),
        ("europe_pmc", "Unknown parameter 'resultType'", "resultType"),
        ("arxiv", "unknown parameter: sortBy", "sortBy"),
        ("serpapi", "Unsupported `num` parameter.", "num"),
    ],
)
def test_a_parameter_that_is_refused_by_name_is_left_out(
    call: Call, papers: LoopbackPapers, name: str, said: str, gone: str
) -> None:
    """The request is repeated once without it, the next ones go without it, and the row says so."""
    papers.inject(LoopbackFault.status(400, body={"message": said}, times=1))
    caller = call(name)
    for _ in range(2):
        found = caller.search(CATS, year_from=2000)
        assert found.lists[0]
        assert [gone in note for note in found.notes].count(True) == 1
    assert [gone in str(request.params) for request in papers.requests] == [True, False, False]
    assert all(all(request.params.values()) for request in papers.requests), "an emptied list is no filter"


def test_what_is_refused_without_a_name_is_refused_once(call: Call, papers: LoopbackPapers) -> None:
    """And where the repeated request is refused too, nothing is learned."""
    for said, requests in (("bad request", 1), ("select is not known", 2)):
        papers.requests.clear()
        papers.inject(LoopbackFault.status(400, body={"message": said}, times=2))
        with pytest.raises(Refused, match=said):
            call("crossref").search(CATS)
        assert len(papers.requests) == requests
        papers.clear_faults()
    papers.inject(LoopbackFault.status(400, body={"error": "Bad ids"}, times=2))
    with pytest.raises(Refused, match="Bad ids"):
        call("semantic_scholar").look_up("10.1000/cats.1")


def test_an_answer_of_semantic_scholar_without_data_is_empty_only_by_its_total() -> None:
    """It leaves the list out where it found nothing."""
    with calling("semantic_scholar", Response.of_json(200, {"total": 0, "offset": 0})) as (caller, _):
        assert caller.search(CATS).lists == ((),)
    for body in ({"offset": 0}, {"total": 7}):
        failing = calling("semantic_scholar", Response.of_json(200, body))
        with failing as (caller, _), pytest.raises(Unavailable, match="no list of papers"):
            caller.search(CATS)


@pytest.mark.parametrize(("name", "seconds"), [("openalex", 2), ("crossref", 2), ("semantic_scholar", 2)])
def test_three_searches_wait_for_the_limit_of_a_source(call: Call, name: str, seconds: int) -> None:
    """OpenAlex's is that of its searches by meaning, and Crossref's that of callers without an address."""
    started = (caller := call(name)).clock.now()
    for _ in range(3):
        caller.search(CATS.model_copy(update={"sentence": "do cats sleep"}))
    assert (caller.clock.now() - started).total_seconds() >= seconds


@pytest.mark.parametrize("name", SOURCES)
def test_what_a_request_asks_for_is_never_left_out(call: Call, papers: LoopbackPapers, name: str) -> None:
    """Without its words, or without its key, it would be another request."""
    query, caller = CATS.model_copy(update={"sentence": "do cats sleep"}), call(name)
    caller.search(query)
    asked = len(papers.requests)
    needed = {param for request in papers.requests for param, text in request.params.items() if "cats" in text}
    papers.inject(LoopbackFault.status(400, body={"message": f"Unknown: {' '.join({*needed, 'api_key'})}"}, times=None))
    with pytest.raises(Refused):
        caller.search(query)
    assert len(papers.requests) == 2 * asked


def test_openalex_is_searched_by_meaning_too_for_a_sentence(call: Call, papers: LoopbackPapers) -> None:
    """As long as it reads, half of the results each, and not where authors limit it, by which it cannot."""
    caller, query = call("openalex"), CATS.model_copy(update={"sentence": "do cats sleep? " * 200})
    caller.search(query)
    meaning, words = sorted((request.params for request in papers.requests), key=lambda params: "search" in params)
    assert (len(meaning["search.semantic"]), words["search"], "filter" in meaning) == (2000, "cats", False)
    assert {params["per_page"] for params in (meaning, words)} == {"20"}
    caller.search(query, authors=("Ada Cat",))
    assert [request.params["search"] for request in papers.requests[2:]] == ["cats"]
    assert isinstance(caller.source, CheckedSource)
    assert caller.source.check(Deadline.after(6, caller.clock)) == "9,960 credits of the day left"


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
    """Its responses say what remains, of which a list of works by their DOIs takes little."""
    caller = call("openalex")
    papers.credits = 15
    assert caller.search(CATS).lists[0]
    with pytest.raises(RateLimited, match="the rate limit of openalex is reached"):
        caller.search(CATS)
    assert len(papers.requests) == 1
    assert caller.look_up("10.1000/cats.1").lists[0]
    paid = {"x-ratelimit-limit": "100000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "3600"}
    with calling("openalex", Response.of_json(200, {"meta": {"count": 0}, "results": []}, paid)) as (caller, server):
        for _ in range(2):
            caller.search(CATS)
    assert len(server.requests) == 2, "a paid plan has more than a day's dollar"
