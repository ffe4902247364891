"""Rank: the order, the dimensions and the counted failures of the results."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, get_args

import pytest
from goldpan.contracts import Basis, FoundBy, SourceStatus
from goldpan.engine.stage_values import KindResult
from goldpan.kinds.repositories.categories import LISTED
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import Dimension, ScoreTask, Shortlist, Translation, Verdict
from goldpan.kinds.repositories.present import PRESENTATION
from goldpan.kinds.repositories.rank import rank
from goldpan.kinds.repositories.repository_text import notes
from goldpan.kinds.repositories.results import RankedRepository, Release, RepositorySection

from tests.support.factories import NOW, params, repository, request


def task(name: str = "a/b", relevance: float = 0.5, *, ask_llm: bool = False, **facts: object) -> ScoreTask:
    """Make a scoring task."""
    item, evidence = repository(name, **facts), ("“x” in the name",)
    return ScoreTask(id=name, repository=item, relevance=relevance, found_by=(), ask_llm=ask_llm, evidence=evidence)


def verdict(name: str, relevance: float = 0.5, basis: Basis = "llm", **fields: object) -> Verdict:
    """Make a verdict."""
    given = {"full_name": name, "relevance": relevance, "reasoning": "It fits.", "basis": basis, **fields}
    return Verdict.model_validate(given)


TRANSLATION = Translation(params=params())


def ranked(
    tasks: Sequence[ScoreTask],
    verdicts: Sequence[Verdict] = (),
    sources: tuple[SourceStatus, ...] = (),
    translation: Translation = TRANSLATION,
    **fields: Any,
) -> KindResult:
    """Run the stage."""
    known = {name: fields.pop(name) for name in ("further", "errors", "warnings", "dropped") if name in fields}
    shortlisted = Shortlist(tasks=tuple(tasks), total_candidates=40, sources=sources, **known)
    return rank(shortlisted, verdicts, translation, request(**fields), NOW)


def test_weaker_results_are_below_the_line() -> None:
    """Below a quarter of the best relevance; what has none is counted, and that their facts are old is not said."""
    weak = task("a/weak", 0.19, observed={"stars": "2026-08-01"}).model_copy(update={"found_by": BOTH[1:]})
    result = ranked([task("a/good", 0.8), task("a/fair", 0.2), weak, task("a/unfit", 0)], sources=ROWS)
    assert [item.repo for item in results(result)] == ["a/good", "a/fair"]
    assert isinstance(result.section, RepositorySection)
    assert [item.repo for item in result.section.weaker] == ["a/weak"]
    assert (result.section.dropped, result.section.nothing_fits, result.warnings) == ({"weak": 1}, False, ())


def test_nothing_fits_where_the_best_one_is_unlikely() -> None:
    """By the scale of its basis; a comparison shows all that it was given."""
    by_rules = [ranked([task(relevance=relevance)]) for relevance in (0.09, 0.1)]
    judged = [ranked([task()], [verdict("a/b", relevance)]) for relevance in (0.29, 0.3)]
    compared = ranked([task(relevance=0.01)], compare=["a/b", "c/d"])
    said = [one.section and one.section.nothing_fits for one in (*by_rules, *judged, compared)]
    assert said == [True, False, True, False, False]


def results(result: KindResult) -> tuple[RankedRepository, ...]:
    """List the results of the section."""
    assert isinstance(result.section, RepositorySection)
    return result.section.results


UNSURE = task("a/unsure", 0.9).model_copy(update={"unverified": ("stars",)})
MAINTAINED = [task("a/low", open_issues=9, closed_issues=1), task("a/unknown"),
              task("a/high", open_issues=1, closed_issues=9)]  # fmt: skip
BOTH = tuple(FoundBy(strategy=name, rank=1) for name in ("stars", "known"))
STARS = {"b/b": 60, "d/d": 1, "a/unknown": None, "a/a": 60, "c/c": 70}
ROW = SourceStatus(kind="repositories", strategy="stars", source="github", status="ok", query="x")
ROWS = (ROW, ROW.model_copy(update={"strategy": "known", "source": "catalogue"}))


def weighing(dimension: Dimension) -> dict[str, object]:
    """Let one dimension alone make the overall score."""
    return {"config": {"dimension_weights": {**dict.fromkeys(get_args(Dimension), 0), dimension: 1}}}


@pytest.mark.parametrize(
    ("tasks", "verdicts", "fields", "names"),
    [
        # what is certain to meet the constraints comes first only if it is about as relevant as the others
        ([task("a/sure", 0.45), task("a/weak", 0.44), UNSURE], [], {}, "a/sure a/unsure"),
        # what is excluded by name is only a little less relevant for mentioning it
        ([task("a/mentions").model_copy(update={"mentions": ("x",)}), task("a/other", 0.45), task("a/less", 0.38)],
         [], {}, "a/other a/mentions a/less"),
        # the model's relevance takes the place of the rules' own, and outweighs every star
        ([task("a/starred", 0.9, stars=300_000), task("a/relevant", 0.1, stars=60)],
         [verdict("a/starred", 0.6), verdict("a/relevant", 0.9)], {}, "a/relevant a/starred"),
        # ties go by stars, then by name; unknown stars count as the usual number
        ([task(name, stars=count) for name, count in STARS.items()], [], weighing("activity"),
         "a/unknown c/c a/a b/b d/d"),
        # an unknown overall score counts as the mean of the known ones: what a catalogue knows little of is not worse
        (MAINTAINED, [], weighing("maintenance"), "a/high a/unknown a/low"),
        # by another fact: unknown ones last, and below them what is not certain to meet the constraints
        (MAINTAINED, [], weighing("maintenance") | {"sort": "overall"}, "a/high a/low a/unknown"),
        ([task(name, stars=count) for name, count in STARS.items()] + [UNSURE], [], {"sort": "stars"},
         "c/c a/a b/b d/d a/unknown a/unsure"),
        ([task("a/old", pushed_at=NOW - timedelta(9)), task("a/unknown"), task("a/new", pushed_at=NOW)], [],
         {"sort": "pushed"}, "a/new a/old a/unknown"),
    ],
)  # fmt: skip
def test_the_order(tasks: list[ScoreTask], verdicts: list[Verdict], fields: dict[str, Any], names: str) -> None:
    """Each rule of the order decides where those before it do not."""
    found = results(ranked(tasks, verdicts, ROWS, **fields))
    assert [item.repo for item in found] == names.split()
    assert not verdicts or [item.relevance for item in found] == [0.9, 0.6]


def test_what_a_model_was_not_asked_about_is_weaker_than_what_it_judged() -> None:
    """Its "no" to the better ones brings none above the line; where it failed, relevance by rules is compared."""
    tasks, further = [task("a/fits", ask_llm=True), task("a/unfit", ask_llm=True)], (task("b/next", 0.4),)
    tasks.append(task("a/failed", 0.1, ask_llm=True))
    section = ranked(tasks, [verdict("a/fits", 0.9), verdict("a/unfit", 0.1)], further=further).section
    assert isinstance(section, RepositorySection)
    assert [item.repo for item in section.results] == ["a/fits"]
    assert [item.repo for item in section.weaker] == ["a/failed", "a/unfit", "b/next"]
    assert [item.repo for item in results(ranked([task("a/fits")], further=further))] == ["a/fits", "b/next"]


def test_without_a_verdict_the_rules_decide() -> None:
    """The reason names the words that relevance rests on, the facts that were asked for, and the last push if known."""
    (first,) = results(ranked([task(relevance=0.7)]))
    assert (first.relevance, first.basis, first.reasoning) == (0.7, "rules", "Matches “x” in the name.")
    listed = (*(f"“{word}” in the name" for word in "xyz"), f"{LISTED}file manager")
    [first], [none] = (results(ranked([task().model_copy(update={"evidence": evidence})])) for evidence in (listed, ()))
    assert first.reasoning == "Listed as: file manager. Matches “x”, “y” and “z” in the name."
    assert none.reasoning.startswith("None of the question's words occur in its facts;")
    limited = Constraints(licenses=("MIT",), min_stars=100, created_before=NOW.date())
    limits = params().model_copy(update={"constraints": limited})
    highest = Translation(params=params().model_copy(update={"constraints": Constraints(max_stars=900)}))
    assert results(ranked([task()], translation=highest))[0].reasoning.endswith(" 500 stars.")
    found = task(license="MIT", stars=2500, pushed_at="2026-08-01T00:00:00Z", created_at="2020-08-01T00:00:00Z")
    (item,) = results(ranked([found], translation=Translation(params=limits)))
    known = "Licence MIT, 2,500 stars, created 2020-08-01, last push 2026-08-01."
    assert item.reasoning == f"Matches “x” in the name. {known}"
    (item,) = results(ranked([task(license="NOASSERTION")], translation=Translation(params=limits)))
    assert item.reasoning == "Matches “x” in the name. 500 stars."


def test_a_warning_counts_what_the_model_did_not_judge() -> None:
    """A verdict without a task adds no result and hides no missing verdict; tasks for the rules alone need none."""
    tasks = [task("a/one", ask_llm=True), task("a/two", ask_llm=True)]
    found = ranked(tasks, [verdict("a/one"), verdict("ghost/repo", 1.0)])
    assert {item.repo: item.basis for item in results(found)} == {"a/one": "llm", "a/two": "rules"}
    expected = "1 of 2 repositories were ordered by rules: the language model did not judge them."
    assert found.warnings == (expected,)
    some = "The language model was asked about the best 1 repository; rules order the 1 after them."
    assert ranked([task("a/one", ask_llm=True), task()], [verdict("a/one")]).warnings == (some,)
    assert ranked(tasks, further=(task("b/c"),)).warnings == (expected.replace("1 of 2", "2 of 2"),)
    assert ranked(tasks, [verdict("a/one"), verdict("a/two")]).warnings == ranked([task()]).warnings == ()


def test_the_section_has_the_best_results() -> None:
    """Each with description, six axes of the radar chart and both kinds of caveats; named for links to another kind."""
    tasks = [task(f"a/{n}", n / 10, archived=True, latest_release_at=NOW) for n in range(9)]
    found = ranked(tasks, [verdict("a/8", 0.8, caveats=("Noted.",), documentation=7)])
    assert isinstance(found.section, RepositorySection)
    assert (found.section.total_candidates, found.section.shortlisted) == (40, 9)
    first, second, *_ = found.section.results
    assert (first.repo, first.name, first.url, second.repo) == ("a/8", "8", "https://github.com/a/8", "a/7")
    assert (first.description, first.latest_release) == ("React animation library", Release(at=NOW))
    assert first.caveats == ("Noted.", "Archived: read-only at GitHub.")
    assert [(point.dimension, point.score) for point in first.radar_chart_data] == [
        ("maturity", 5.7), ("activity", None), ("documentation", 7), ("community", None), ("ease_of_use", None),
        ("maintenance", 1),
    ]  # fmt: skip
    kinds = ["repositories"], ["repositories", "papers"]
    assert [[each.id for each in ranked([task("a/b")], kinds=asked).named] for asked in kinds] == [[], ["a/b"]]


def test_what_stands_in_for_a_description() -> None:
    """At most 1400 bytes of a README, and ten topics; goldpan's own sentence is a note, beside what the owner says."""
    described = [results(ranked([task(description=None, readme=text)]))[0].description for text in ("ж" * 2000, None)]
    assert described[0] is not None
    assert 1300 < len(described[0].encode()) <= 1400
    assert described[1] is None
    assert results(ranked([task(topics=("x" * 99,) * 12)]))[0].topics == ("x" * 58,) * 10
    known = "hapijs/hapi"
    note = notes()[known]
    for description, expected in ((note, None), (None, None), ("Trust us", "Trust us")):
        (item,) = results(ranked([task(known, description=description)]))
        assert (item.description, item.note) == (expected, note)
        assert PRESENTATION.description is not None
        assert PRESENTATION.description.read(item) == (expected or f"(note) {note}")
