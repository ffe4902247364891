"""GitHub without a token: what a REST search finds, and what a failed one leaves."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import TimedOut
from goldpan.kinds.repositories.models import StarRange

from tests.integration.github.conftest import Caller, names, search_for
from tests.support.factories import NOW, StillClock
from tests.support.loopback import Fault, Limits, LoopbackGitHub, sample_repositories

pytestmark = pytest.mark.enable_socket


def test_a_search_needs_all_of_its_words(rest: Caller, github: LoopbackGitHub) -> None:
    """A search finds only repositories with every word, in the order of its sort."""
    found = rest.search(search_for("react", "animation", sort="stars"))
    stars = [repository.stars or 0 for repository in found.lists[0]]
    assert {"motion-kit", "spring-ui"} <= set(names(found.lists[0]))
    assert "tiny-tween" not in names(found.lists[0])
    assert stars == sorted(stars, reverse=True)
    assert found.available == len(found.lists[0])
    (query,) = found.queries
    assert github.requests[0].params == {"q": query, "per_page": "100", "sort": "stars", "order": "desc"}


def test_qualifiers_filter(rest: Caller) -> None:
    """Language, topics, stars and dates filter, and forks are left out."""
    script, vue, small, created, pushed, spring = rest.search(
        search_for("react", language="JavaScript"),
        search_for("animation", topics=("vue",)),
        search_for("animation", stars=StarRange(min=10, max=30)),
        search_for("react", "lottie", created_after=date(2026, 2, 1)),
        search_for("react", pushed_after=date(2026, 2, 1)),
        search_for("spring"),
    ).lists
    assert {repository.language for repository in script} == {"JavaScript"}
    assert (names(vue), names(small), names(created)) == (["vue-motion-presets"], ["react-anim-lite"], [])
    assert "motion-kit" in names(pushed)
    assert "react-scroll-reveal" not in names(pushed)
    assert names(spring) == ["spring-ui"]


def test_without_a_token_nothing_is_enriched(rest: Caller, github: LoopbackGitHub) -> None:
    """A search gives no README; enrichment makes no call, and the notice names what is missing."""
    (repository,) = rest.search(search_for("gesture")).lists[0]
    assert repository.url == "https://github.com/example-org/gesture-motion"
    assert (repository.watchers, repository.readme, repository.has_readme) == (None, None, None)
    assert rest.source.enrich([repository], Deadline.after(5, rest.clock)).repositories == (repository,)
    assert len(github.requests) == 1
    assert (rest.source.searches_a_question, (rest.source.notice or "")[:23]) == (5, "GITHUB_TOKEN is not set")


def test_incomplete_results_are_truncated(rest: Caller, github: LoopbackGitHub) -> None:
    """A search that GitHub cut short counts as truncated, and returns what it found."""
    github.inject(Fault.incomplete_results())
    batch = rest.scout()
    assert (batch.status.status, batch.status.query) == ("truncated", "react animation stars:>=50")
    assert batch.status.detail == "the source answered before it had searched everything"
    assert batch.candidates


def test_a_refused_search_leaves_the_others(rest: Caller, github: LoopbackGitHub) -> None:
    """One search that GitHub refuses is reported, and the others bring their candidates."""
    github.inject(Fault.status(422, body={"message": "Validation Failed"}, contains="vue"))
    batch = rest.scout(search_for("vue"), search_for())
    assert batch.status.status == "truncated"
    assert batch.status.detail == "a search failed: GitHub answered 422 (Validation Failed)"
    assert "motion-kit" in names(batch.candidates)


def test_a_response_without_a_list_is_a_failure(rest: Caller, github: LoopbackGitHub) -> None:
    """Valid JSON without a list of repositories is unavailable, never empty."""
    github.inject(Fault.status(200, body={"message": "hello"}))
    row = rest.scout().status
    assert (row.status, row.detail) == ("unavailable", "GitHub's response has no list of repositories")


def test_a_long_query_is_shortened(rest: Caller, github: LoopbackGitHub) -> None:
    """A query beyond GitHub's limit loses its weakest words, and the row names them."""
    batch = rest.scout(search_for("react", "animation", "library", *(letter * 30 for letter in "abcdefgh")))
    query = github.requests[0].params["q"]
    assert (github.requests[0].status, len(query) <= 256) == (200, True)
    assert query.startswith("react animation a")
    assert query.endswith(" stars:>=50")
    assert batch.status.detail == f"too long for GitHub, searched without: library, {'h' * 30}"


def test_the_primary_limit_skips_the_rest(clock: StillClock) -> None:
    """Where the searches of a minute are spent, the row has what was found, and the next call has the time."""
    with LoopbackGitHub(sample_repositories(), now=clock.now, limits=Limits(search_anonymous=2)) as github:
        rest = Caller(github.url, clock)
        batch = rest.scout(*(search_for(word) for word in ("vue", "react", "rust", "go")))
        again = rest.scout()
        rest.close()
        assert len(github.requests) == 2
    assert batch.status.status == "truncated"
    assert batch.status.detail.split(" until ")[0] == "a search failed: the rate limit of github is reached"
    assert batch.status.detail.count("a search failed") == 1
    assert {"vue-motion-presets", "motion-kit"} <= set(names(batch.candidates))
    assert again.status.status == "rate_limited"
    assert again.status.retry_at is not None
    assert timedelta(seconds=60) <= again.status.retry_at - NOW <= timedelta(seconds=63)


def test_a_slow_search_takes_the_time_of_the_others(rest: Caller, github: LoopbackGitHub) -> None:
    """The searches that follow one that hangs are not sent."""
    github.inject(Fault.hang(times=None))
    with pytest.raises(TimedOut):
        rest.source.search([search_for()] * 5, Deadline.after(0.3, WallClock()))
    assert len(github.requests) <= 1
