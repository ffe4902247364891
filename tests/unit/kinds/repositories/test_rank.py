"""Verdicts become the ranked section: one formula of order, and no repository lost."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import get_args

import pytest
from goldpan.contracts import Basis, KindResult, StageError, Usage
from goldpan.kinds.repositories.models import (
    Dimension,
    RankedRepository,
    RepositorySection,
    Scores,
    ScoreTask,
    Shortlist,
    Translation,
    Verdict,
)
from goldpan.kinds.repositories.rank import order, rank, rules_only_verdict

from tests.support.factories import NOW, params, repository, request

DIMENSIONS = get_args(Dimension)


def task(name: str = "a/b", relevance: float = 0.5, *, ask_llm: bool = False, **facts: object) -> ScoreTask:
    """Make a scoring task."""
    item = repository(name, **facts)
    return ScoreTask(
        id=name, repository=item, relevance=relevance, found_by=(), ask_llm=ask_llm, evidence=("“x” in the name",)
    )


def verdict(name: str, relevance: float = 0.5, basis: Basis = "llm", **fields: object) -> Verdict:
    """Make a verdict."""
    return Verdict.model_validate(
        {"full_name": name, "relevance": relevance, "reasoning": "It fits.", "basis": basis, **fields}
    )


def ranked(tasks: Sequence[ScoreTask], verdicts: Sequence[Verdict] = (), **fields: object) -> KindResult:
    """Run the stage."""
    shortlisted = Shortlist(tasks=tuple(tasks), total_candidates=40, sources=())
    return rank(shortlisted, verdicts, Translation(params=params(), tasks=()), request(**fields), NOW)


def results(result: KindResult) -> tuple[RankedRepository, ...]:
    """List the results of the section."""
    assert isinstance(result.section, RepositorySection)
    return result.section.results


def test_relevance_decides_before_stars_and_the_model_before_the_rules() -> None:
    """The model's relevance takes the place of the rules' own, and outweighs every star."""
    starred, relevant = task("a/starred", 0.9, stars=300_000), task("a/relevant", 0.1, stars=60)
    found = results(ranked([starred, relevant], [verdict("a/starred", 0.2), verdict("a/relevant", 0.9)]))
    assert [(item.repo, item.relevance) for item in found] == [("a/relevant", 0.9), ("a/starred", 0.2)]


def test_ties_go_by_stars_then_by_name() -> None:
    """Whatever the order of tasks and verdicts."""
    equal = {"dimension_weights": {**dict.fromkeys(DIMENSIONS, 0), "activity": 1}}
    tasks = [task("b/b", stars=60), task("a/a", stars=60), task("c/c", stars=70), task("a/unknown", stars=None)]
    tasks.append(task("d/d", stars=1))
    verdicts = [rules_only_verdict(task) for task in tasks]
    for seed in range(3):
        chance = random.Random(seed)
        found = ranked(chance.sample(tasks, 5), chance.sample(verdicts, 5), config=equal)
        assert [item.repo for item in results(found)] == ["c/c", "a/a", "b/b", "d/d", "a/unknown"]


@pytest.mark.parametrize(("config", "expected"), [({}, 0.53), ({"relevance_weight": 0.5}, 0.65)])
def test_the_order_is_the_documented_formula(config: dict[str, float], expected: float) -> None:
    """0.9 x relevance + 0.1 x overall / 10, unless configured; an unknown overall score adds nothing."""
    settings = request(config=config).config
    assert order(0.5, Scores(overall=8), settings) == pytest.approx(expected)
    assert order(0.5, Scores(), settings) == pytest.approx(0.5 * settings.relevance_weight)


def test_the_weight_of_relevance_can_turn_the_order() -> None:
    """With less of it, the better maintained repository wins."""
    tasks = [task("a/maintained", 0.50, stars=50_000), task("a/relevant", 0.52, stars=60)]
    first = [results(ranked(tasks, config={"relevance_weight": weight}))[0].repo for weight in (0.5, 1.0)]
    assert first == ["a/maintained", "a/relevant"]


def test_without_a_verdict_the_rules_decide() -> None:
    """The task keeps its relevance, and the reason names the words that it rests on."""
    (first,) = results(ranked([task(relevance=0.7)]))
    assert (first.relevance, first.basis, first.reasoning) == (0.7, "rules", "Matches “x” in the name.")
    bare = task().model_copy(update={"evidence": ()})
    reason = "Kept by its source: none of the question's words occur in its facts."
    assert results(ranked([bare]))[0].reasoning == reason


def test_a_verdict_without_a_task_is_ignored() -> None:
    """It adds no result, and hides no missing verdict."""
    tasks = [task("a/one", ask_llm=True), task("a/two", ask_llm=True)]
    found = ranked(tasks, [verdict("a/one"), verdict("ghost/repo", 1.0)])
    assert {item.repo: item.basis for item in results(found)} == {"a/one": "llm", "a/two": "rules"}
    assert found.warnings == (
        "1 of 2 repositories were ordered by rules: the language model did not judge them.",
    )  # fmt: skip


def test_failures_are_counted_by_reason() -> None:
    """Each reason stands once, eight at most; the usage of failed calls counts."""
    usage = Usage(llm_calls=1, input_tokens=10)
    tasks = [task(f"a/{n}", ask_llm=True) for n in range(3)]
    failed = [verdict(f"a/{n}", basis="rules", failure="too late", usage=usage) for n in range(2)]
    found = ranked(tasks, [*failed, verdict("a/2", usage=usage)])
    assert found.errors == (StageError(stage="score", error="too late (2 times)", timestamp=NOW),)
    assert found.usage == Usage(llm_calls=3, input_tokens=30)
    assert found.warnings[0].startswith("2 of 3 ")
    many = ranked(tasks, [verdict(f"a/{n}", basis="rules", failure=f"reason {n}") for n in range(9)])
    assert [error.error for error in many.errors] == [f"reason {n}" for n in range(8)]


def test_all_verdicts_of_the_model_need_no_warning() -> None:
    """Nor do tasks that the model was not to judge."""
    assert ranked([task(ask_llm=True)], [verdict("a/b")]).warnings == ()
    assert ranked([task()]).warnings == ()
    assert ranked([task("a/a", ask_llm=True), task()], [verdict("a/a")]).warnings[0].startswith("1 of 2 ")


def test_the_section_has_the_best_results() -> None:
    """As many as requested, each with its description, six axes of the radar chart, and both kinds of caveats."""
    tasks = [task(f"a/{n}", n / 10, archived=True) for n in range(9)]
    found = ranked(tasks, [verdict("a/8", 0.8, caveats=("Noted.",), documentation=7)], max_results=2)
    assert isinstance(found.section, RepositorySection)
    assert (found.section.total_candidates, found.section.shortlisted) == (40, 9)
    first, second = found.section.results
    assert (first.repo, first.name, first.url) == ("a/8", "8", "https://github.com/a/8")
    assert (first.description, first.caveats) == (
        "React animation library",
        ("Noted.", "Archived: read-only at GitHub."),
    )
    assert [(point.dimension, point.score) for point in first.radar_chart_data] == [
        ("maturity", 5.7), ("activity", None), ("documentation", 7), ("community", None), ("ease_of_use", None),
        ("maintenance", None),
    ]  # fmt: skip
    assert second.repo == "a/7"


def test_a_readme_stands_in_for_a_description() -> None:
    """At most 1400 bytes of it, and null if there is neither."""
    described = [results(ranked([task(description=None, readme=text)]))[0].description for text in ("ж" * 2000, None)]
    assert described[0] is not None
    assert 1300 < len(described[0].encode()) <= 1400
    assert described[1] is None
