"""Recorded responses of arXiv and of Google Scholar over SerpAPI, over real sockets."""

import pytest
from goldpan.errors import Refused

from tests.integration.papers.conftest import calling
from tests.recorded import recorded_response


def test_feeds_of_arxiv() -> None:
    """Papers of arXiv with their published versions, no results, an old id, and an error."""
    with calling("arxiv", recorded_response("arxiv/q_testing_s0_m15_80c242b59d59")) as (caller, _):
        found = caller.search()
    (papers,) = found.lists
    assert (len(papers), found.available, found.unread) == (15, 214881, 0)
    assert papers[0].title.startswith("Testing Deep Learning Models: A First Comparative Study")
    assert (papers[0].ids.arxiv, papers[0].ids.doi) == ("2202.12139", "10.1109/icstw55395.2022.00035")
    assert all(paper.authors and paper.abstract and paper.year for paper in papers)
    with calling("arxiv", recorded_response("arxiv/id_0000.0000_s0_m100_8b51d9633a68")) as (caller, server):
        assert caller.search().lists == ((),)
        assert len(server.requests) == 1
    with calling("arxiv", recorded_response("arxiv/id_astro-ph_0601001_s0_m100_3150dca9dc76")) as (caller, _):
        assert caller.search().lists[0][0].ids.arxiv == "astro-ph/0601001"
    error = recorded_response("arxiv/id_abc_s0_m100_b79c8dcf6bc3")
    with calling("arxiv", error) as (caller, _), pytest.raises(Refused):
        caller.search()


def test_results_of_google_scholar() -> None:
    """Books and articles, with their citations."""
    with calling("serpapi", recorded_response("serpapi/google_scholar_bananas")) as (caller, _):
        (papers,) = caller.search().lists
    assert [(paper.title, paper.year, paper.citations, paper.type) for paper in papers] == [
        ("Bananas and plantains", 2010, 1179, "book"),
        ("The evolution of the bananas.", 1962, 956, None),
    ]
    assert [paper.ids.google_scholar for paper in papers] == ["dyZ4bDycdLQJ", "l2aiAreIuHsJ"]
