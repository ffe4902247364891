"""How well a repository's own words fit a question, by rules alone."""

from __future__ import annotations

import random

import pytest
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.relevance import Match, Matcher
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import TEN_QUESTIONS, params, repository

TEXT = st.none() | st.text(max_size=120)
REPOSITORIES = st.builds(
    Repository,
    full_name=st.sampled_from(["a/b", "react/react", "react-animation/library", "MotionOrg/ReactMotion", "я/ж"]),
    description=TEXT | st.sampled_from(["React animation library " * 20, "library", "", "CLI tool for developers"]),
    readme=TEXT,
    language=st.none() | st.sampled_from(["TypeScript", "Go", "Rust", "Made-up"]),
    topics=st.lists(st.sampled_from(["react", "animation", "orm", "cli", "x"]), max_size=5).map(tuple),
    stars=st.none() | st.integers(0, 400_000),
)


def match(question: str, name: str = "example-org/thing", /, **facts: object) -> Match:
    """Hold one repository against a question."""
    return Matcher(params(question)).match(repository(name, **{"description": None, **facts}))


def test_fame_is_no_relevance() -> None:
    """Stars, forks and watchers change nothing."""
    plain = match(TEN_QUESTIONS[0], description="React animation library", stars=0)
    assert match(TEN_QUESTIONS[0], description="React animation library", stars=400_000, forks=9_000) == plain


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        ("React animation library", "Animation library for React", "Animation library for Angular"),
        ("React animation library", "Animation library for React", "Animation library for React Native"),
        ("React animation library", "Animation library for React", "Form library for React"),
        ("React animation library", "Animation library for React", "Tutorial on animation with React"),
        ("Vue 3 component library", "Component library for Vue 3", "Component library for Svelte"),
        ("GraphQL client for React", "GraphQL client for React", "GraphQL server"),
        ("Open source CRM", "Open source CRM", "Open source screen recorder"),
        ("TypeScript ORM", "ORM for TypeScript", "Reformat TypeScript"),
        ("Python ML tool", "Machine learning tool for Python", "HTML tool for Python"),
        ("ai agent", "AI agent", "Maintain an agent"),
    ],
)
def test_the_apt_one_stands_higher(question: str, better: str, worse: str) -> None:
    """Platform, subject and kind of thing decide, by whole words."""
    assert match(question, description=better).relevance > match(question, description=worse).relevance


def test_another_language_stands_lower() -> None:
    """A repository in the language that was asked for stands before the same one in another, or in none known."""
    by_language = {
        language: match("Rust web framework", description="A web framework", language=language).relevance
        for language in ("Rust", None, "Ruby")
    }
    assert by_language["Rust"] > by_language[None] > by_language["Ruby"]


def test_a_list_is_apt_where_lists_are_asked_for() -> None:
    """What would be held against a list is not where the question is for one."""
    listed, plain = "Awesome list of React animation resources", "React animation resources"

    def fall(question: str) -> float:
        return match(question, description=plain).relevance - match(question, description=listed).relevance

    assert fall("React animation") > fall("awesome list of React animation")


@pytest.mark.parametrize(
    ("plain", "other"),
    [
        ("React animation widgets", "React animation examples"),
        ("React animation widgets", "React animation tutorial"),
        ("Animation library for maps", "Animation library for Vue"),
    ],
)
def test_one_word_can_tell_that_it_is_something_else(plain: str, other: str) -> None:
    """A text of the same length that calls itself an example, a course, or one for a rival platform fits less."""
    question = "React animation library"
    assert match(question, description=plain).relevance > match(question, description=other).relevance > 0


def test_a_synonym_counts_but_less_than_the_word_itself() -> None:
    """Another word for the subject is better than none."""
    said, near, none = (
        match("React animation", description=f"{word} for React").relevance for word in ("animation", "tween", "maps")
    )
    assert said > near > none


@pytest.mark.parametrize("name", ["a/react-animation", "a/reactAnimation", "a/React_Animation"])
def test_a_name_tells_as_much_as_a_text(name: str) -> None:
    """The words of a name are found however they are joined."""
    found = match("React animation", name)
    assert found.relevance > match("React animation", "a/reanimated").relevance
    assert any("in the name" in line for line in found.evidence)


def test_saying_more_of_other_things_is_no_merit() -> None:
    """A short text that is all about the subject stands before a long one that mentions it."""
    short = match("React animation", description="React animation")
    long = match("React animation", description="React animation " + " ".join(f"word{n}" for n in range(60)))
    assert short.relevance > long.relevance > 0


def test_where_no_word_is_found_there_is_no_relevance() -> None:
    """A repository without any word of the question has relevance 0 and no evidence."""
    assert match("React animation", description="Database server") == Match(0.0, ())
    assert match("React animation", "a/b") == Match(0.0, ())


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TEN_QUESTIONS) | st.text(min_size=1, max_size=60), REPOSITORIES)
def test_relevance_is_a_share_with_its_evidence(question: str, item: Repository) -> None:
    """For any repository: between 0 and 1, the same each time, and never above 0 without a reason."""
    found = Matcher(params(question)).match(item)
    assert 0 <= found.relevance <= 1
    assert found == Matcher(params(question)).match(item)
    assert bool(found.evidence) or found.relevance == 0
    assert len(set(found.evidence)) == len(found.evidence)


def test_the_order_of_topics_decides_nothing() -> None:
    """The same topics in another order are as relevant."""
    topics = ["react", "animation", "spring", "gesture"]
    shuffled = random.Random(3).sample(topics, len(topics))
    assert match("React animation", topics=topics).relevance == match("React animation", topics=shuffled).relevance
