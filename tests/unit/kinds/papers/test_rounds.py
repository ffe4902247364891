"""The papers of two rounds: each once, with what both know of it, in one order."""

from typing import Any

from goldpan.contracts import FoundBy, parse_request
from goldpan.kinds.papers.models import PaperIds
from goldpan.kinds.papers.results import PaperCollection, RankedPaper
from goldpan.kinds.papers.rounds import join

REQUEST = parse_request({"query": "graph neural networks", "kinds": ["papers"]})
TITLE = "A survey of graph neural networks for molecular property prediction"


def paper(name: str, relevance: float, **facts: Any) -> RankedPaper:
    """Make a result that a language model judged."""
    usual = {"title": f"Graph networks {name}", "score": relevance, "reasoning": name, "basis": "llm", "found_by": ()}
    return RankedPaper.model_validate({"id": f"doi:10.1000/{name}", "relevance": relevance, **usual, **facts})


def collection(*results: RankedPaper, weaker: tuple[RankedPaper, ...] = ()) -> PaperCollection:
    """Make what a round found."""
    return PaperCollection(total_candidates=9, shortlisted=9, results=results, weaker=weaker)


def test_a_paper_of_two_rounds_is_one() -> None:
    """A preprint and its publication: the facts of both, each with its source, the better verdict, all strategies."""
    preprint = {"title": TITLE, "year": 2020, "authors": ("Ada Lee",), "ids": PaperIds(arxiv="2001.00001")}
    known = {"title": "arxiv", "arxiv": "arxiv", "year": "arxiv", "authors": "arxiv"}
    first = paper("a", 0.9, **preprint, id="arxiv:2001.00001", provenance=known,
                  found_by=(FoundBy(strategy="arxiv", rank=4),))  # fmt: skip
    published = {"title": TITLE, "year": 2021, "venue": "Journal", "authors": ("Ada Lee",), "type": "article"}
    again = paper("b", 0.4, **published, ids=PaperIds(doi="10.1000/b", arxiv="2001.00001"), citations=7,
                  provenance=dict.fromkeys(("title", "doi", "venue", "year", "citations", "arxiv"), "openalex"),
                  found_by=(FoundBy(strategy="openalex", rank=1), FoundBy(strategy="arxiv", rank=2)))  # fmt: skip
    joined = join(collection(first), collection(paper("c", 0.5), weaker=(again,)), REQUEST)
    one, other = joined.results
    assert (one.id, one.year, one.venue, one.citations) == ("doi:10.1000/b", 2021, "Journal", 7)
    assert (one.relevance, one.reasoning, one.ids.arxiv) == (0.9, "a", "2001.00001")
    assert one.found_by == (FoundBy(strategy="arxiv", rank=2), FoundBy(strategy="openalex", rank=1))
    assert (one.provenance["venue"], one.provenance["authors"]) == ("openalex", "arxiv")
    assert (other.id, joined.weaker) == ("doi:10.1000/c", ())
    assert [facet.value for facet in joined.facets.by_year] == ["2021"]


def test_the_order_and_the_line_are_those_of_all_rounds() -> None:
    """What was weaker stays so; what is below the threshold, or by rules far below the best, is weaker too."""
    rules = {"basis": "rules"}
    before = collection(paper("a", 0.3, **rules), paper("b", 0.25, **rules), weaker=(paper("w", 0.8, **rules),))
    joined = join(before, collection(paper("c", 0.55, **rules)), REQUEST)
    assert [[one.reasoning for one in part] for part in (joined.results, joined.weaker)] == [["c"], ["w", "a", "b"]]
    judged = join(collection(paper("t", 0.3)), collection(paper("u", 0.29)), REQUEST)
    assert [[one.reasoning for one in part] for part in (judged.results, judged.weaker)] == [["t"], ["u"]]
