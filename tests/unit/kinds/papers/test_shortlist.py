"""The batches of all sources become distinct papers, filtered and completed, and the best of them scoring tasks."""

import json
import random
from typing import Any

import pytest
from goldpan.engine.payload import TASKS_BYTES, task_budget
from goldpan.infra.llm.port import LanguageModelFailed
from goldpan.kinds.papers.models import Paper, Shortlist
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.fakes import SPENT, FakeModel
from tests.support.hostile import UNITS, filled
from tests.support.paper_fakes import (
    ABOUT_CATS,
    ListedPapers,
    batch,
    candidates,
    failed,
    paper,
    scout_task,
    shortlisted,
    translation,
)

JOURNAL = paper("Deep cats in graphs", venue="Journal of Cats", year=2021)
PROCEEDINGS = paper("Deep cats in graphs", venue="Proceedings of the Conference on Cats", year=2020)
"""The rules leave open whether these two are one paper."""


def titles(found: Shortlist) -> list[str]:
    """List their titles."""
    return [candidate.merged.paper.title for candidate in candidates(found)]


def test_the_records_of_one_paper_are_one_candidate() -> None:
    """An arXiv id, a DOI with it, and the DOI alone: one paper with the place of each source that found it."""
    found = shortlisted(
        batch("arxiv", paper("Other graphs"), paper(arxiv="2101.00001")),
        batch("openalex", paper(arxiv="2101.00001", doi="10.1000/cats")),
        batch("crossref", paper(doi="10.1000/cats", venue="Journal of Cats"), paper(doi="10.1000/cats")),
        failed("semantic_scholar"),
    )
    cats = next(one.merged for one in candidates(found) if one.merged.paper.ids.doi)
    assert [(by.strategy, by.rank) for by in cats.found_by] == [("arxiv", 2), ("crossref", 1), ("openalex", 1)]
    assert (cats.paper.ids.arxiv, cats.paper.venue, cats.provenance["venue"]) == (
        "2101.00001", "Journal of Cats", "crossref",
    )  # fmt: skip
    assert found.total_candidates == len(candidates(found)) == 2
    assert [row.status for row in found.sources] == ["ok", "ok", "ok", "unavailable"]


def test_a_constraint_drops_what_breaks_it_and_keeps_what_is_unknown() -> None:
    """Below what is known to meet it and nearly as relevant, and counted by rule."""
    old, unknown = paper("Cats and graphs, an older study", year=1999), paper("Cats and graphs", year=None)
    known = [paper(f"Cats {word} graphs", year=2022) for word in ("near", "beside")]
    found = shortlisted(batch("arxiv", old, unknown, *known), asked=translation(year_from=2020))
    assert titles(found) == ["Cats beside graphs", "Cats near graphs", "Cats and graphs"]
    assert [one.unverified for one in candidates(found)] == [(), (), ("year",)]
    assert (found.dropped, found.total_candidates) == ({"year": 1}, 4)
    weak = paper("A study of cats, dogs, birds, fish, horses, mice and other animals of the farm", year=2022)
    assert titles(shortlisted(batch("arxiv", weak, unknown), asked=translation(year_from=2020)))[1] == weak.title


def test_a_liked_paper_is_compared_with_even_if_it_breaks_a_constraint() -> None:
    """“Papers like X since 2022” asks for newer ones than X, which is left out later."""
    asked = translation(year_from=2022)
    asked = asked.model_copy(update={"intent": asked.intent.model_copy(update={"likes": ("Deep cats",)})})
    found = shortlisted(batch("arxiv", paper("Deep cats", year=2017), paper("Cats and graphs", year=2023)), asked=asked)
    assert sorted(titles(found)) == ["Cats and graphs", "Deep cats"]


def test_relevance_decides_what_is_scored() -> None:
    """Not citations, nor the place in a list; thirty papers in three tasks, and by rules up to two hundred."""
    famous = [paper(f"Databases {number}", citations=90_000) for number in range(210)]
    found = shortlisted(batch("arxiv", *famous, paper()), asked=translation(calls=2))
    assert titles(found)[0] == "Cats and graphs"
    assert [len(task.candidates) for task in found.tasks] == [10, 10, 10]
    assert [task.ask_llm for task in found.tasks] == [True, True, False]
    assert [len(task.candidates) for task in found.further] == [10] * 17


