"""What an analysis reads from GitHub over real sockets, with a token and without."""

import random
from collections.abc import Iterator
from contextlib import closing, suppress
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, InvalidRequest, RateLimited, Unavailable
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.repositories.analysis.models import RepositoryFacts
from goldpan.kinds.repositories.sources.github.repository import COUNT_NOTE, CUT_NOTE
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.readers import make_reader

from tests.support.analyzed import FULL_NAME, VULNERABLE, analyzed_repository
from tests.support.factories import NOW, StillClock
from tests.support.loopback import Fault, LoopbackGitHub
from tests.support.loopback.fault import edited
from tests.support.loopback.osv import LoopbackOsv
from tests.support.memory_stores import memory_connections

TOKENS = ("good-token", "")
OTHERS = (
    {"full_name": "example-org/blocked", "blocked": True},
    {"full_name": "example-org/private", "private": True},
    {"full_name": "example-org/empty", "pushed_at": None},
    {"full_name": "example-org/fork", "parent": "example-org/motion-kit"},
)


@pytest.fixture
def server() -> Iterator[LoopbackGitHub]:
    """Serve a repository that has everything, and unusual ones."""
    known = analyzed_repository(NOW, former_names=("old-org/motion",))
    with LoopbackGitHub([known, *OTHERS], now=StillClock().now) as github:
        yield github


def read(
    server: LoopbackGitHub,
    token: str,
    name: str = FULL_NAME,
    clock: StillClock | None = None,
    osv: LoopbackOsv | None = None,
) -> RepositoryFacts:
    """Read a repository within ten seconds; without an OSV, what stands for it answers 404."""
    clock = clock or StillClock()
    settings = {"GITHUB_API_URL": server.url, "GITHUB_TOKEN": token, "OSV_URL": osv.url if osv else server.url}
    with closing(HttpClient()) as http:
        reader = make_reader(GitHubSettings.from_environment(settings), memory_connections(http, clock))
        return reader(name, Deadline.after(10, clock))


@pytest.mark.parametrize("token", TOKENS)
def test_all_facts_are_read(server: LoopbackGitHub, token: str) -> None:
    """With a token and without; GraphQL counts what the lists of REST do not."""
    with LoopbackOsv(VULNERABLE) as osv:
        facts = read(server, token, osv=osv)
        [request] = osv.requests
    repository = facts.repository
    assert (repository.stars, repository.watchers, repository.license) == (31_200, 780, "MIT")
    assert (repository.releases, repository.latest_release_name, repository.contributors) == (63, "v2.1.0", 90)
    assert repository.readme_outline is not None
    assert repository.readme_outline.sections == ("install", "usage")
    assert {"docs/", "docs/index.md", ".github/workflows/check.yml", "LICENSE"} <= {*(facts.paths or ())}
    assert "examples/basic/index.js" not in (facts.paths or ()), "folders below the second level are left out"
    assert (facts.has_security_policy, facts.has_contribution_guide, len(facts.release_times or ())) == (True, True, 63)
    assert sum(each.author is not None for each in facts.commits or ()) == 80
    assert [(each.name, each.version, each.vulnerabilities) for each in facts.dependencies or ()] == [
        ("lodash", "4.17.15", VULNERABLE["pkg:npm/lodash", "4.17.15"]),
        ("@babel/core", "7.20.0", ()),
        ("left-pad", None, None),
        ("react", None, None),
        ("flask", "2.0.0", ()),
    ]
    assert request.body["queries"][1] == {"package": {"purl": "pkg:npm/%40babel/core"}, "version": "7.20.0"}
    assert "motion-kit" not in request.text
    assert {row.status for row in facts.sources} == ({"ok"} if token else {"ok", "skipped"})
    assert len(server.requests) == (6 if token else 7)


def test_a_response_is_of_another_person(server: LoopbackGitHub) -> None:
    """Not of a program nor of the author; reviews and merges count, and without a token all of them are unknown."""
    threads = read(server, "good-token").threads or ()
    hours = [each.answered_at and (each.answered_at - each.opened_at) / timedelta(hours=1) for each in threads]
    assert hours == [6, 12, 48, None, 24, 24, 24, 48]
    facts = read(server, "")
    assert (facts.repository.closed_issues, facts.repository.merged_pull_requests, facts.threads) == (None, None, None)
    [skipped] = [row for row in facts.sources if row.status == "skipped"]
    assert (skipped.strategy, "GITHUB_TOKEN is not set" in skipped.detail) == ("responses", True)


@pytest.mark.parametrize("start", ["https://evil.example", "{}.evil.example"])
def test_a_redirection_to_another_server_is_not_followed(server: LoopbackGitHub, start: str) -> None:
    """It would get what is meant for GitHub."""
    server.inject(Fault.status(301, {"location": f"{start.format(server.url)}/repositories/1"}))
    with pytest.raises(Unavailable, match="sent the call to another server"):
        read(server, "")


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize(
    ("name", "reason"),
    [("example-org/nothing", "was not found on GitHub"), ("example-org/blocked", "legal reasons (451)")],
)
def test_a_repository_that_cannot_be_read_is_an_invalid_request(
    server: LoopbackGitHub, token: str, name: str, reason: str
) -> None:
    """The message names it, and says what the caller can do."""
    with pytest.raises(InvalidRequest) as raised:
        read(server, token, name)
    assert str(raised.value).startswith("repo: ")
    assert name in str(raised.value)
    assert reason in str(raised.value)


def test_a_private_repository(server: LoopbackGitHub) -> None:
    """It says so to who may read it, and is not there for anybody else."""
    assert any(note.startswith("Private: ") for note in read(server, "good-token", "example-org/private").notes)
    with pytest.raises(InvalidRequest, match="is private and GITHUB_TOKEN may not read it"):
        read(server, "", "example-org/private")


