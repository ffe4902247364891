"""GitHub without a token: what a REST search means, and how it fails."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from goldpan.kinds.repositories.models import StarRange
from goldpan.kinds.repositories.sources.github.source import GitHub

from tests.integration.conftest import CLOCK, Clients, fresh_repositories, names, question_of, scouted, within
from tests.support.loopback import Fault, Limits, LoopbackGitHub

pytestmark = pytest.mark.enable_socket


@pytest.fixture
def source(github: LoopbackGitHub, clients: Clients) -> GitHub:
    """Make the source under test, without a token."""
    return clients.github(github.url)


def test_each_search_needs_all_of_its_words(source: GitHub) -> None:
    """A search finds only repositories that hold every word, in the order asked for."""
    found = source.search([question_of("react", "animation", sort="stars")], within(5))
    stars = [repository.stars or 0 for repository in found.lists[0]]
    assert {"motion-kit", "spring-ui"} <= set(names(found.lists[0]))
    assert "tiny-tween" not in names(found.lists[0])
    assert stars == sorted(stars, reverse=True)
    assert found.available == len(found.lists[0])


def test_qualifiers_narrow(source: GitHub) -> None:
    """Language, topics, stars and dates narrow a search, and forks stay out."""
    since = datetime.now(UTC).date() - timedelta(days=200)
    narrow = [
        question_of("react", language="JavaScript"),
        question_of("animation", topics=("vue",)),
        question_of("animation", stars=StarRange(min=10, max=30)),
        question_of("react", "lottie", created_after=since),
        question_of("react", pushed_after=since),
        question_of("spring"),
    ]
    script, vue, small, created, pushed, spring = source.search(narrow, within(5)).lists
    assert {repository.language for repository in script} == {"JavaScript"}
    assert names(vue) == ["vue-motion-presets"]
    assert names(small) == ["react-anim-lite"]
    assert created == ()
    assert "react-scroll-reveal" not in names(pushed)
    assert names(spring) == ["spring-ui"]


def test_what_a_search_tells(source: GitHub) -> None:
    """A repository arrives with the facts of a search, and without those that it does not tell."""
    (repository,) = source.search([question_of("gesture")], within(5)).lists[0]
    assert repository.full_name == "example-org/gesture-motion"
    assert (repository.stars, repository.forks, repository.language) == (640, 71, "TypeScript")
    assert repository.topics == ("react", "gestures", "animation")
    assert repository.url == "https://github.com/example-org/gesture-motion"
    assert (repository.watchers, repository.readme, repository.has_readme) == (None, None, None)


def test_nothing_is_enriched_without_a_token(source: GitHub, github: LoopbackGitHub) -> None:
    """Without a token no further call is made for the candidates, and the answer says what is missing."""
    found = source.search([question_of()], within(5)).lists[0]
    assert source.enrich(found, within(5)).repositories == found
    assert len(github.requests) == 1
    assert "GITHUB_TOKEN is not set" in (source.notice or "")


def test_no_credential_is_sent(source: GitHub, github: LoopbackGitHub) -> None:
    """Without a token no authorization goes out, and the API version and the caller are named."""
    scouted(source)
    headers = github.requests[0].headers
    assert "authorization" not in headers
    assert (headers["user-agent"], headers["x-github-api-version"]) == ("goldpan", "2022-11-28")


def test_statuses_of_good_answers(source: GitHub) -> None:
    """An answer with candidates is ok, one without any is empty."""
    full, none = scouted(source), scouted(source, question_of("cobol"))
    assert (full.status.status, full.status.query) == ("ok", "react animation stars:>=50")
    assert full.status.fetched == full.status.kept == len(full.candidates) > 5
    assert (none.status.status, none.candidates) == ("empty", ())


def test_incomplete_results_are_said(source: GitHub, github: LoopbackGitHub) -> None:
    """A search that GitHub broke off counts as truncated, and keeps what it found."""
    github.inject(Fault.incomplete_results())
    batch = scouted(source)
    assert (batch.status.status, batch.status.detail) == (
        "truncated",
        "the source answered before it had searched everything",
    )
    assert batch.candidates


def test_a_refused_search_leaves_the_others(source: GitHub, github: LoopbackGitHub) -> None:
    """One search that GitHub refuses is named, and the others bring their candidates."""
    github.inject(Fault.status(422, body={"message": "Validation Failed"}, contains="vue"))
    batch = scouted(source, question_of("vue"), question_of("react", "animation"))
    assert batch.status.status == "truncated"
    assert "Validation Failed" in batch.status.detail
    assert "motion-kit" in names(batch.candidates)
    assert len(github.requests) == 2


def test_a_long_query_is_shortened_and_says_so(source: GitHub, github: LoopbackGitHub) -> None:
    """A query over GitHub's limit loses its weakest words, forms first, and the row names them."""
    long = ["react", "animation", "library", *(f"{letter * 30}" for letter in "abcdefgh")]
    batch = scouted(source, question_of(*long))
    sent = github.requests[0].params["q"]
    assert len(sent) <= 256
    assert github.requests[0].status == 200
    assert sent.startswith("react animation ")
    assert sent.endswith(" stars:>=50")
    assert batch.status.detail.startswith("too long for GitHub, searched without: library, ")


def test_the_primary_limit(clients: Clients) -> None:
    """When the searches of a minute are spent, the row says so with the time at which they come back."""
    with LoopbackGitHub(fresh_repositories(), limits=Limits(search_anonymous=2)) as github:
        source = clients.github(github.url)
        batch = scouted(source, question_of("vue"), question_of("react"), question_of("rust"), question_of("go"))
        again = scouted(source)
        assert len(github.requests) == 2
    assert batch.status.status == "truncated"
    assert "rate limit" in batch.status.detail
    assert {"vue-motion-presets", "motion-kit"} <= set(names(batch.candidates))
    assert again.status.status == "rate_limited"
    assert again.status.retry_at is not None
    assert timedelta(seconds=50) < again.status.retry_at - CLOCK.now() <= timedelta(seconds=64)


def test_the_time_of_a_slow_search_is_shared(source: GitHub, github: LoopbackGitHub) -> None:
    """The searches after one that hangs do not prolong the strategy."""
    github.inject(Fault.hang(times=None))
    began = time.monotonic()
    assert scouted(source, *[question_of()] * 5, seconds=0.5).status.status == "timeout"
    assert time.monotonic() - began < 5