def test_the_order_of_the_batches_changes_nothing() -> None:
    """Not the sources', nor that of equal papers."""
    batches = [
        batch(source, *(paper(f"Cats {number} graphs", doi=f"10.1000/{number}") for number in range(9)))
        for source in ("arxiv", "crossref", "openalex")
    ]
    found = [shortlisted(*random.Random(seed).sample(batches, 3)).tasks for seed in range(4)]
    assert found[1:] == found[:1] * 3


@pytest.mark.parametrize(("calls", "asked"), [(0, 0), (1, 1), (40, 1)])
def test_possible_duplicates_are_asked_about_in_one_call(calls: int, asked: int) -> None:
    """If a call is left; it is counted, one less is left for scoring, and the stage has time left after it."""
    model = FakeModel([{"groups": [["r1", "r2"]]}])
    batches = batch("crossref", JOURNAL), batch("openalex", PROCEEDINGS)
    found = shortlisted(*batches, asked=translation(calls=calls), model=model)
    assert found.tasks[0].retries == (8 if calls == 40 else 0)
    assert (model.seconds, found.usage.llm_calls) == ([3.5] * asked, asked)
    assert len(candidates(found)) == found.total_candidates == 2 - asked
    assert found.tasks[0].ask_llm == (calls - asked > 0)


@pytest.mark.parametrize(("better", "asked"), [(57, 1), (59, 0)])
def test_duplicates_that_cannot_be_shortlisted_are_not_asked_about(better: int, asked: int) -> None:
    """A call costs time and money, and only sixty papers can come into the shortlist by joining duplicates."""
    model = FakeModel([{"groups": []}])
    others = [paper(f"Cats and graphs {number}", doi=f"10.1000/{number}") for number in range(better)]
    weak = [each.model_copy(update={"title": "Deep learning in large networks"}) for each in (JOURNAL, PROCEEDINGS)]
    batches = batch("arxiv", *others), batch("crossref", weak[0]), batch("openalex", weak[1])
    found = shortlisted(*batches, asked=translation(calls=9), model=model)
    assert len(model.prompts) == asked
    assert sum(len(task.candidates) for task in (*found.tasks, *found.further)) == found.total_candidates == better + 2


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (LanguageModelFailed("no answer", SPENT), "no answer"),
        ({"groups": "all"}, "the language model's answer breaks the form: groups: must be a list"),
    ],
)
def test_a_failed_call_leaves_possible_duplicates_apart(answer: dict[str, object] | Exception, why: str) -> None:
    """With a warning, and with what it cost."""
    model = FakeModel([answer])
    batches = batch("crossref", JOURNAL), batch("arxiv", PROCEEDINGS)
    found = shortlisted(*batches, asked=translation(calls=9), model=model)
    assert len(candidates(found)) == 2
    assert found.usage.llm_calls == 1
    assert found.warnings == (f"Possible duplicates stay apart: the language model failed: {why}",)


def test_what_the_language_model_joined_stays_one_after_a_look_up() -> None:
    """Facts that are looked up undo no decision that was paid for."""
    lacking = JOURNAL.model_copy(update={"ids": paper(doi="10.1000/cats").ids})
    sources = {"europe_pmc": ListedPapers(known=[lacking.model_copy(update={"abstract": "All about cats."})])}
    model = FakeModel([{"groups": [["r1", "r2"]]}])
    batches = batch("crossref", lacking), batch("openalex", PROCEEDINGS), batch("europe_pmc")
    (one,) = candidates(shortlisted(*batches, asked=translation(calls=9), model=model, sources=sources))
    assert one.merged.paper.abstract == "All about cats."
    assert {by.strategy for by in one.merged.found_by} == {"crossref", "openalex"}


