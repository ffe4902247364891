"""The strategy `known`: the catalogue finds candidates beside GitHub, which has their facts of today."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.results import RankedRepository
from goldpan.kinds.repositories.sources.catalogue.build import Record
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

from tests.integration.conftest import TOKEN, Clients, many_repositories
from tests.integration.test_search import ask
from tests.support.loopback import Fault, LoopbackGitHub
from tests.support.sample import catalogue_in_memory

TODAY = datetime.now(UTC).date().isoformat()
QUESTION = "React animation library"
LISTED = "An animation library for React"
OTHER = "Animates the components of React, with libraries"
"""What GitHub says: no search there finds other forms of a word."""


def served(name: str, **facts: object) -> dict[str, Any]:
    """Make a repository as GitHub has it today."""
    return {"full_name": name, "description": OTHER, "stars": 777, "pushed_at": TODAY, "readme": "# R"} | facts


@pytest.fixture
def github() -> Iterator[LoopbackGitHub]:
    """Serve what a search finds, and what only its name finds: one of them renamed, one archived since."""
    known = [served("new/moved", former_names=("o/moved",)), served("o/kept"), served("o/shut", archived=True)]
    with LoopbackGitHub([*many_repositories(2), *known]) as server:
        yield server


@pytest.fixture
def catalogue() -> Iterator[Catalogue]:
    """Make a catalogue with facts of an earlier day."""
    records = [
        Record(full_name=f"o/{name}", description=LISTED, stars=900, as_of={"stars": date(2026, 8, 1)})
        for name in ("kept", "moved", "shut", "gone")
    ]
    made = catalogue_in_memory(records, "the small catalogue")
    yield made
    made.close()


def by_name(answer: Answer) -> dict[str, RankedRepository]:
    """Return the results by their names."""
    return {each.repo: each for each in answer.repositories.results}


def test_github_verifies_what_the_catalogue_finds(
    github: LoopbackGitHub, clients: Clients, catalogue: Catalogue
) -> None:
    """Renamed ones have their new names, archived ones are dropped by the rule, vanished ones are counted."""
    answer = ask(clients.runtime(github, catalogue=catalogue))
    found = by_name(answer)
    assert found.keys() >= {"o/kept", "new/moved", "example-org/react-animation-00"}
    assert not found.keys() & {"o/moved", "o/shut", "o/gone"}
    assert (found["o/kept"].stars, found["o/kept"].description) == (777, OTHER)
    assert {each.strategy for each in found["o/kept"].found_by} == {"known"}
    assert answer.repositories.dropped == {"vanished": 1, "archived": 1}
    assert [(row.source, row.status) for row in answer.sources if row.strategy == "known"] == [("catalogue", "ok")]
    assert answer.errors == ()
    assert not any("small catalogue" in warning or "did not confirm" in warning for warning in answer.warnings)


def test_the_catalogue_costs_no_further_request(github: LoopbackGitHub, clients: Clients, catalogue: Catalogue) -> None:
    """What it finds is enriched with what GitHub finds."""
    requests = list[int]()
    for beside in (None, catalogue):
        ask(clients.runtime(github, catalogue=beside), "React animation library for pages")
        requests.append(len(github.requests) - sum(requests))
    assert requests[1] <= requests[0] + 1


@pytest.mark.parametrize("token", ["", TOKEN], ids=["without a token", "failed"])
def test_what_github_does_not_confirm_stays_as_the_catalogue_has_it(
    github: LoopbackGitHub, clients: Clients, catalogue: Catalogue, token: str
) -> None:
    """With its date, in one warning; the answer says what failed."""
    if token:
        github.inject(Fault.status(502, contains="Enrich", times=None))
    answer = ask(clients.runtime(github, token=token, catalogue=catalogue))
    assert by_name(answer)["o/kept"].stars == 900
    said = "The facts of 4 results are the catalogue's, the oldest of 2026-08-01: github did not confirm them."
    assert any("did not confirm them" in warning for warning in answer.warnings) if token else said in answer.warnings
    assert not token or answer.errors


def test_each_source_may_be_asked_alone(github: LoopbackGitHub, clients: Clients, catalogue: Catalogue) -> None:
    """A request that names one, or a weight of 0, asks no other."""
    runtime = clients.runtime(github, catalogue=catalogue)
    for fields, source in (
        ({"sources": ["github"]}, "github"),
        ({"sources": ["catalogue"]}, "catalogue"),
        ({"config": {"strategy_weights": {"known": 0}}}, "github"),
    ):
        answer = ask(runtime, **fields)
        assert {row.source for row in answer.sources} == {source}
        assert not [row for row in answer.sources if row.strategy == "known"]
