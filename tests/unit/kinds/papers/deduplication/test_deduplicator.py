"""The language model decides what the rules leave open: one bounded call, and nothing that the rules forbid."""

import json

import pytest
from goldpan.config import PipelineConfig
from goldpan.engine.deadlines import Deadline
from goldpan.kinds.papers.deduplication.deduplicator import Deduplicator, Judged
from goldpan.kinds.papers.deduplication.grouping import Record

from tests.support.fakes import SPENT, FakeClock, FakeModel
from tests.unit.kinds.papers.deduplication.records import TITLE, partition, record

RECORDS = [
    record("a", ids={"doi": "10.1038/s42256"}),
    record("b", ids={"doi": "10.1145/3292500"}),
    record("c"),
    record("p", "Deep learning for proteins", venue="Proceedings of X", authors=("Ada Roe",)),
    record("q", "Deep learning for proteins", venue="Journal of X", authors=("Ada Roe",), year=2021),
]
APART = {frozenset([each.key]) for each in RECORDS}


def judged(*answers: dict[str, object], records: list[Record] = RECORDS) -> tuple[Judged, FakeModel]:
    """Return what becomes of the model's answer."""
    model = FakeModel(answers)
    deadline = Deadline.after(5, FakeClock())
    deduplicator = Deduplicator(records, model, PipelineConfig())
    return deduplicator.decide(deduplicator.by_rules(), {each.key for each in records}, deadline), model


def test_the_model_joins_what_it_names_in_one_call() -> None:
    """It sees titles, years and first authors, as data; what is joined says so."""
    result, model = judged({"groups": [["r1", "r3"], ["r4", "r5"]]})
    assert partition(result.deduplicated) == {frozenset("ac"), frozenset("b"), frozenset("pq")}
    assert (result.usage.llm_calls, result.warnings, len(model.prompts)) == (SPENT.llm_calls, (), 1)
    assert model.prompts[0].is_untrusted
    sent = json.loads(model.prompts[0].user)["sets"]
    assert [len(each) for each in sent] == [3, 2]
    assert sent[0][0] == {"id": "r1", "title": TITLE, "year": 2020, "first_author": "Andres M. Bran"}
    assert any("language model" in reason for group in result.deduplicated.groups for reason in group.reasons)


@pytest.mark.parametrize("named", [["r1", "r2"], ["r1", "r2", "r3"], ["r3", "r4"], ["r1", "r99"]])
def test_what_is_forbidden_or_unknown_leaves_the_papers_apart(named: list[str]) -> None:
    """Different published DOIs, papers of two sets, and ids that it invented."""
    assert partition(judged({"groups": [named]})[0].deduplicated) == APART


def test_the_model_is_asked_about_a_bounded_number_of_papers_and_not_for_nothing() -> None:
    """Sets that do not fit stay apart."""
    assert judged(records=RECORDS[:1])[1].prompts == []
    many = [
        record(f"{kind}{number}", f"Deep learning for protein family {number}", venue=f"{kind} of X", year=year)
        for number in range(50)
        for kind, year in (("Journal", 2021), ("Proceedings", 2020))
    ]
    _, model = judged({"groups": []}, records=many)
    assert sum(map(len, json.loads(model.prompts[0].user)["sets"])) == 40
