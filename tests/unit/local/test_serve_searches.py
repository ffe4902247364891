"""Searches run side by side, so many at most, and none longer than anybody waits."""

from __future__ import annotations

import pytest
from goldpan.engine.deadlines import WallClock
from goldpan.errors import Cancelled
from goldpan_local.serve import searches as searches_module
from goldpan_local.serve.searches import SearchClock

from tests.unit.local.held import PATIENCE, HeldSource, in_background
from tests.unit.local.serving import QUESTION, problem_of, runtime, serving


def test_one_too_many_is_told_to_come_back() -> None:
    """A search beyond the limit is refused at once, with the second after which to try; health still answers."""
    source, statuses = HeldSource(), list[int]()
    with serving(runtime(source), at_once=1) as client:
        first = in_background(client, statuses)
        assert source.asked.acquire(timeout=PATIENCE)
        response = client.post("/search", json=QUESTION)
        assert (response.status_code, response.headers["retry-after"]) == (503, "1")
        assert problem_of(response)["type"] == "urn:goldpan:problem:busy"
        assert client.get("/health").status_code == 200
        source.go.set()
        first.join(PATIENCE)
        assert statuses == [200]
        assert client.post("/search", json=QUESTION).status_code == 200


def test_searches_run_side_by_side() -> None:
    """Two searches wait for their source at the same time."""
    source, statuses = HeldSource(), list[int]()
    with serving(runtime(source)) as client:
        askers = [in_background(client, statuses) for _ in range(2)]
        for _ in range(4):  # more than the scouts of one search
            assert source.asked.acquire(timeout=PATIENCE)
        source.go.set()
        for asker in askers:
            asker.join(PATIENCE)
    assert statuses == [200, 200]


def test_no_answer_takes_longer_than_the_gateway_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that something holds beyond its own limit is answered with its time being up."""
    monkeypatch.setattr(searches_module, "LONGEST_SECONDS", 0.05)
    source = HeldSource()
    with serving(runtime(source)) as client:
        response = client.post("/search", json=QUESTION)
        assert source.given_up.wait(PATIENCE)
    assert response.status_code == 504
    assert problem_of(response)["detail"] == "The search was cut at its time limit."


def test_the_clock_of_a_search_stops_for_itself_alone() -> None:
    """To give one search up ends no other."""
    mine, other = SearchClock(), SearchClock()
    mine.cancel()
    with pytest.raises(Cancelled):
        mine.now()
    assert other.now() <= WallClock().now()
