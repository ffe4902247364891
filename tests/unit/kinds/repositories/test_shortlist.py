"""Batches become a shortlist: merged, filtered, enriched, the most relevant first."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest, SourcesFailed, SourcesLimited
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import Batch, Repository, Shortlist, Translation
from goldpan.kinds.repositories.ports import Enriched
from goldpan.kinds.repositories.shortlist import shortlist

from tests.support.factories import NOW, ListedSource, StillClock, batch, params, repository, request

A, B = (repository(f"example-org/{name}") for name in "ab")


def shortlisted(
    *batches: Batch,
    source: ListedSource | None = None,
    calls: int = 0,
    question: str = "React animation library",
    constraints: Constraints | None = None,
    **fields: object,
) -> Shortlist:
    """Run the stage over batches."""
    clock, sources = StillClock(), dict.fromkeys(("github", "catalogue"), source or ListedSource())
    dependencies = Dependencies(clock=clock, sources=sources)
    asked = params(question).model_copy(update={"constraints": constraints or Constraints()})
    translation = Translation(params=asked, tasks=(), llm_calls_left=calls)
    return shortlist(batches, translation, request(**fields), dependencies, Deadline.after(4, clock))


class Enriching(ListedSource):
    """A source that shows further facts of each repository, and failures."""

    def __init__(self, shown: Callable[[Repository], Repository | None], failures: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.shown, self.failures = shown, failures

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Give the repositories with what is known of them now."""
        del deadline
        return Enriched(tuple(map(self.shown, repositories)), self.failures)


def failed(status: str, **fields: object) -> Batch:
    """Make the batch of a source that failed."""
    row = {"kind": "repositories", "strategy": "stars", "source": "github", "status": status, "detail": "x", **fields}
    return Batch(status=SourceStatus.model_validate(row))


def test_relevance_decides_what_is_scored() -> None:
    """Popular repositories about something else do not displace it; the 25 best are kept, the first few scored."""
    popular = [repository(f"popular-org/db-{n}", description="A database server", stars=90_000) for n in range(40)]
    chosen = shortlisted(batch("stars", *popular, A), calls=2)
    assert chosen.tasks[0].repository.full_name == A.full_name
    assert (len(chosen.tasks), chosen.total_candidates) == (25, 41)
    assert [task.ask_llm for task in chosen.tasks] == [True, True] + [False] * 23


def test_ties_go_by_agreement_then_by_stars_then_by_name() -> None:
    """The agreement of the strategies decides first; the case of a name does not count, and unknown stars come last."""
    stars = {"z/b": 60, "n/one": 1, "A/c": 60, "m/m": 70, "a/x": None}
    batches = [batch("stars", repository(name, stars=count)) for name, count in stars.items()]
    chosen = shortlisted(*batches, config={"coarse_filter": {"min_stars": None}})
    assert [task.repository.full_name for task in chosen.tasks] == ["m/m", "A/c", "z/b", "n/one", "a/x"]
    said = "React animation library"
    once, twice = (repository(f"a/{name}", description=said, stars=stars) for name, stars in (("c", 900), ("d", 90)))
    first, second = shortlisted(batch("stars", once, twice), batch("expanded", twice)).tasks
    assert (first.repository.full_name, second.repository.full_name) == ("a/d", "a/c")
    assert first.relevance == second.relevance


SAID = {"description": "Motion for the web"}


def test_copies_of_a_repository_are_left_out_and_counted() -> None:
    """A mirror, or the record of a former owner; a namesake, and what has no description, is another repository."""
    same = [repository("old/motion", stars=60, **SAID), repository("new/Motion", stars=900, **SAID)]
    others = [repository("x/motion", description="Motion capture"), repository("y/kit", **SAID)]
    others += [repository(f"{owner}/kit", description=None) for owner in "ab"]
    chosen = shortlisted(batch("stars", *same, *others), question="photo backup")
    assert _names(chosen) == {"new/Motion", *(each.full_name for each in others)}
    assert chosen.dropped == {"copy": 1}
    former, present = (repository(f"{owner}/rapidjson", description=f"By {owner}") for owner in ("miloyip", "Tencent"))
    assert _names(shortlisted(batch("stars", former, present))) == {"Tencent/rapidjson"}
    assert _names(shortlisted(batch("stars", former))) == {"miloyip/rapidjson"}


def test_far_more_relevant_ones_are_not_displaced_by_verified_ones() -> None:
    """Of which a constraint is known to hold, but which are hardly what was asked for."""
    fitting = [repository(f"a/parser{n}", stars=None, description="yaml parser") for n in range(25)]
    known = repository("b/known", stars=5000, description="office suite with a parser among many other things " * 3)
    wanted = Constraints(min_stars=100)
    chosen = shortlisted(batch("stars", known, *fitting), question="yaml parser", constraints=wanted)
    assert known.full_name not in {task.repository.full_name for task in chosen.tasks}


