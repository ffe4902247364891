"""A question becomes search parameters and scout tasks, with a language model or without one."""

from __future__ import annotations

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.question.rules import translate_by_rules
from goldpan.kinds.repositories.sources.query_syntax import render
from goldpan.kinds.repositories.translate import plan_fallback, translate

from tests.support.factories import QueuedModel, StillClock, request
from tests.unit.kinds.repositories.question.test_llm import GOOD, QUESTION, Searches, by_rules, translated


def test_without_a_model_or_calls_the_rules_translate() -> None:
    """Without a model a warning says so; a request that allows no call gets none, and nothing from the cache."""
    searches = Searches(GOOD)
    searches.translate()
    assert by_rules().warnings[0].startswith("No language model is configured")
    without_calls = searches.translate(max_llm_calls=0)
    assert (without_calls.warnings, without_calls.params) == ((), translate_by_rules(QUESTION, "balanced"))
    assert len(searches.model.prompts) == 1


def test_words_of_the_model_never_become_qualifiers() -> None:
    """Quotes, colons, operators and parentheses in its answer search for words only."""
    sly = ['"react"', "stars:>1", "-topic:vue", "user:evil/repo", "(a OR b)", "NOT c", "fork:true"]
    answer = {**GOOD, "keywords": sly, "expanded_keywords": sly, "topics": sly, "language": "Evil stars:>1"}
    translation = translated(answer)
    assert translation.params.language is None
    queries = [render(search).text for task in translation.tasks for search in task.searches]
    for part in (part for query in queries for part in query.split()):
        name, colon, value = part.partition(":")
        assert not set('"()/') & set(part)
        assert part not in {"OR", "NOT", "AND"}
        assert not part.startswith("-")
        assert not colon or name in {"stars", "pushed", "topic"}
        assert (name, colon) != ("stars", ":") or value == ">=50"


def test_a_model_needs_no_cache() -> None:
    """Without one every search calls it."""
    clock, model = StillClock(), QueuedModel()
    dependencies = Dependencies(clock=clock, llm=model)
    for _ in range(2):
        translation = translate(request(), ("github",), dependencies, Deadline.after(5, clock))
        assert translation.params.keywords == ("react", "animation")
    assert len(model.prompts) == 2


def test_a_question_without_a_word_is_refused() -> None:
    """The message names the field."""
    with pytest.raises(InvalidRequest, match="query: holds no word to search for"):
        by_rules("?!")


def test_an_answer_that_no_query_can_hold_is_replaced_by_the_rules() -> None:
    """A stop word alone would search for everything; long keywords are left out."""
    assert translated({"keywords": ["the"]}).params == by_rules().params
    long = {"keywords": [f"{n}" + "x" * 59 for n in range(12)]}
    assert sum(len(keyword) for keyword in translated(long).params.keywords) <= 500


def test_a_fallback_searches_other_sources_for_the_same() -> None:
    """And says why."""
    planned = by_rules()
    fallback = plan_fallback(planned, request(), ["catalogue"], Dependencies(clock=StillClock()), "GitHub failed.")
    assert fallback.params == planned.params
    assert {task.source for task in fallback.tasks} == {"catalogue"}
    assert fallback.warnings == (*planned.warnings, "GitHub failed.")
