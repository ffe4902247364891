"""The queries at a source become one batch of papers with its status; what the best papers lack is looked up by DOI."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import RateLimited, Unavailable
from goldpan.kinds.papers.models import Batch
from goldpan.kinds.papers.ports import SearchResult, SourcePlan
from goldpan.kinds.papers.scout import scout, without_repeats
from goldpan.kinds.papers.translate import translate
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, StillClock
from tests.support.fakes import FakeModel
from tests.support.hostile import UNITS, filled
from tests.support.paper_fakes import (
    ListedPapers,
    batch,
    candidates,
    failed,
    paper,
    request,
    scout_task,
    shortlisted,
    translation,
)


def scouted(source: Any, allowance: int = 30_000, name: str = "openalex") -> Batch:
    """Run the stage."""
    clock = StillClock()
    dependencies = Dependencies(clock=clock, sources={name: source} if source else {})
    return scout(scout_task(name, allowance), dependencies, Deadline.after(6, clock))


def titles(batch: Batch) -> list[str]:
    """List the titles of a batch."""
    return [each.title for each in batch.papers]


@pytest.mark.parametrize(
    ("name", "source", "status", "detail"),
    [
        ("openalex", ListedPapers([paper()]), "ok", ""),
        ("openalex", ListedPapers([]), "empty", ""),
        ("openalex", ListedPapers(failure=RateLimited("slow down", NOW)), "rate_limited", "slow down"),
        ("openalex", ListedPapers([paper()], missing_key="OPENALEX_API_KEY"), "skipped", "OPENALEX_API_KEY is not set"),
        ("openalex", None, "skipped", "openalex is not configured here"),
        ("library", ListedPapers([paper()]), "skipped", "project_id names no project"),
    ],
)
def test_each_outcome_has_its_own_status(name: str, source: ListedPapers | None, status: str, detail: str) -> None:
    """A failed source never looks like an empty one, one that lacks something is not asked, and the reason is kept."""
    row = scouted(source, name=name).status
    assert (row.kind, row.source, row.status, row.detail) == ("papers", name, status, detail)
    assert row.retry_at == (NOW if status == "rate_limited" else None)
    assert not (source and status == "skipped" and source.searched)


def test_a_query_that_failed_costs_no_other() -> None:
    """The row says so, with how many records were read and how many could not be, and the queries as they were sent."""
    lists, queries = ((paper("Cats"),), ()), ("cats", "felines")
    found = SearchResult(lists, available=812, queries=queries, failures=("felines: 500",), unread=3)
    row = scouted(SimpleNamespace(plan=SourcePlan(1), search=lambda *_: found)).status
    assert (row.status, row.detail, row.query) == (
        "truncated", "felines: 500; 3 records could not be read", "cats | felines",
    )  # fmt: skip
    assert (row.available, row.fetched, row.kept) == (812, 1, 1)


def test_abstracts_are_truncated_so_that_many_papers_fit() -> None:
    """Forty fit into a sixth of a state, with the addresses that links rest on; a large one costs only itself."""
    address = "https://github.com/example-org/cats"
    abstract = f"See {address}. {'Cats purr. ' * 90} Code: {address}, https://gitlab.com/example-org/dogs."
    found = [paper(f"Cats {number}", doi=f"10.1000/{number}", abstract=abstract) for number in range(60)]
    batch = scouted(ListedPapers(found))
    assert len(batch.papers) >= 40
    abstracts = [each.abstract or "" for each in batch.papers]
    assert {(len(text) > 200, text.count(address), "gitlab.com" in text) for text in abstracts} == {(True, 1, True)}
    assert batch.status.status == "truncated"
    assert batch.status.detail == f"{60 - len(batch.papers)} of 60 papers were cut to fit"
    [cut] = scouted(ListedPapers([paper("Cats", abstract="purr " * 1300)]), 4096 + 1000).papers
    assert (cut.abstract or "").endswith("\u2026"), "what is cut off is seen, also in exports"
    large = paper("Large", authors=tuple("x" * 90 + str(number) for number in range(20)), doi="10.1000/a")
    assert titles(scouted(ListedPapers([large, paper("Small")]), 4096 + 1000)) == ["Small"]


@settings(max_examples=60)
@given(
    unit=st.sampled_from(UNITS),
    lengths=st.lists(st.integers(0, 1300), min_size=1, max_size=60),
    allowance=st.integers(0, 60_000),
)
def test_a_batch_never_exceeds_its_allowance(unit: str, lengths: list[int], allowance: int) -> None:
    """Whatever the texts hold, as JSON with spaces, its status row included."""
    found = [paper(f"{place} {filled(unit, n // 3)}", abstract=filled(unit, n)) for place, n in enumerate(lengths)]
    batch = scouted(ListedPapers(found), allowance).model_dump(mode="json", exclude_defaults=True)
    assert len(json.dumps(batch, ensure_ascii=False).encode()) <= max(allowance, 4096)


def test_a_source_has_one_vote_for_each_paper() -> None:
    """Repeats go by any identifier, else by title and year; the first papers of all queries come first."""
    one, again = (paper(title, doi="10.1000/x") for title in ("A", "A again"))
    editorials = [paper("Editorial", year=year) for year in (2001, 2020)]
    assert without_repeats([one, *editorials, again, editorials[0]]) == (one, *editorials)
    assert titles(scouted(ListedPapers([one, editorials[0]], [paper("B"), again]))) == ["A", "B", "Editorial"]


LACKING = paper(doi="10.1000/cats", venue="Journal of Cats")
KNOWN = paper(doi="10.1000/cats", source="europe_pmc", abstract="All about cats.", venue="Other")


def test_a_missing_abstract_is_filled_in() -> None:
    """With fields and no vote; two sources that did not list it are asked at most; one that fails is an error row."""
    other = paper("Graphs", abstract="Nothing lacks.", venue="Journal", doi="10.1000/graphs")
    sources = {name: ListedPapers(known=[KNOWN]) for name in ("europe_pmc", "openalex", "semantic_scholar", "crossref")}
    sources["openalex"] = ListedPapers(known=Unavailable("answered 500"))
    source, _, further, lister = sources.values()
    answered = [batch(name) for name in ("europe_pmc", "openalex", "semantic_scholar")]
    found = shortlisted(batch("crossref", LACKING, other), *answered, sources=sources)
    assert lister.looked_up == further.looked_up == []
    assert source.looked_up == ["10.1000/cats"]
    undated = [other.model_copy(update={"ids": paper(doi=f"10.1000/{n}").ids, "year": None}) for n in range(25)]
    shortlisted(batch("crossref", *undated), *answered, sources=sources)
    assert len(source.looked_up) == 1 + 20
    cats = next(one.merged for one in candidates(found) if one.merged.id == "doi:10.1000/cats")
    assert (cats.paper.abstract, cats.paper.venue) == ("All about cats.", "Journal of Cats")
    assert [by.strategy for by in cats.found_by] == ["crossref"]
    assert found.total_candidates == len(candidates(found)) == 2
    (error,) = found.errors
    assert (error.stage, error.error) == ("shortlist", "openalex: no further facts (answered 500)")


@pytest.mark.parametrize(("calls", "looked_up"), [(0, []), (9, ["10.1000/cats"])])
def test_one_gap_among_many_papers_is_worth_a_wait_only_beside_a_model(calls: int, looked_up: list[str]) -> None:
    """The look-up takes as long as the search at a source did, and far less than a model."""
    facts = {"abstract": "Nothing lacks.", "venue": "Journal"}
    complete = [paper(f"Graphs {number}", doi=f"10.1000/{number}", **facts) for number in range(3)]
    source = ListedPapers(known=[KNOWN])
    batches = batch("crossref", LACKING, *complete), batch("europe_pmc")
    shortlisted(*batches, asked=translation(calls=calls), model=FakeModel([]), sources={"europe_pmc": source})
    assert source.looked_up == looked_up


def test_a_source_that_failed_is_not_asked_again() -> None:
    """Nor one that the request leaves out, nor one where a look-up costs something or that lacks its key."""
    sources = {name: ListedPapers(known=[KNOWN]) for name in ("europe_pmc", "openalex")}
    sources |= {"semantic_scholar": ListedPapers(), "crossref": ListedPapers(known=[KNOWN], missing_key="A_KEY")}
    batches = (
        batch("serpapi", LACKING),
        failed("europe_pmc", "rate_limited"),
        batch("semantic_scholar"),
        batch("crossref"),
    )
    (one,) = candidates(shortlisted(*batches, sources=sources))
    assert one.merged.paper.abstract is None
    assert not any(source.looked_up for source in sources.values())


def test_what_a_look_up_shows_to_break_a_constraint_is_dropped() -> None:
    """And counted, as if its source had said so."""
    lacking, sources = paper(doi="10.1000/cats", abstract="Cats."), {"europe_pmc": ListedPapers(known=[KNOWN])}
    batches = batch("crossref", lacking), batch("europe_pmc")
    found = shortlisted(*batches, asked=translation(venues=("Journal of Cats",)), sources=sources)
    assert (found.tasks, found.dropped) == ((), {"venue": 1})


@pytest.mark.parametrize(
    ("question", "searched"), [("papers like 10.1000/x", ["10.1000/x", "graph coloring"]), ("10.1000/x", ["10.1000/x"])]
)
def test_papers_like_one_that_an_id_names_are_searched_for_by_its_title(question: str, searched: list[str]) -> None:
    """The id alone would find that paper and nothing else; an id that is wanted itself is looked up, and no more."""
    source, clock = ListedPapers([paper("Graph coloring of planar maps", doi="10.1000/x")]), StillClock()
    dependencies, deadline = Dependencies(clock=clock, sources={"openalex": source}), Deadline.after(6, clock)
    (task,) = translate(request(question), ["openalex"], dependencies, deadline).tasks
    scout(task, dependencies, deadline)
    assert [query.concepts[0][0] for query in source.searched][:2] == searched


def test_a_paper_that_was_found_stays_if_the_search_for_what_is_like_it_fails() -> None:
    """The status says what failed."""

    class FailsLater(ListedPapers):
        def search(self, *asked: Any) -> SearchResult:
            self.failure = RateLimited("slow down", NOW) if self.searched else None
            return super().search(*asked)

    clock, source = StillClock(), FailsLater([paper("Graph coloring of planar maps", doi="10.1000/x")])
    task = scout_task("openalex").model_copy(update={"is_like_ids": True})
    found = scout(task, Dependencies(clock=clock, sources={"openalex": source}), Deadline.after(6, clock))
    assert (len(found.papers), found.status.status) == (1, "truncated")
    assert found.status.detail == "the search for what is like it failed: slow down"
