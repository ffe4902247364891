"""The whole search while GitHub fails partly, entirely, or hangs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from goldpan.errors import CredentialRejected, SourcesFailed
from goldpan.kinds.repositories.sources.catalogue.build import Record
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

from tests.integration.conftest import Clients
from tests.integration.test_search import ask, repos
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket


@pytest.fixture
def catalogue() -> Iterator[Catalogue]:
    """Make a small catalogue as the fallback."""
    described = "An animation library for React"
    records = [Record(full_name=f"o/kept-{n}", description=described, stars=900 - n) for n in range(3)]
    made = Catalogue.in_memory(records, "the small catalogue")
    yield made
    made.close()


def test_one_strategy_fails(github: LoopbackGitHub, clients: Clients) -> None:
    """A failed strategy is a row that says so, and the others answer."""
    github.inject(Fault.status(502, contains="sort:updated", times=None))
    answer = ask(clients.runtime(github))
    rows = {row.strategy: row for row in answer.sources}
    statuses = {name: row.status for name, row in rows.items()}
    assert statuses == {"stars": "ok", "recency": "unavailable", "expanded": "ok"}
    assert "502" in rows["recency"].detail
    assert repos(answer)[0] == "motion-kit"


def test_a_failed_enrichment_is_reported(github: LoopbackGitHub, clients: Clients) -> None:
    """The candidates are ranked without the further facts, and an error says what is missing."""
    github.inject(Fault.status(502, contains="query Enrich", times=None))
    answer = ask(clients.runtime(github))
    assert repos(answer)[0] == "motion-kit"
    assert {error.stage for error in answer.errors} == {"shortlist"}
    assert all("no further facts" in error.error for error in answer.errors)
    assert {result.scores.documentation for result in answer.repositories.results} == {None}


@pytest.mark.parametrize(
    ("fault", "match"),
    [
        (Fault.status(503, times=None), r"github: unavailable \(GitHub answered 503"),
        (Fault.hang(times=None), "timeout"),
    ],
)
def test_all_strategies_fail(github: LoopbackGitHub, clients: Clients, fault: Fault, match: str) -> None:
    """If every strategy fails the search fails, and never looks like an empty result."""
    github.inject(fault)
    with pytest.raises(SourcesFailed, match=match):
        ask(clients.runtime(github), max_seconds=5)


def test_a_rejected_token_ends_the_search(github: LoopbackGitHub, clients: Clients, catalogue: Catalogue) -> None:
    """A token that GitHub rejects is never hidden behind the catalogue."""
    with pytest.raises(CredentialRejected, match="GITHUB_TOKEN"):
        ask(clients.runtime(github, token="bad-token", catalogue=catalogue))


@pytest.mark.parametrize(
    ("fault", "status"),
    [(Fault.status(503, times=None), "unavailable"), (Fault.hang(times=None), "timeout")],
)
def test_the_catalogue_is_the_fallback(
    github: LoopbackGitHub, clients: Clients, catalogue: Catalogue, fault: Fault, status: str
) -> None:
    """The catalogue answers in time; one warning says why, another describes it, and GitHub's rows stay."""
    github.inject(fault)
    answer = ask(clients.runtime(github, catalogue=catalogue), max_seconds=5)
    assert repos(answer) == ["kept-0", "kept-1", "kept-2"]
    (reason,) = [warning for warning in answer.warnings if warning.startswith("github: ")]
    assert reason.endswith("; asked the catalogue instead.")
    assert any("the small catalogue of 3 repositories" in warning for warning in answer.warnings)
    assert {(row.source, row.status) for row in answer.sources} == {("github", status), ("catalogue", "ok")}


def test_an_empty_answer_is_an_answer(github: LoopbackGitHub, clients: Clients, catalogue: Catalogue) -> None:
    """If GitHub finds nothing, the answer is empty, and the catalogue is not queried."""
    answer = ask(clients.runtime(github, catalogue=catalogue), "cobol fortran mainframe")
    assert repos(answer) == []
    assert {(row.source, row.status) for row in answer.sources} == {("github", "empty")}