def test_dropped_repositories_are_counted_by_rule() -> None:
    """Also those that only the enrichment shows to break a rule; where nothing is left, the nearest is named."""
    source = Enriching(lambda item: item.model_copy(update={"has_readme": item == A}))
    chosen = shortlisted(batch("stars", A, B, repository("a/few", stars=3)), source=source)
    assert _names(chosen) == {A.full_name}
    assert chosen.dropped == {"stars": 1, "readme": 1}
    chosen = shortlisted(batch("stars", A, repository("x/y")), constraints=Constraints(min_stars=900_000))
    assert (chosen.tasks, chosen.dropped) == ((), {"stars": 2})
    near = f"Nothing meets all constraints; the nearest is {A.full_name}, with fewer than 900,000 stars."
    assert near in chosen.warnings
    many = batch("stars", *(repository(f"a/animation-{n}") for n in range(45)))
    unread = Enriching(lambda item: item.model_copy(update={"has_readme": False}))
    left = shortlisted(many, source=unread)
    assert (len(left.tasks), left.dropped, left.warnings) == (5, {"readme": 40}, ())


def test_the_enriched_facts_take_the_place_of_those_that_were_found() -> None:
    """What is gone is counted, two of one name are one, what others say stays; failures are said, eight at most."""

    def today(item: Repository) -> Repository | None:
        renamed = {"full_name": "a/now", "curator_text": None}
        return None if item.full_name == "a/gone" else item.model_copy(update=renamed)

    names = ("a/gone", "a/before", "a/earlier")
    found = [repository(name, curator_text=f"Of {name}.", stars=900 - n) for n, name in enumerate(names)]
    failures = ("slow", *(f"failure {n}" for n in range(9)), "slow")
    chosen = shortlisted(batch("stars", *found), source=Enriching(today, failures))
    [now] = [one.repository for one in chosen.tasks]
    assert (now.full_name, now.curator_text) == ("a/now", "Of a/before.")
    assert chosen.dropped == {"vanished": 1}
    assert [row.error for row in chosen.errors][-2:] == ["github: failure 6", "and 2 more like these"]
    pair, one = batch("stars", found[1], repository("a/now", stars=60)), {"max_enriched": 1}
    for question, shown in (("React animation library", ["a/now"]), ("React animation library like a/now", [])):
        chosen = shortlisted(pair, question=question, source=Enriching(today), config=one)
        assert [each.repository.full_name for each in (*chosen.tasks, *chosen.further)] == shown


def test_a_catalogue_beside_github_fills_what_is_unknown() -> None:
    """If it answered, in place of nothing that GitHub knows; its notice stands beside results only."""
    found, known = repository("a/b", license=None), repository("a/b", license="MIT", stars=7)
    for status, expected in (("ok", "MIT"), ("timeout", None)):
        own = failed(status, source="catalogue", strategy="known")
        chosen = shortlisted(batch("stars", found), own, source=ListedSource([known]))
        assert [(one.repository.license, one.repository.stars) for one in chosen.tasks] == [(expected, 500)]
    source = ListedSource([])
    source.notice = "Facts of 2026."  # type: ignore[assignment]
    warnings = [shortlisted(found, source=source).warnings for found in (batch("stars", A), batch("stars"))]
    assert warnings == [("Facts of 2026.",), ()]


@pytest.mark.parametrize(("status", "dropped"), [("ok", {"unconfirmed": 2}), ("unavailable", {})])
def test_what_a_catalogue_alone_knows_is_kept_where_it_answers(status: str, dropped: dict[str, int]) -> None:
    """Beside a source that answers only what is looked up there is kept, and the rest is counted."""
    found = (repository(f"example-org/{n}", description="React animation library " + "x" * n) for n in range(42))
    chosen = shortlisted(failed(status), batch("known", *found, source="catalogue"), source=ListedSource([]))
    assert (len(chosen.tasks) + len(chosen.further) + sum(dropped.values()), chosen.dropped) == (42, dropped)


def _names(chosen: Shortlist) -> set[str]:
    return {task.repository.full_name for task in chosen.tasks}


def test_without_any_source_the_search_ends() -> None:
    """The error has the reasons and the earliest time to retry; a source without a result is no failure."""
    later, sooner = NOW + timedelta(minutes=2), NOW + timedelta(minutes=1)
    with pytest.raises(SourcesLimited, match="github: rate_limited") as limited:
        shortlisted(failed("rate_limited", retry_at=later), failed("rate_limited", retry_at=sooner))
    assert limited.value.retry_at == sooner
    with pytest.raises(SourcesFailed, match="github: timeout") as all_failed:
        shortlisted(failed("rate_limited", retry_at=later), failed("timeout"))
    assert all_failed.type is SourcesFailed
    with pytest.raises(InvalidRequest, match="github"):
        shortlisted(failed("skipped"))
    assert shortlisted(batch("stars"), failed("timeout")).tasks == ()
