"""The request and the answer: defaults, limits, and their form in JSON."""

import json

import pytest
from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.stage_values import KindResult
from goldpan.errors import InvalidRequest
from goldpan.kind_table import KINDS
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.results import PaperCollection
from goldpan.kinds.registry import all_kinds
from goldpan.kinds.repositories.results import RepositorySection
from goldpan.kinds.repositories.stages import SearchState
from pydantic import BaseModel

from tests.support import toy_kind
from tests.support.factories import NOW, ListedSource, answer, repository


def test_the_limits_are_allowed_values() -> None:
    """The longest question, extreme numbers and a library beside repositories pass; a repeated name counts once."""
    numbers = {"max_results": 25, "max_seconds": 5, "max_llm_calls": 0}
    given = parse_request({"query": "x" * 500, "sources": ["github", "github"], **numbers})
    assert (given.max_llm_calls, given.sources) == (0, ("github",))
    mine = {"query": "x", "kinds": ["repositories", "papers"], "project_id": "thesis-2", "library_only": True}
    assert parse_request({**mine, "sources": ["library", "github"]}).library_only


def test_a_comparison_without_a_question_has_the_names_as_its_query() -> None:
    """However long these are; with a question it has that."""
    longest = [f"{'o' * 39}/{letter * 100}" for letter in "abcd"]
    given = parse_request({"compare": longest})
    assert (len(given.query), given.has_question) == (500, False)
    assert SearchRequest.model_validate_json(given.model_dump_json()) == given
    assert parse_request({"compare": longest, "query": "a motion library"}).has_question


def test_a_section_is_a_field_of_the_answer_named_by_its_kind() -> None:
    """In JSON and as an attribute; a kind that was not requested is absent, respectively None."""
    full = answer(ListedSource([repository()]))
    written = json.loads(full.to_json())
    assert list(written)[:4] == ["query", "mode", "interpretation", "repositories"]
    assert written["repositories"]["results"][0]["repo"] == "example-org/motion"
    assert written["answered_at"] == "2026-08-22T12:00:00Z"
    assert full.repositories is full.sections["repositories"]
    papers = PaperCollection(total_candidates=0, shortlisted=0, results=())
    both = full.model_copy(update={"sections": {"papers": papers, **full.sections}})
    assert list(Answer.model_validate_json(both.to_json()).sections) == ["papers", "repositories"]
    empty = Answer(query="x", mode="balanced", answered_at=NOW)
    assert "repositories" not in json.loads(empty.to_json())
    assert empty.repositories is None
    with pytest.raises(AttributeError, match="'Answer' object has no attribute 'videos'"):
        _ = empty.videos


def test_a_page_is_cut_from_a_section() -> None:
    """It is whole with all that there is, weaker results included; a page of a page is that page."""
    one, *weak = answer(ListedSource([repository(f"a/{n}") for n in range(3)])).repositories.results
    section = RepositorySection(total_candidates=3, shortlisted=3, results=(one,), weaker=tuple(weak))
    pages = [section.page(offset, 2) for offset in (0, 2)]
    shown = [(len(each.results), len(each.weaker), each.is_whole) for each in (section, *pages)]
    assert shown == [(1, 2, True), (1, 1, False), (0, 1, False)]
    assert [each.page(each.offset, 2) for each in pages] == pages


def test_only_a_kind_that_continues_searches_takes_another_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """One wish is a list of one; wishes and strategies are refused by a kind that reads none; both are bounded."""
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)
    strategies: list[dict[str, object]] = [{"queries": []}]
    both = {"query": "x", "kinds": ["repositories", "papers"], "feedback": " fewer surveys ", "sort": "citations"}
    given = parse_request({**both, "previous_strategies": strategies})
    for written in ('" fewer surveys "', '["fewer surveys"]'):
        text = f'{{"query": "x", "feedback": {written}}}'
        assert SearchRequest.model_validate_json(text, strict=True).feedback == given.feedback, "as over HTTP"
    assert (given.feedback, given.previous_strategies) == (("fewer surveys",), ({"queries": []},))
    for field, value in {"feedback": ["x"], "previous_strategies": strategies}.items():
        with pytest.raises(InvalidRequest, match=f"{field}: is for a search of repositories or papers, which kinds"):
            parse_request({"query": "x", "kinds": ["toys"], field: value})
    many: list[tuple[str, list[object]]] = [("feedback", ["x" * 490] * 9), ("previous_strategies", [{}] * 11)]
    for field, value in [*many, ("feedback", ["a\nb"]), ("previous_strategies", [{"a": "x" * 12_288}])]:
        with pytest.raises(InvalidRequest, match=field):
            parse_request({**both, field: value})


def test_no_value_of_a_search_can_be_changed() -> None:
    """A stage returns new values: those of the contracts and of every kind are frozen."""
    models: list[type[BaseModel]] = [SearchRequest, Answer, SearchState, KindResult]
    models += [model for kind in all_kinds() for model in (*vars(kind.models).values(), kind.section)]
    assert len(models) >= 18
    assert [model.__name__ for model in models if not model.model_config.get("frozen")] == []