@settings(max_examples=6)
@given(unit=st.sampled_from(UNITS), length=st.integers(1, 1200), ids=st.integers(1, 2000), sources=st.integers(1, 3))
def test_the_tasks_fit_into_the_state(unit: str, length: int, ids: int, sources: int) -> None:
    """Whatever the texts hold; beside verdicts as large as they may be."""
    words = tuple(f"{filled(unit, 60)}{number}" for number in range(12))
    asked = translation(*words, excluded_terms=words[:3], year_from=2020)
    names = ("openalex", "crossref", "arxiv")[:sources]
    batches = [batch(name, *(_hostile(unit, length, ids, number, name) for number in range(34))) for name in names]
    found = shortlisted(*batches, asked=asked)
    tasks = [task.model_dump(mode="json", exclude_defaults=True) for task in found.tasks]
    assert len(json.dumps(tasks, ensure_ascii=False).encode()) <= 30 * task_budget(asked, 30) <= TASKS_BYTES
    assert len(candidates(found)) == 30 or "too long to carry" in found.warnings[-1]


def test_a_paper_with_too_many_names_keeps_its_first_authors() -> None:
    """It is shown with less, rather than left out."""
    authors = tuple(f"{filled('x', 300)}{place}" for place in range(20))
    [one] = candidates(shortlisted(batch("arxiv", paper("Cats and graphs", authors=authors))))
    assert one.merged.paper.authors == (*authors[:5], "et al.")


def _hostile(unit: str, length: int, ids: int, number: int, source: str) -> Paper:
    text, address = filled(unit, length), f"https://example.org/{number}/{filled('x', 300)}"
    facts = {"abstract": text, "snippet": text, "url": address, "pdf_url": address, "venue": filled(unit, 60)}
    facts |= {"doi": f"10.1000/{number}{filled('x', ids)}", "arxiv": f"2101.{number:05}"}
    facts["type"] = "preprint" if source == "arxiv" else "article"
    authors = tuple(f"{filled(unit, 30)}{place}" for place in range(20))
    return paper(f"cats {number} {text}", authors=authors, year=None if number % 2 else 2021, **facts)


@pytest.mark.parametrize(
    ("constraint", "rule", "why"),
    [
        ({"year_to": 2020}, "year", "from other years"),
        ({"venues": ("NeurIPS",)}, "venue", "from other venues"),
        ({"open_access": True}, "open access", "by whether they are open access"),
        ({"authors": ("Ada Lovelace",)}, "author", "by other authors"),
    ],
)
def test_where_nothing_meets_the_constraints_the_nearest_is_named(
    constraint: dict[str, Any], rule: str, why: str
) -> None:
    """The sources filtered all of it away, so a free one is asked once more without the constraints, by words alone."""
    facts: dict[str, Any] = {"venue": "Journal of Cats", "open_access": False, "type": "article", "abstract": "Cats."}
    found = [paper(doi="10.1000/cats", **facts), paper("Dogs alone", doi="10.1000/dogs", **facts)]
    asked = translation(**constraint)
    query = ABOUT_CATS.model_copy(update={"sentence": "cats of all kinds"})
    task = scout_task("crossref", 30_000, query).model_copy(update={"constraints": asked.intent.constraints})
    free = ListedPapers(found, known=())
    sources = {"crossref": free, "serpapi": ListedPapers(found)}
    asked = asked.model_copy(update={"tasks": (task, task.model_copy(update={"source": "serpapi"}))})
    kept = batch("serpapi", paper("Birds alone", doi="10.1000/birds", **facts))
    chosen = shortlisted(batch("crossref"), kept, asked=asked, sources=sources)
    assert (chosen.dropped, chosen.tasks, len(free.searched)) == ({rule: 3}, (), 1)
    assert chosen.warnings == (f"Nothing meets all constraints; the nearest is doi:10.1000/cats, {why}.",)
    assert (sources["serpapi"].searched, free.searched) == ([], [ABOUT_CATS])
    unlimited = asked.model_copy(update={"tasks": (scout_task("crossref"),)})
    assert shortlisted(batch("crossref"), asked=unlimited, sources=sources).total_candidates == 0
