"""What the best papers lack is looked up by their DOI."""

import pytest
from goldpan.errors import Unavailable

from tests.support.fakes import FakeModel
from tests.support.paper_fakes import ListedPapers, batch, candidates, failed, paper, shortlisted, translation

LACKING = paper(doi="10.1000/cats", venue="Journal of Cats")
KNOWN = paper(doi="10.1000/cats", source="europe_pmc", abstract="All about cats.", venue="Other")


def test_a_missing_abstract_is_filled_in() -> None:
    """It adds fields, no vote and no further paper; the source that listed it has no more fields."""
    other = paper("Graphs", abstract="Nothing lacks.", venue="Journal", doi="10.1000/graphs")
    source, lister = ListedPapers(known=[KNOWN]), ListedPapers(known=[LACKING])
    sources = {"europe_pmc": source, "crossref": lister}
    found = shortlisted(batch("crossref", LACKING, other), batch("europe_pmc"), sources=sources)
    assert lister.looked_up == []
    assert source.looked_up == ["10.1000/cats"]
    cats = next(one.merged for one in candidates(found) if one.merged.id == "doi:10.1000/cats")
    assert (cats.paper.abstract, cats.paper.venue) == ("All about cats.", "Journal of Cats")
    assert [by.strategy for by in cats.found_by] == ["crossref"]
    assert (found.total_candidates, len(candidates(found)), found.errors) == (2, 2, ())


@pytest.mark.parametrize(("calls", "looked_up"), [(0, []), (9, ["10.1000/cats"])])
def test_one_gap_among_many_papers_is_worth_a_wait_only_beside_a_model(calls: int, looked_up: list[str]) -> None:
    """The look-up takes as long as the search at a source did, and far less than a model."""
    complete = [
        paper(f"Graphs {number}", abstract="Nothing lacks.", venue="Journal", doi=f"10.1000/{number}")
        for number in range(3)
    ]
    source = ListedPapers(known=[KNOWN])
    batches = batch("crossref", LACKING, *complete), batch("europe_pmc")
    shortlisted(*batches, asked=translation(calls=calls), model=FakeModel([]), sources={"europe_pmc": source})
    assert source.looked_up == looked_up


@pytest.mark.parametrize("status", ["unavailable", "timeout", "rate_limited", "skipped"])
def test_a_source_that_failed_is_not_asked_again(status: str) -> None:
    """Nor one that the request leaves out, nor one where a look-up costs something."""
    sources = {
        "europe_pmc": ListedPapers(known=[KNOWN]),
        "openalex": ListedPapers(known=[KNOWN]),
        "semantic_scholar": ListedPapers(),
    }
    batches = batch("crossref", LACKING), failed("europe_pmc", status), batch("semantic_scholar")
    (one,) = candidates(shortlisted(*batches, sources=sources))
    assert one.merged.paper.abstract is None
    assert not any(source.looked_up for source in sources.values())


def test_a_failed_look_up_costs_nothing_that_was_known() -> None:
    """It is an error row; what another source knows still counts."""
    sources = {"openalex": ListedPapers(known=Unavailable("answered 500")), "europe_pmc": ListedPapers(known=[KNOWN])}
    batches = batch("crossref", LACKING), batch("openalex"), batch("europe_pmc")
    found = shortlisted(*batches, sources=sources)
    assert candidates(found)[0].merged.paper.abstract == "All about cats."
    assert [(row.stage, row.error) for row in found.errors] == [
        ("shortlist", "openalex: no further facts (answered 500)")
    ]
