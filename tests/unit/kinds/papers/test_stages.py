"""The papers kind as the engine runs it: its pace, what it says of each stage, and the papers of two rounds as one."""

from typing import Any

from goldpan.contracts import FoundBy
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.events import SearchEvent
from goldpan.infra.llm.port import Prompt
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.models import PaperIds
from goldpan.kinds.papers.results import PaperCollection, RankedPaper
from goldpan.kinds.papers.stages import join

from tests.support.factories import events
from tests.support.fakes import FakeClock, FakeModel
from tests.support.paper_fakes import ListedPapers, request
from tests.support.paper_fakes import paper as record


class SlowModel(FakeModel):
    """A language model whose calls take a number of seconds, and that gives every paper a score of 0.8."""

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        super().__init__(())
        self._clock, self._waits = clock, seconds

    def answer(self, prompt: Prompt) -> dict[str, object]:
        """Answer late."""
        self._clock.wait(min(self._waits, self.seconds[-1]))
        shown = prompt.user.split('"id": "')[1:]
        return {"results": [{"id": part[:8], "relevance": 0.8, "reasoning": "It fits."} for part in shown]}


def searched(seconds: float = 1.0, **fields: Any) -> tuple[list[SearchEvent], Answer]:
    """Search over one source that finds forty papers, with a model that takes its time."""
    found, clock = [record(f"Cats {number} graphs", doi=f"10.1000/{number}") for number in range(40)], FakeClock()
    reached = Dependencies(clock=clock, sources={"arxiv": ListedPapers(found)}, llm=SlowModel(clock, seconds))
    seen = events(request(**fields), reached)
    answer = seen[-1].answer
    assert answer is not None
    return seen, answer


def test_each_stage_is_described_by_what_it_did() -> None:
    """As the command shows it while it runs."""
    seen, answer = searched()
    assert [event.message for event in seen] == [
        "Query translated", "Found 40 paper records", "Shortlisted 30 papers", "Scored 30 papers",
        "Ranked 40 papers", "Answered",
    ]  # fmt: skip
    assert answer.usage.llm_calls == 4
    assert [one.basis for one in answer.sections["papers"].results] == ["llm"] * 30 + ["rules"] * 10


def test_scoring_ends_at_the_target_of_papers() -> None:
    """One call after the other; what is not scored by then keeps its place by the rules, with a warning."""
    config = {"papers_target_seconds": 6, "target_seconds": 3, "llm_timeout_seconds": 20}
    _, answer = searched(seconds=4.0, max_results=25, config=config)
    assert answer.execution_time_ms.total <= 6000
    (section,) = answer.sections.values()
    assert {row.basis for row in section.results} == {"llm", "rules"}
    assert any("papers were ordered by rules" in warning for warning in answer.warnings)


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
