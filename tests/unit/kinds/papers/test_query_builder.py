"""The queries that rules build of an intent, and how feedback changes them."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from goldpan.contracts import Mode, parse_request
from goldpan.kinds.papers.intent import IntentParser, Reading
from goldpan.kinds.papers.models import PaperQuery, ParsedIntent, SearchStrategy
from goldpan.kinds.papers.query_builder import QueryBuilder, queries_for
from goldpan.kinds.papers.translate import read_rounds

TODAY = date(2026, 8, 22)
QUESTION = "effect of teacher burnout on student engagement using EEG"


def intent(question: str = QUESTION) -> ParsedIntent:
    """Read a question."""
    return IntentParser(TODAY).parse(question).intent


def leads(strategy: SearchStrategy) -> list[list[str]]:
    """Return the first wording of each concept of each query."""
    return [[concept[0] for concept in query.concepts] for query in strategy.queries]


@pytest.mark.parametrize(("mode", "count"), [("focused", 2), ("balanced", 3), ("exploratory", 4)])
def test_the_mode_decides_how_many_queries_there_are(mode: Mode, count: int) -> None:
    """From all concepts to the subject and its methods; each is a query of its own, so that none narrows another."""
    strategy = QueryBuilder(mode, ("openalex", "arxiv")).build(intent())
    assert strategy.sources == ("openalex", "arxiv")
    expected = [
        ["teacher burnout", "student engagement", "electroencephalography", "effect"],
        ["teacher burnout", "electroencephalography", "student engagement"],
        ["teacher burnout", "electroencephalography", "effect"],
        ["teacher burnout", "student engagement", "effect"],
    ]
    assert leads(strategy) == expected[:count]
    assert strategy.queries[0].concepts[2] == ("electroencephalography", "EEG")


LIKE = "papers like 'Attention is all you need' for audio"


@pytest.mark.parametrize(
    ("mode", "question", "place", "expected"),
    [
        ("exploratory", "papers by Ada Lovelace and Grace Hopper", slice(None), [["Ada Lovelace", "Grace Hopper"]]),
        ("balanced", LIKE, slice(2), [["Attention is all you need"], ["audio", "attention"]]),
        ("focused", "Attention Is All You Need", slice(1), [["Attention Is All You Need"]]),
        ("focused", "graphs like 10.5555/a and like 10.5555/b", slice(2, 3), [["graphs"]]),
    ],
    ids=["authors alone", "liked paper", "whole title", "liked papers"],
)
def test_what_is_searched_for(mode: Mode, question: str, place: slice, expected: list[list[str]]) -> None:
    """Authors as one query, and titles first."""
    assert leads(QueryBuilder(mode, ("a",)).build(intent(question)))[place] == expected


def test_a_source_gets_the_first_queries() -> None:
    """As many as it takes."""
    queries = QueryBuilder("balanced", ("arxiv",)).build(intent()).queries
    assert queries_for(queries, 1, intent()) == queries_for(queries, 0, intent()) == queries[:1]
    assert queries_for(queries, 2, intent()) == queries[:2]
    liked = intent(LIKE)
    queries = QueryBuilder("balanced", ("arxiv",)).build(liked).queries
    assert queries_for(queries, 1, liked) == queries[1:2]
    ids = intent("10.1000/a 10.1000/b arXiv:2101.00001")
    queries = QueryBuilder("focused", ("arxiv",)).build(ids).queries
    assert [query.concepts[0][0] for query in queries_for(queries, 1, ids)] == [*ids.likes]
    assert len(ids.likes) == 3


def test_earlier_queries_are_not_repeated() -> None:
    """Whatever their spelling, for the same constraints; what has not the form of a strategy is passed over."""
    first = QueryBuilder("balanced", ("a",)).build(intent())
    broken: list[Any] = [{"queries": None}, {"queries": [3, {"concepts": "x"}, {"concepts": [None, ["x", 3]]}]}, {}]
    again = QueryBuilder("balanced", ("a",), [first.model_dump(mode="json"), *broken]).build(intent())
    assert not set(map(str, leads(first))) & set(map(str, leads(again)))
    for year, repeated in ((2020, 0), (2010, 3)):
        previous = {**first.model_dump(mode="json"), "constraints": {"year_from": year}}
        then = QueryBuilder("balanced", ("a",), [previous]).build(intent(f"{QUESTION} since 2020"))
        assert sum(query in leads(then) for query in leads(first)) == repeated
    spelled = {"queries": [{"concepts": [["CRISPR", "Gene-Editing", "genome editing", "crispr cas9"]]}]}
    (query,) = QueryBuilder("balanced", ("a",), [spelled]).build(intent("CRISPR")).queries
    assert query.concepts == (("CRISPR",),)


def test_another_round_searches_for_fewer_concepts() -> None:
    """After the queries that leave one concept out; of a model's queries those that were not sent yet."""
    asked = intent("image segmentation of brain tumors in children using convolutional neural networks")
    first = QueryBuilder("exploratory", ("a",)).build(asked).model_dump(mode="json")
    again = QueryBuilder("exploratory", ("a",), [first]).build(asked)
    assert ["image segmentation", "convolutional neural networks"] in leads(again)
    proposed = [PaperQuery(concepts=((name,),)) for name in "abcde"]
    by_model = QueryBuilder("balanced", ("a",)).complete(asked, proposed)
    then = QueryBuilder("balanced", ("a",), [by_model.model_dump(mode="json")]).complete(asked, proposed)
    assert (by_model.queries, then.queries) == (tuple(proposed[:3]), tuple(proposed[3:]))


