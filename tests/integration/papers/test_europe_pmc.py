"""Europe PMC over real sockets: searches, look-ups by DOI, and its failures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from goldpan.errors import CallFailed, Refused, Unavailable
from goldpan.kinds.papers.models import PaperQuery

from tests.integration.papers.exchanges import TESTING, calling
from tests.support.loopback.wire import Response

pytestmark = pytest.mark.enable_socket


def record(number: int, **fields: Any) -> dict[str, Any]:
    """Make a record in the form of `core`."""
    return {
        "id": str(number),
        "source": "MED",
        "pmid": str(number),
        "doi": f"10.1000/{number}",
        "title": f"Paper {number}.",
        "authorList": {"author": [{"fullName": "Lovelace A"}]},
        "pubYear": "2020",
        **fields,
    }


def answer(*records: Mapping[str, Any] | None, hits: object = None) -> Response:
    """Write a response with records."""
    count = len(records) if hits is None else hits
    return Response.of_json(200, {"version": "6.9", "hitCount": count, "resultList": {"result": list(records)}})


def test_each_query_has_its_own_list() -> None:
    """A null among the records is counted."""
    with calling("europe_pmc", answer(record(1), None, record(2), hits=9000)) as (caller, server):
        found = caller.search(TESTING, PaperQuery(concepts=(("fuzzing",),)))
    assert {request.params["query"] for request in server.requests} == set(found.queries)
    assert {
        (request.path, request.params["resultType"], request.params["pageSize"]) for request in server.requests
    } == {("/search", "core", "20")}
    assert [[paper.ids.pmid for paper in papers] for papers in found.lists] == [["1", "2"], ["1", "2"]]
    assert (found.available, found.unread) == (9000, 2)


def test_dois_are_looked_up_together() -> None:
    """Twenty in a request; what was not asked for is left out, such as the paper that corrects one."""
    dois = [f"https://doi.org/10.1000/{number}" for number in range(21)]
    with calling("europe_pmc", answer(record(1), record(30), record(20, pmid="1020"))) as (caller, server):
        found = caller.look_up(*dois, "no DOI")
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
