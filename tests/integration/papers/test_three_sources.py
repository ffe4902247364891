"""arXiv, Europe PMC and Google Scholar over real sockets: searches, look-ups, limits, and their real faults."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from goldpan.errors import CredentialRejected, Refused, Unavailable

from tests.integration.papers.conftest import KEY, calling
from tests.support.factories import NOW
from tests.support.loopback.wire import Response
from tests.support.paper_shapes import Facts, arxiv_feed, europe_pmc_result

INTERVALS = {"title": "Half-open intervals", "arxiv": "2104.12255"}
RESULT = {"title": "A title", "result_id": "x1", "publication_info": {"summary": "A Lovelace - Nature, 2020 - x.org"}}
NOTHING = {"search_metadata": {"status": "Success"}, "error": "Google hasn't returned any results for this query."}
REJECTED = {"error": f"Invalid API key {KEY}. Your API key should be here: https://serpapi.com/manage-api-key"}


def feed(total: int, *papers: Facts) -> Response:
    """Write a feed."""
    return Response(200, arxiv_feed(papers, total), {"content-type": "application/atom+xml"})


def records(hits: int, *listed: Mapping[str, Any] | None) -> dict[str, Any]:
    """Write a response of Europe PMC."""
    return {"version": "6.9", "hitCount": hits, "resultList": {"result": listed}}


def results(*listed: object) -> dict[str, Any]:
    """Write a response of SerpAPI."""
    return {"search_information": {"total_results": 1140000}, "organic_results": listed}


ONE, TWO = (europe_pmc_result({"title": "Paper", "pmid": number}) for number in "12")
ANYWHERE = "(TITLE:testing OR ABSTRACT:testing OR KW:testing) NOT SRC:PAT"
BY_RELEVANCE = {"start": "0", "sortBy": "relevance", "sortOrder": "descending"}


@pytest.mark.parametrize(
    ("name", "response", "path", "params", "found"),
    [
        ("arxiv", feed(214881, INTERVALS), "/query",
         {"search_query": "all:testing", "max_results": "40", **BY_RELEVANCE}, (1, 0, 214881)),
        ("europe_pmc", Response.of_json(200, records(9000, ONE, None, TWO)), "/search",
         {"query": ANYWHERE, "format": "json", "resultType": "core", "pageSize": "40"}, (2, 1, 9000)),
        ("serpapi", Response.of_json(200, results(RESULT, None, RESULT)), "/search.json",
         {"q": "testing", "engine": "google_scholar", "hl": "en", "num": "20", "api_key": KEY}, (2, 1, 1140000)),
    ],
)  # fmt: skip
def test_a_search_is_one_request_for_a_page(
    name: str, response: Response, path: str, params: dict[str, str], found: tuple[int, ...]
) -> None:
    """As large as the source allows, 40 papers at most; a null among them is counted."""
    with calling(name, response) as (caller, server):
        result = caller.search()
    (request,) = server.requests
    assert (request.path, request.params) == (path, params)
    assert result.queries == (next(iter(params.values())),)
    assert (len(result.lists[0]), result.unread, result.available) == found


def test_an_empty_page_of_many_results_is_asked_for_again() -> None:
    """Once, after the 3 s that arXiv wants between requests."""
    with calling("arxiv", feed(7), feed(7, INTERVALS)) as (caller, server):
        assert len(caller.search().lists[0]) == 1
        assert len(server.requests) == 2
        assert caller.clock.now() - NOW >= timedelta(seconds=3)


def test_a_paper_of_arxiv_is_looked_up_by_its_id() -> None:
    """By the DOI that arXiv gave it; a DOI of another is not asked for, and an id that it only counts is unknown."""
    with calling("arxiv", feed(1, INTERVALS)) as (caller, server):
        assert caller.look_up("10.1000/1").lists == ((),)
        found = caller.look_up("10.48550/arxiv.2104.12255", "10.1/x")
    assert [request.params for request in server.requests] == [{"id_list": "2104.12255", "max_results": "1"}]
    assert [paper.ids.arxiv for paper in found.lists[0]] == ["2104.12255"]
    with calling("arxiv", feed(1)) as (caller, server):
        assert caller.look_up("10.48550/arxiv.2104.99999").lists == ((),)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("name", "response"), [("europe_pmc", records(0)), ("europe_pmc", {"hitCount": 0}), ("serpapi", NOTHING)]
)
def test_no_result_is_no_failure(name: str, response: object) -> None:
    """SerpAPI calls it an error, with status 200; a query that cannot ask for less is not sent again."""
    with calling(name, Response.of_json(200, response)) as (caller, server):
        assert caller.search().lists == ((),)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("name", "status", "body", "expected", "message"),
    [
        ("europe_pmc", 200, {"errCode": 400, "errMsg": "Invalid query"}, Refused, r"\(Invalid query\)"),
        ("europe_pmc", 200, [1], Unavailable, "not an object"),
        ("europe_pmc", 200, {"resultList": {"result": []}}, Unavailable, "does not say how many"),
        ("europe_pmc", 200, records(2, None, {"title": None}), Unavailable, "2 records, of which none can be read"),
        ("europe_pmc", 200, {"hitCount": 1, "resultList": {"result": {"a": 1}}}, Unavailable, "no list of papers"),
        ("serpapi", 500, {"error": "broken"}, Unavailable, "answered 500"),
        ("serpapi", 401, REJECTED, CredentialRejected, r"SERPAPI_API_KEY: .*Invalid API key \[key\]"),
        ("serpapi", 200, {"error": f"Failed for {KEY}"}, Unavailable, r"failed: Failed for \[key\]"),
        ("serpapi", 200, {"search_information": {}}, Unavailable, "no list of papers"),
    ],
)
def test_a_failure_is_named_without_the_key(
    name: str, status: int, body: object, expected: type[Exception], message: str
) -> None:
    """A source that is down, limited or broken never looks empty; a call that is paid for is not repeated."""
    answer = Response.of_json(status, body)
    with calling(name, answer) as (caller, server), pytest.raises(expected, match=message) as failure:
        caller.search()
    assert KEY not in str(failure.value)
    assert name != "serpapi" or len(server.requests) == 1
