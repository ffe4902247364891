"""Google Scholar over SerpAPI and real sockets: its results, failures, and a key that appears nowhere."""

from typing import Any

import pytest
from goldpan.errors import CredentialRejected, Unavailable
from goldpan.kinds.papers.models import PaperQuery

from tests.integration.papers.exchanges import KEY, calling
from tests.support.loopback.wire import Response

RESULT = {"title": "A title", "result_id": "x1", "publication_info": {"summary": "A Lovelace - Nature, 2020 - x.org"}}
NOTHING = Response.of_json(
    200, {"search_metadata": {"status": "Success"}, "error": "Google hasn't returned any results for this query."}
)
REJECTED = {"error": f"Invalid API key {KEY}. Your API key should be here: https://serpapi.com/manage-api-key"}


def answer(*results: object) -> Response:
    """Write a response with results."""
    return Response.of_json(200, {"search_information": {"total_results": 1140000}, "organic_results": list(results)})


def test_one_search_is_paid_for() -> None:
    """The key goes with it."""
    with calling("serpapi", answer(RESULT, None, RESULT)) as (caller, server):
        found = caller.search(year_from=2020, types=("review",))
    (request,) = server.requests
    assert request.path == "/search.json"
    assert request.params == {
        "engine": "google_scholar", "q": "testing", "hl": "en", "num": "20", "as_ylo": "2020", "as_rr": "1",
        "api_key": KEY,
    }  # fmt: skip
    assert ([len(papers) for papers in found.lists], found.unread, found.available) == ([2], 1, 1140000)
    assert found.queries == ("testing",)


def test_no_result_is_no_failure() -> None:
    """SerpAPI calls it an error, with status 200; a query that cannot ask for less is not sent again."""
    with calling("serpapi", NOTHING) as (caller, server):
        assert caller.search().lists == ((),)
    assert len(server.requests) == 1


def test_a_query_that_finds_nothing_is_widened_once() -> None:
    """To any of its words, with the years and the authors; the row says that two searches were paid for."""
    query = PaperQuery(concepts=(("software testing", "test"), ("fuzzing",), ("kernel",)))
    limits: dict[str, Any] = {"year_from": 2020, "authors": ("Ada Lovelace",)}
    with calling("serpapi", NOTHING, answer(RESULT)) as (caller, server):
        found = caller.search(query, **limits)
    narrow, relaxed = (request.params for request in server.requests)
    assert narrow["q"] == '(fuzzing OR kernel) ((software testing) OR test) author:"a lovelace"'
    either = '((software testing) OR test OR fuzzing OR kernel) author:"a lovelace"'
    assert (relaxed["q"], relaxed["as_ylo"]) == (either, "2020")
    assert (len(found.lists[0]), found.queries) == (1, (narrow["q"], relaxed["q"]))
    assert found.notes[-1].startswith("the first search found nothing")


@pytest.mark.parametrize(
    ("response", "expected", "message"),
    [
        (Response.of_json(401, REJECTED), CredentialRejected, r"SERPAPI_API_KEY: .*Invalid API key \[key\]"),
        (Response.of_json(200, {"error": f"Failed for {KEY}"}), Unavailable, r"failed: Failed for \[key\]"),
        (Response.of_json(200, {"search_information": {}}), Unavailable, "no list of papers"),
    ],
)
def test_a_failure_is_named_without_the_key(response: Response, expected: type[Exception], message: str) -> None:
    """A source that is down, limited or broken never looks empty."""
    with calling("serpapi", response) as (caller, _), pytest.raises(expected, match=message) as failure:
        caller.search()
    assert KEY not in str(failure.value)
