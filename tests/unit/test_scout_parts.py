"""A scout whose searches went partly well says so, and never hides what was cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CredentialRejected
from goldpan.kinds.repositories.models import Batch, Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Enriched, Found
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.repositories.scout import scout

from tests.support.factories import ListedSource, StillClock, repository, scout_task


@dataclass
class ToldSource:
    """A source that answers as it was told, or raises."""

    found: Found
    raised: Exception | None = None
    searches_a_question: int = 15
    notice: str | None = None

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Answer."""
        del searches, deadline
        if self.raised:
            raise self.raised
        return self.found

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Give the repositories back."""
        del deadline
        return Enriched(tuple(repositories))


def scouted(source: ToldSource | ListedSource, allowance: int = 70_000) -> Batch:
    """Run the stage."""
    clock = StillClock()
    dependencies = Dependencies(clock=clock, sources={"github": source})
    return scout(scout_task(allowance=allowance), dependencies, Deadline.after(6, clock))


@pytest.mark.parametrize("found", [(repository(),), ()])
def test_one_failed_search_of_several_is_truncated(found: tuple[Repository, ...]) -> None:
    """What the others found is kept, why one failed is said, and with nothing found it still does not look empty."""
    told = Found((found, ()), available=len(found), failures=("one search failed: 502",))
    row = scouted(ToldSource(told)).status
    assert (row.status, row.kept, row.detail) == ("truncated", len(found), "one search failed: 502")


def test_a_note_is_no_failure() -> None:
    """Words that had to be dropped are told, and the answer is whole."""
    told = Found(((repository(),),), available=1, queries=("react",), notes=("dropped: tool",))
    row = scouted(ToldSource(told)).status
    assert (row.status, row.query, row.detail) == ("ok", "react", "dropped: tool")


def test_what_was_available_is_told_beside_what_was_fetched() -> None:
    """The row has the source's own count, the fetched and the kept."""
    told = Found(((repository("a/b"), repository("a/c")), (repository("A/B"),)), available=812)
    row = scouted(ToldSource(told)).status
    assert (row.available, row.fetched, row.kept, row.status) == (812, 2, 2, "ok")


def test_what_does_not_fit_is_the_least_relevant() -> None:
    """A batch that is cut keeps its best, and says how many went."""
    weak = [repository(f"other-org/r{n}", description="A database server" + " of size" * 30) for n in range(60)]
    cut = scouted(ListedSource([*weak, repository()]), 9_000)
    assert cut.candidates[0].full_name == "example-org/motion"
    assert cut.status.status == "truncated"
    assert cut.status.detail == f"{61 - len(cut.candidates)} of 61 candidates were cut to fit"


def test_equal_candidates_keep_the_order_of_the_source() -> None:
    """Where the words fit equally well the source's own order stands, the searches in turn."""
    lists = [[repository(f"org-{which}/motion{n}") for n in range(3)] for which in "ab"]
    names = [item.full_name for item in scouted(ListedSource(*lists)).candidates]
    assert names == [f"org-{which}/motion{n}" for n in range(3) for which in "ab"]


def test_a_rejected_credential_ends_the_search() -> None:
    """A credential is for the operator to mend: it is no status among others."""
    with pytest.raises(CredentialRejected, match="GITHUB_TOKEN"):
        scouted(ToldSource(Found((), 0), raised=CredentialRejected("GITHUB_TOKEN was rejected")))
