"""The papers of two rounds: each once, with what both know of it, in one order."""

from typing import Any

from goldpan.contracts import FoundBy
from goldpan.kinds.papers.models import PaperIds
from goldpan.kinds.papers.results import PaperCollection, RankedPaper
from goldpan.kinds.papers.rounds import join

from tests.support.paper_fakes import request

TITLE = "A survey of graph neural networks for molecular property prediction"


def paper(name: str, relevance: float, **facts: Any) -> RankedPaper:
    """Make a result that a language model judged."""
    usual = {"title": f"Graph networks {name}", "score": relevance, "reasoning": name, "basis": "llm", "found_by": ()}
    return RankedPaper.model_validate({"id": f"doi:10.1000/{name}", "relevance": relevance, **usual, **facts})


def collection(*results: RankedPaper, weaker: tuple[RankedPaper, ...] = ()) -> PaperCollection:
    """Make what a round found."""
    return PaperCollection(total_candidates=9, shortlisted=9, results=results, weaker=weaker)


def test_a_paper_of_two_rounds_is_one() -> None:
    """A preprint and its publication: the facts of both, each with its source, the model's verdict, all strategies."""
    preprint = {"title": TITLE, "year": 2020, "authors": ("Ada Lee",), "ids": PaperIds(arxiv="2001.00001")}
    known = {"title": "arxiv", "arxiv": "arxiv", "year": "arxiv", "authors": "arxiv"}
    found_by = [FoundBy(strategy=name, rank=rank) for name, rank in (("arxiv", 4), ("openalex", 1), ("arxiv", 2))]
    early = {"versions": ({"year": 2019, "venue": "Thesis"},), "found_by": found_by[:1]}
    first = paper("a", 0.9, **preprint, **early, id="arxiv:2001.00001", provenance=known)
    published = {"title": TITLE, "year": 2021, "venue": "Journal", "authors": ("Ada Lee",), "type": "article"}
    late = {"ids": PaperIds(doi="10.1000/b", arxiv="2001.00001"), "citations": 7, "found_by": found_by[1:]}
    sources = dict.fromkeys(("title", "doi", "venue", "year", "citations", "arxiv"), "openalex")
    again = paper("b", 0.95, **published, **late, provenance=sources, basis="rules")
    before, after = collection(first, paper("c", 0.5)), collection(paper("c", 0.5), weaker=(again,))
    joined = join(before, after, request())
    one, other = joined.results
    assert (one.id, one.year, one.venue, one.citations) == ("doi:10.1000/b", 2021, "Journal", 7)
    assert (one.relevance, one.reasoning, one.ids.arxiv) == (0.9, "a", "2001.00001")
    assert one.found_by == (FoundBy(strategy="arxiv", rank=2), FoundBy(strategy="openalex", rank=1))
    assert (one.provenance["venue"], one.provenance["authors"]) == ("openalex", "arxiv")
    assert [version.venue for version in one.versions] == ["Thesis"]
    assert (other.id, joined.weaker) == ("doi:10.1000/c", ())
    assert [facet.value for facet in joined.facets.by_year] == ["2021"]


def test_the_order_and_the_line_are_those_of_all_rounds() -> None:
    """What was weaker stays so; what is below the threshold, or by rules far below the best, is weaker too."""
    rules = {"basis": "rules"}
    before = collection(paper("a", 0.3, **rules), paper("b", 0.25, **rules), weaker=(paper("w", 0.8, **rules),))
    joined = join(before, collection(paper("c", 0.55, **rules)), request())
    assert [[one.reasoning for one in part] for part in (joined.results, joined.weaker)] == [["c"], ["w", "a", "b"]]
    mixed = join(collection(paper("r", 0.9, **rules)), collection(paper("m", 0.4)), request())
    old, new = collection(paper("old", 0.9, year=2001)), collection(paper("new", 0.4, year=2020))
    dated = join(old, new, request(sort="year"))
    assert [[one.reasoning for one in each.results] for each in (mixed, dated)] == [["m", "r"], ["new", "old"]]
    judged = join(collection(paper("t", 0.3)), collection(paper("u", 0.29)), request())
    assert [[one.reasoning for one in part] for part in (judged.results, judged.weaker)] == [["t"], ["u"]]
