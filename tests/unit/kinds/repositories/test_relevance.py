"""How well a repository's own words fit a question, by rules alone."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.kinds.repositories.models import Repository, SearchParams
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
)


def match(keywords: str, description: str | None, /, name: str = "example-org/thing", **facts: Any) -> Match:
    """Match a repository with keywords, separated by commas, and with no expanded keyword but `expanded`."""
    expanded = facts.pop("expanded", ())
    matcher = Matcher(SearchParams(keywords=tuple(keywords.split(",")), expanded_keywords=expanded))
    return matcher.match(repository(name, **{"description": description, **facts}))


def relevance(question: str, description: str | None, /, **facts: Any) -> float:
    """Return the relevance of a repository for a question as it is typed."""
    return Matcher(params(question)).match(repository("a/thing", description=description, **facts)).relevance


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (match("animation", "animation"), 0.88),
        (match("animation,library", "animation"), 0.7338),  # a generic word weighs 0.15
        (match("animation,zzyzx", "animation"), 0.3574),  # half of the subjects
        (match("animation", "zzyzx", expanded=("zzyzx",)), 0.184),  # an expanded keyword counts 0.3
        (match("animation", "motion", expanded=("motion",)), 0.6257),  # the first synonym 1 / 1.3
        (match("time series", "time"), 0.184),  # one word of a phrase 0.3
        (match("state management", "management"), 0.0),  # a generic word alone does not stand for the phrase
        (match("function as a service", "a thing"), 0.0),  # nor does a single letter
        (match("animation,zzyzx", "x", name="animation/x"), 0.1451),  # the owner alone counts half
        (match("animation,zzyzx", "animation", name="a/animation"), 0.4045),  # two fields
        (match("animation,zzyzx", "animation", name="a/animation", topics=("animation",)), 0.453),  # three
        (match("animation,zzyzx", "animation", name="a/animation", topics=("animation",), readme="animation"), 0.453),
        (match("animation,zzyzx", "x", name="animation/animation"), 0.3574),  # the owner is no further field
        (match("animation", "animation", name="a/animation", topics=("animation",)), 1.0),  # never above 1
        (match("animation", "animation " + " ".join(f"w{n}" for n in range(19))), 0.8255),  # 21 terms
        (match("animation", None, name="a/animation"), 0.8494),  # an unknown text counts as 16 terms
        (match("animation", "awesome animation"), 0.66),  # a list counts 0.75
        (match("awesome,animation", "animation resources"), 0.7338),  # unless lists are asked for
    ],
)  # fmt: skip
def test_each_weight_of_the_coverage(found: Match, expected: float) -> None:
    """The documented formula gives these figures, worked out by hand from its constants."""
    assert found.relevance == expected


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (match("react,animation", "animation for react"), 1.0),
        (match("react,animation,zzyzx", "animation for react"), 0.4774),
        (match("go,parser,zzyzx", "parser", language="Go"), 0.4774),
        (match("go,parser", "golang parser"), 0.9528),  # another name fits 0.9
        (match("go,parser", "parser for go", language="Ruby"), 0.6704),  # named, in a foreign language: 0.6
        (match("react,animation", "animation", language="JavaScript"), 0.7168),  # the language alone fits 0.4
        (match("go,parser", "parser"), 0.528),  # nothing shows the platform: factor 0.6
        (match("docker,parser", "parser", language="Ruby"), 0.528),  # Docker goes with every language
        (match("go,parser", "parser", language="Ruby"), 0.176),  # a foreign language: factor 0.2
        (match("go,parser", "elm parser"), 0.176),  # a foreign platform
        (match("go,parser", "r parser"), 0.528),  # a short name is too often an ordinary word
        (match("react,animation", "animation for vue"), 0.264),  # a platform of the same family: factor 0.5
        (match("react,animation", "animation for react native"), 0.3528),  # named within a longer name: fit 0.3
        (match("react,animation", "react and react native animation"), 1.0),
        (match("react,typescript,animation", "animation for react"), 0.588),  # the mean fit of two platforms
        (match("go", "golang"), 0.8447),  # without a subject the platform is what to cover
        (match("react,animation", "react"), 0.0),  # a platform alone earns nothing
    ],
)
def test_each_factor_of_the_platform(found: Match, expected: float) -> None:
    """The documented formula gives these figures, worked out by hand from its constants."""
    assert found.relevance == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        ("React animation library", "Animation library for React", "Form library for React"),
        ("React animation library", "Animation library for React", "Tutorial on animation with React"),
        ("Vue 3 component library", "Component library for Vue 3", "Component library for Svelte"),
        ("GraphQL client for React", "GraphQL client for React", "GraphQL server"),
        ("TypeScript ORM", "ORM for TypeScript", "Reformat TypeScript"),
        ("Python ML tool", "Machine learning tool for Python", "HTML tool for Python"),
        ("ai agent", "AI agent", "Maintain an agent"),
    ],
)
def test_the_repository_that_fits_ranks_higher(question: str, better: str, worse: str) -> None:
    """Platform, subject and kind of content decide, by whole words."""
    assert relevance(question, better) > relevance(question, worse)


def test_stars_do_not_count() -> None:
    """Popularity changes no relevance."""
    assert relevance("React animation", "React", stars=0) == relevance("React animation", "React", stars=400_000)


def test_another_language_ranks_lower() -> None:
    """A repository in the language of the question ranks before one of unknown language, and that before another."""
    found = [relevance("Rust web framework", "A web framework", language=name) for name in ("Rust", None, "Ruby")]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 3


def test_the_evidence_names_each_word_and_its_field() -> None:
    """The reason in an answer quotes the words of the question, and the repository's own where they differ."""
    found = match("react,animation,library", "Motion for components", name="a/react-thing", language="TypeScript")
    assert found.evidence == ("“motion” (for “animation”) in the description", "“react” in the name")
    assert match("go,parser", "parser", language="Go").evidence == ("“parser” in the description", "language Go")


def test_without_a_word_of_the_question_there_is_no_relevance() -> None:
    """A repository with none of the words has relevance 0 and no evidence."""
    assert match("react,animation", "Database server") == Match(0.0, ())


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TEN_QUESTIONS) | st.text(min_size=1, max_size=60), REPOSITORIES)
def test_relevance_is_a_share_with_evidence(question: str, item: Repository) -> None:
    """For any repository: between 0 and 1, the same each time, and never above 0 without evidence, each line once."""
    found = Matcher(params(question)).match(item)
    assert 0 <= found.relevance <= 1
    assert found == Matcher(params(question)).match(item)
    assert bool(found.evidence) or found.relevance == 0
    assert len(set(found.evidence)) == len(found.evidence)
