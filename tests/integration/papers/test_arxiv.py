"""arXiv over real sockets: its feeds, its limit, and the faults that it really has."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.errors import RateLimited, Unavailable
from goldpan.kinds.papers.models import PaperQuery

from tests.integration.papers.exchanges import TESTING, calling
from tests.support.factories import NOW
from tests.support.loopback.wire import Response

pytestmark = pytest.mark.enable_socket
FEED = (
    '<feed xmlns:o="http://a9.com/-/spec/opensearch/1.1/" xmlns="http://www.w3.org/2005/Atom">'
    "<o:totalResults>{}</o:totalResults>{}</feed>"
)
ENTRY = (
    "<entry><id>http://arxiv.org/abs/{}</id><title>Half-open intervals</title><summary>{}</summary>"
    "<published>2021-04-20T16:07:14Z</published><author><name>Ada Lovelace</name></author></entry>"
)


def feed(total: int, *entries: str) -> Response:
    """Write a feed."""
    return Response(200, FEED.format(total, "".join(entries)).encode(), {"content-type": "application/atom+xml"})


def test_a_search_is_one_request_for_the_best_forty() -> None:
    """Also if there are several queries; all papers are in the list of the first."""
    with calling("arxiv", feed(214881, ENTRY.format("2104.12255v1", "Short."))) as (caller, server):
        found = caller.search(TESTING, PaperQuery(concepts=(("fuzzing",),)))
    (request,) = server.requests
    assert request.path == "/query"
    assert request.params == {
        "search_query": '((all:"testing") OR (all:"fuzzing"))',
        "start": "0",
        "max_results": "40",
        "sortBy": "relevance",
        "sortOrder": "descending",
    }
    assert [[paper.ids.arxiv for paper in papers] for papers in found.lists] == [["2104.12255"], []]
    assert (found.available, found.queries) == (214881, (request.params["search_query"],))


def test_an_empty_page_of_many_results_is_asked_for_again() -> None:
    """Once, after the 3 s that arXiv wants between requests; then it is a failure, not an empty answer."""
    with calling("arxiv", feed(7), feed(7, ENTRY.format("2104.12255v1", ""))) as (caller, server):
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
    with calling("arxiv", feed(1, ENTRY.format("2104.12255v1", ""))) as (caller, server):
        found = caller.look_up("10.48550/arxiv.2104.12255", "10.1/x")
    assert [request.params for request in server.requests] == [{"id_list": "2104.12255", "max_results": "1"}]
    assert [paper.ids.arxiv for paper in found.lists[0]] == ["2104.12255"]