@pytest.mark.parametrize("token", TOKENS)
def test_a_renamed_and_an_empty_repository_and_a_fork(server: LoopbackGitHub, token: str) -> None:
    """One has its new name, one no failure, one its parent; a dependency graph that is switched off is unknown."""
    assert read(server, token, "old-org/motion").repository.full_name == FULL_NAME
    empty = read(server, token, "example-org/empty")
    assert (empty.is_empty, empty.repository.has_readme in (False, None)) == (True, True)
    assert {row.status for row in empty.sources} <= {"ok", "skipped"}
    fork = read(server, token, "example-org/fork")
    assert (fork.repository.fork, fork.parent, fork.dependencies) == (True, FULL_NAME, None)
    assert (fork.sources[-1].source, fork.sources[-1].detail) == ("osv", "no dependency has an exact version")


def test_a_part_that_fails_costs_no_other(server: LoopbackGitHub) -> None:
    """Its row has the reason, and what it would have read is unknown."""
    server.inject(Fault.status(502, contains="/releases?", times=None))
    with LoopbackOsv({}) as osv:
        facts = read(server, "", osv=osv)
    failed = [row for row in facts.sources if row.status == "unavailable"]
    assert [row.strategy for row in failed] == ["releases"]
    assert "502" in failed[0].detail
    assert (facts.repository.releases, facts.release_times, len(facts.commits or ())) == (None, None, 95)


@pytest.mark.parametrize("token", TOKENS)
def test_of_a_tree_that_is_cut_nothing_is_missing(server: LoopbackGitHub, token: str) -> None:
    """Its row and a note say so; what GraphQL knows counts."""
    cut = edited(lambda body: body.update(tree=[{"path": "src", "type": "tree"}], truncated=True))
    server.inject(Fault("cut", cut, contains="/git/trees/HEAD"))
    facts = read(server, token)
    assert (facts.paths, facts.has_all_paths, facts.notes) == (("src/",), False, (CUT_NOTE,))
    assert facts.has_security_policy is facts.has_contribution_guide is (True if token else None)
    assert [row.strategy for row in facts.sources if row.status == "truncated"] == ["files"]


def test_the_hourly_limit_ends_the_calls() -> None:
    """What was read before it is kept; at the limit nothing is read, and the time to come back is known."""
    clock = StillClock()
    with LoopbackGitHub([analyzed_repository(NOW)], now=clock.now, calls_an_hour=4) as server:
        facts = read(server, "", clock=clock)
        assert {row.status for row in facts.sources} == {"ok", "rate_limited", "skipped"}
        assert all(row.retry_at for row in facts.sources if row.status == "rate_limited")
        assert facts.repository.stars == 31_200
        with pytest.raises(RateLimited):
            read(server, "", clock=clock)


def test_what_a_page_cannot_count() -> None:
    """Commits beyond the first page may be recent; the note about counts is of the lists of REST alone."""

    def add_bot(body: Any) -> None:
        body[0]["type"] = "Bot"

    commits = [{"at": f"{NOW:%Y-%m-%dT%H:%M:%SZ}", "login": "ada"}] * 101
    with LoopbackGitHub([analyzed_repository(NOW, commits=commits, contributors=101)], now=StillClock().now) as full:
        full.inject(Fault("bot", edited(add_bot), contains="/contributors"))
        by_rest, by_graphql = read(full, ""), read(full, "good-token")
    assert (by_rest.repository.recent_commits, by_graphql.repository.recent_commits) == (None, 85)
    assert (by_rest.repository.contributors, by_graphql.repository.contributors) == (99, 101)
    assert (by_rest.notes, by_graphql.notes) == ((COUNT_NOTE,), ())


def test_an_unreadable_result_is_named_and_a_long_one_cut(server: LoopbackGitHub) -> None:
    """It is not one without vulnerabilities, nor are too few; at most twenty are listed, of at most sixty letters."""
    listed = [None, {"vulns": [None, {"id": 7}, *({"id": f"{number}".zfill(99)} for number in range(30))]}, 5]
    with LoopbackOsv({}) as osv:
        osv.inject(Fault("spoiled", edited(lambda body: body.update(results=deepcopy(listed)))))
        facts = read(server, "good-token", osv=osv)
        osv.inject(Fault("short", edited(lambda body: body.update(results=[]))))
        short = read(server, "good-token", osv=osv).sources[-1]
    row = facts.sources[-1]
    assert (row.status, row.detail) == ("truncated", "3 dependencies asked, 2 results unreadable")
    found = [each.vulnerabilities for each in facts.dependencies or () if each.version]
    assert found == [None, ("0" * 60,) * 20, None]
    assert (short.source, short.status) == ("osv", "unavailable")


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("seed", range(6))
def test_a_response_of_another_form_never_breaks_the_analysis(server: LoopbackGitHub, token: str, seed: int) -> None:
    """Whatever stands in place of a value, it is unknown or named, or the call failed."""
    draw = random.Random(seed)

    def spoil(body: Any) -> None:
        places = [place for place in _places(body) if draw.random() < 0.05]
        for holder, name in places:
            holder[name] = draw.choice([None, 7, -1, "", "text", [], [None], {}, True, 1e300, [7], {"a": None}])

    server.inject(Fault("spoiled", edited(spoil), times=None))
    with suppress(CallFailed, InvalidRequest):
        assert read(server, token).repository.full_name


def _places(value: Any) -> list[tuple[Any, Any]]:
    items = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    return [place for name, child in items for place in [(value, name), *_places(child)]]