def refined(question: str, *wishes: str, ignore: Sequence[str] = ()) -> Reading:
    """Read a question with wishes."""
    fields = {"query": question, "kinds": ["papers"], "feedback": wishes, "ignore": ignore}
    return read_rounds(parse_request(fields), TODAY)


@pytest.mark.parametrize(
    ("wish", "concepts", "constraints"),
    [
        ("more on evaluation, fewer surveys", ("RAG", "evaluation"), {"excluded_types": ("review",)}),
        ("only open access since 2023, please", ("RAG",), {"open_access": True, "year_from": 2023}),
        ("too much medicine, focus on legal documents", ("RAG", "legal documents"), {"excluded_terms": ("medicine",)}),
        ("only surveys", ("RAG",), {"types": ("review",)}),
        ("more surveys, include preprints", ("RAG", "survey"), {}),
        ("too old, more papers by Ada Lovelace", ("RAG",), {"authors": ("Ada Lovelace",)}),
        ("less theory, fewer results about contracts", ("RAG",), {"excluded_terms": ("theory", "contracts")}),
        ("the first one was great, more of that", ("RAG",), {}),
    ],
)
def test_a_wish_changes_the_strategy(wish: str, concepts: tuple[str, ...], constraints: dict[str, Any]) -> None:
    """It is a part that can be taken away; one that changes nothing is noted."""
    before, reading = refined("RAG"), refined("RAG", wish)
    named = tuple("RAG" if one == "retrieval augmented generation" else one for one in reading.intent.concepts)
    assert named == concepts
    assert reading.intent.constraints.model_dump(exclude_defaults=True) == constraints
    assert bool(reading.notes) == (reading.intent == before.intent)
    (chip,) = (part for part in reading.parts if part.kind == "wish")
    assert refined("RAG", wish, ignore=[chip.id]) == before


@pytest.mark.parametrize(
    ("wishes", "applied"),
    [
        (["since 2022"], ["since 2022", "not review"]),
        (["before 2016"], ["until 2015", "not review"]),
        (["only surveys"], ["since 2018", "type review"]),
        (["more surveys"], ["since 2018"]),
        (["no preprints"], ["since 2018", "not review", "not preprint"]),
        (["only surveys", "since 2020, newer", "no surveys"], ["since 2020", "recent first", "not review"]),
        (["at ACL", "at EMNLP instead"], ["since 2018", "in EMNLP", "not review"]),
        (["at ACL", "also at EMNLP"], ["since 2018", "in ACL", "in EMNLP", "not review"]),
    ],
)
def test_of_wishes_that_contradict_the_newest_one_holds(wishes: list[str], applied: list[str]) -> None:
    """What it takes the place of is not shown beside it; the other wishes hold."""
    parts = refined("graph neural networks since 2018, no surveys", *wishes).parts
    assert [part.value for part in parts if part.kind == "wish"] == wishes
    assert [part.value for part in parts if part.kind not in {"term", "wish"}] == applied


def test_a_new_concept_comes_second_and_a_broader_search_leaves_the_last_one_out() -> None:
    """So the new one is not left out first; nor is the only one of the question."""
    question, wishes = "graph neural networks for traffic", ["more on attention", "broader", "broader"]
    assert refined(question, wishes[0]).intent.concepts == ("graph neural networks", "attention", "traffic")
    assert refined(question, *wishes).intent.concepts == ("graph neural networks", "attention")
