"""The searches of a question: the base, its relaxed forms, and one for each expanded keyword."""

from __future__ import annotations

from datetime import date
from itertools import chain

import pytest
from goldpan.config import PipelineConfig
from goldpan.kinds.repositories.models import RepositorySearch, ScoutTask, SearchParams, StarRange
from goldpan.kinds.repositories.question.rules import translate_by_rules
from goldpan.kinds.repositories.question.searches import plan_tasks
from goldpan.kinds.repositories.question.vocabulary import vocabulary
from goldpan.text import words
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import TEN_QUESTIONS

TODAY = date(2026, 8, 22)
QUESTIONS = st.lists(
    st.sampled_from(["react", "rust", "vue", "CLI", "orm", "state management", "parser", "library", "tool", "zzyzx"]),
    min_size=1,
    max_size=6,
    unique=True,
).map(" ".join)


def planned(params: SearchParams | str, limit: int = 15, **config: object) -> tuple[ScoutTask, ...]:
    """Plan the searches at one source."""
    params = translate_by_rules(params, "exploratory") if isinstance(params, str) else params
    return plan_tasks(params, [("github", limit)], PipelineConfig.model_validate(config), TODAY)


def searches(tasks: tuple[ScoutTask, ...], strategy: str | None = None) -> list[RepositorySearch]:
    """List the searches of one strategy, or of all."""
    return list(chain.from_iterable(task.searches for task in tasks if strategy in (None, task.strategy)))


@pytest.mark.parametrize("question", TEN_QUESTIONS)
def test_the_base_is_the_first_search_by_stars(question: str) -> None:
    """All words of the question, none added, are asked for first."""
    params = translate_by_rules(question, "exploratory")
    first = searches(planned(params), "stars")[0]
    assert set(first.words) == set(words(" ".join(params.keywords))) - {"and", "for"}
    assert (first.language, first.topics, first.sort) == (None, (), "stars")


@settings(max_examples=100, deadline=None)
@given(QUESTIONS)
def test_a_further_search_only_ever_asks_for_less(question: str) -> None:
    """A form of the question has no word that the question lacks, but for another name of its platform."""
    asked = set(words(question))
    names = {
        frozenset(words(name))
        for concept in vocabulary().concepts(question)
        if concept.platform
        for name in concept.platform.also
    }
    for search in searches(planned(question), "stars") + searches(planned(question), "recency"):
        added = set(search.words) - asked
        assert not added or any(added <= name for name in names)


@pytest.mark.parametrize("question", TEN_QUESTIONS)
def test_an_expanded_keyword_stands_with_the_platform_alone(question: str) -> None:
    """What was added to the question takes the place of its subjects: nothing of them is asked for beside it."""
    params = translate_by_rules(question, "exploratory")
    concepts = vocabulary().concepts(question)
    subjects = {word for concept in concepts if concept.part == "subject" for word in concept.words}
    forms = {word for concept in concepts if concept.part == "form" for word in concept.words}
    expanded = [set(words(keyword)) for keyword in params.expanded_keywords]
    for search in searches(planned(params), "expanded"):
        held = set(search.words)
        for keyword in expanded:
            if keyword <= held and keyword - subjects - forms:
                assert not (held - keyword) & (subjects | forms)


@settings(max_examples=100, deadline=None)
@given(QUESTIONS, st.integers(1, 15), st.integers(1, 15))
def test_searches_are_shared_fairly_within_both_limits(question: str, limit: int, own: int) -> None:
    """No more searches than the source and the asker allow; each strategy has one while they last."""
    tasks = planned(question, limit, max_searches=own)
    assert len(searches(tasks)) <= min(limit, own)
    assert all(task.searches for task in tasks)
    possible = len({task.strategy for task in planned(question)})
    assert len(tasks) == min(possible, limit, own)


def test_the_smallest_budget_goes_to_the_question_itself() -> None:
    """With one search left it is the base."""
    assert [search.words for search in searches(planned("React animation library", 1))] == [
        ("react", "animation", "library")
    ]


def test_the_questions_own_range_and_year_reach_every_search() -> None:
    """A question for new repositories since 2022 is searched so, in all its forms."""
    every = searches(planned("new React animation library since 2022"))
    assert {search.stars for search in every} == {StarRange(min=10, max=1000)}
    assert {search.created_after for search in every} == {date(2022, 1, 1)}


def test_without_an_own_range_the_floor_is_searched() -> None:
    """The configured floor takes part in the search; switched off, nothing does."""
    question = "React animation library"
    assert {search.stars for search in searches(planned(question))} == {StarRange(min=50)}
    off = planned(question, coarse_filter={"min_stars": None})
    assert {search.stars for search in searches(off)} == {StarRange()}


def test_recency_asks_for_what_was_pushed_lately() -> None:
    """The last pushes come first, within the configured months."""
    recent = searches(planned("React animation library", coarse_filter={"pushed_within_months": 2}), "recency")
    assert {(search.sort, search.pushed_after) for search in recent} == {("updated", date(2026, 6, 23))}


@pytest.mark.parametrize("strategy", ["stars", "recency", "expanded"])
def test_a_strategy_of_weight_nothing_is_not_run(strategy: str) -> None:
    """Weight 0 saves its searches for the others."""
    assert strategy not in {task.strategy for task in planned("React parser", strategy_weights={strategy: 0})}
    assert strategy in {task.strategy for task in planned("React parser")}


def test_the_same_question_is_planned_the_same() -> None:
    """Planning has no memory and no chance in it."""
    assert planned("GraphQL client for React") == planned("GraphQL client for React")
