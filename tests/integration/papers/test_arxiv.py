"""arXiv and Europe PMC over real sockets: searches, look-ups, their limits, and the faults that they really have."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from goldpan.errors import CallFailed, RateLimited, Refused, Unavailable

from tests.integration.papers.exchanges import calling
from tests.support.factories import NOW
from tests.support.loopback.wire import Response
from tests.support.paper_shapes import Facts, arxiv_feed, europe_pmc_result

INTERVALS = {"title": "Half-open intervals", "arxiv": "2104.12255"}


def feed(total: int, *papers: Facts) -> Response:
    """Write a feed."""
    return Response(200, arxiv_feed(papers, total), {"content-type": "application/atom+xml"})


def test_a_search_is_one_request_for_the_best_forty() -> None:
    """By relevance."""
    with calling("arxiv", feed(214881, INTERVALS)) as (caller, server):
        found = caller.search()
    (request,) = server.requests
    assert request.path == "/api/query"
    assert request.params == {
        "search_query": "all:testing",
        "start": "0",
        "max_results": "40",
        "sortBy": "relevance",
        "sortOrder": "descending",
    }
    assert [[paper.ids.arxiv for paper in papers] for papers in found.lists] == [["2104.12255"]]
    assert (found.available, found.queries) == (214881, (request.params["search_query"],))


def test_an_empty_page_of_many_results_is_asked_for_again() -> None:
    """Once, after the 3 s that arXiv wants between requests; then it is a failure, not an empty answer."""
    with calling("arxiv", feed(7), feed(7, INTERVALS)) as (caller, server):
        assert len(caller.search().lists[0]) == 1
        assert len(server.requests) == 2
        assert caller.clock.now() - NOW >= timedelta(seconds=3)
    with calling("arxiv", feed(7)) as (caller, _), pytest.raises(Unavailable, match="none of its 7 results"):
        caller.search(seconds=9)


def test_one_request_in_three_seconds() -> None:
    """A search that cannot wait for its turn says when that is."""
    with calling("arxiv", feed(0)) as (caller, server):
        caller.search()
        with pytest.raises(RateLimited) as limited:
            caller.search(seconds=2)
        assert len(server.requests) == 1
    assert timedelta(seconds=3) <= limited.value.retry_at - NOW < timedelta(seconds=4)


@pytest.mark.parametrize("name", ["arxiv", "serpapi"])
def test_no_paper_is_looked_up_by_its_doi(name: str) -> None:
    """Neither source finds one by it, and neither is asked."""
    with calling(name, feed(0)) as (caller, server):
        assert (caller.look_up("10.1000/1").lists, server.requests) == (((),), [])


def test_a_paper_of_arxiv_is_looked_up_by_its_id() -> None:
    """By the DOI that arXiv gave it; a DOI of another is not asked for."""
    with calling("arxiv", feed(1, INTERVALS)) as (caller, server):
        found = caller.look_up("10.48550/arxiv.2104.12255", "10.1/x")
    assert [request.params for request in server.requests] == [{"id_list": "2104.12255", "max_results": "1"}]
    assert [paper.ids.arxiv for paper in found.lists[0]] == ["2104.12255"]


def record(number: int, pmid: int = 0) -> dict[str, Any]:
    """Make a record in the form of `core`."""
    return europe_pmc_result({"title": "Paper", "pmid": str(pmid or number), "doi": f"10.1000/{number}"})


def answer(*records: Mapping[str, Any] | None, hits: object = None) -> Response:
    """Write a response with records."""
    count = len(records) if hits is None else hits
    return Response.of_json(200, {"version": "6.9", "hitCount": count, "resultList": {"result": list(records)}})


def test_a_search_asks_for_whole_records() -> None:
    """A null among them is counted."""
    with calling("europe_pmc", answer(record(1), None, record(2), hits=9000)) as (caller, server):
        found = caller.search()
    (request,) = server.requests
    assert (request.params["query"],) == found.queries
    assert (request.path, request.params["resultType"], request.params["pageSize"]) == (
        "/europepmc/webservices/rest/search",
        "core",
        "40",
    )
    assert [[paper.ids.pmid for paper in papers] for papers in found.lists] == [["1", "2"]]
    assert (found.available, found.unread) == (9000, 1)


def test_dois_are_looked_up_together() -> None:
    """Twenty in a request; what was not asked for is left out, such as the paper that corrects one."""
    dois = [f"10.1000/{number}" for number in range(21)]
    with calling("europe_pmc", answer(record(1), record(30), record(20, 1020))) as (caller, server):
        found = caller.look_up(*dois)
        assert caller.look_up().lists == ((),)
    queries = sorted((request.params["query"] for request in server.requests), key=len)
    assert queries[0] == 'DOI:"10.1000/20"'
    assert queries[1].count(" OR ") == 19
    assert {paper.ids.doi for paper in found.lists[0]} == {"10.1000/1", "10.1000/20"}


def test_no_result_is_no_failure() -> None:
    """An empty list, or none, with a number of 0."""
    for empty in (answer(), Response.of_json(200, {"hitCount": 0})):
        with calling("europe_pmc", empty) as (caller, _):
            assert caller.search().lists == ((),)


@pytest.mark.parametrize(
    ("response", "expected", "message"),
    [
        (Response.of_json(200, {"errCode": 400, "errMsg": "Invalid query"}), Refused, r"\(Invalid query\)"),
        (Response(200, b"[1]"), Unavailable, "not an object"),
        (Response(200, json.dumps({"resultList": {"result": []}}).encode()), Unavailable, "does not say how many"),
        (answer(None, {"title": None}), Unavailable, "2 records, of which none can be read"),
        (Response.of_json(200, {"hitCount": 1, "resultList": {"result": {"a": 1}}}), Unavailable, "no list of papers"),
    ],
)
def test_a_failure_is_named(response: Response, expected: type[CallFailed], message: str) -> None:
    """A source that is down, limited or broken never looks empty."""
    with calling("europe_pmc", response) as (caller, _), pytest.raises(expected, match=message):
        caller.search()
